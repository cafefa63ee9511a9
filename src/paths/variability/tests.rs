use super::*;

fn run(number: usize, chi: f64, values: [f64; 2]) -> StartRun {
    StartRun {
        run: number,
        seconds: Some(1.0),
        reduced_chi_square: Some(chi),
        values: vec![("a".to_owned(), values[0]), ("b".to_owned(), values[1])],
        ..StartRun::default()
    }
}

fn concluded(runs: Vec<StartRun>) -> Variability {
    let mut result = Variability {
        runs,
        ..Variability::default()
    };
    let bounds = [Bounds {
        name: "b".to_owned(),
        low: -1.0,
        high: 1.0,
    }];
    conclude(&mut result, &bounds);
    result
}

#[test]
fn a_worse_optimum_stays_out_of_the_spread() {
    let result = concluded(vec![
        run(0, 2.0, [1.0, 5.0]),
        run(1, 2.02, [1.005, 5.2]),
        run(2, 2.021, [9.0, 9.0]),
    ]);
    let off: Vec<usize> = result.off_optimum().map(|run| run.run).collect();
    assert_eq!(off, [2]);
    assert!(!result.parameters[0].start_sensitive);
    let b = &result.parameters[1];
    assert_eq!((b.low, b.high, b.reference), (5.0, 5.2, Some(5.0)));
    assert!((b.relative - 0.2 / 5.2).abs() < 1e-12 && b.start_sensitive);
    assert_eq!(result.worst, Some(1));
}

#[test]
fn a_reference_of_a_worse_optimum_is_set_apart_too() {
    let result = concluded(vec![run(0, 3.0, [1.0, 1.0]), run(1, 2.0, [2.0, 2.0])]);
    assert!(!result.runs[0].best);
    assert_eq!(result.parameters[0].reference, Some(1.0));
    assert_eq!(
        (result.parameters[0].low, result.parameters[0].high),
        (2.0, 2.0)
    );
}

#[test]
fn rounding_around_zero_is_no_spread() {
    let result = concluded(vec![run(0, 2.0, [0.0, 1e-9]), run(1, 2.0, [0.0, -1e-9])]);
    assert!(result.parameters[0].relative.abs() < 1e-300);
    assert!(
        !result.parameters[1].start_sensitive,
        "{:?}",
        result.parameters[1]
    );
}

#[test]
fn runs_without_a_result_do_not_count() {
    let mut failed = run(1, 1.0, [7.0, 7.0]);
    failed.problem = Some(Problem::skipped("the start is that of run 0"));
    failed.reduced_chi_square = None;
    let result = concluded(vec![run(0, 2.0, [1.0, 1.0]), failed]);
    assert_eq!(result.best().count(), 1);
    assert_eq!(result.off_optimum().count(), 0);
    assert_eq!(concluded(Vec::new()).worst, None);
}
