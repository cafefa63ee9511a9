use super::*;

fn whole<'a>(uuid: &'a str, name: &'a str) -> Candidate<'a> {
    Candidate {
        uuid,
        name,
        slices: Vec::new(),
        sliced: false,
    }
}

fn two() -> Vec<Candidate<'static>> {
    vec![whole("GPU-aa11", "H200"), whole("GPU-aa22", "H200")]
}

fn sliced() -> Vec<Candidate<'static>> {
    vec![Candidate {
        uuid: "GPU-aa11",
        name: "H100",
        slices: vec!["MIG-1", "MIG-2"],
        sliced: true,
    }]
}

fn auto(variables: &[(&str, &str)], there: &[Candidate<'_>]) -> Choice {
    let environment = variables.iter().copied().collect();
    choose(&Wanted::Auto, &environment, there).unwrap()
}

fn asked(text: &str, there: &[Candidate<'_>]) -> Result<Choice, ChoiceError> {
    choose(&Wanted::parse(text), &Environment::default(), there)
}

#[test]
fn without_a_word_all_gpus_count() {
    assert_eq!(auto(&[], &two()).chosen, [(0, None), (1, None)]);
    assert_eq!(auto(&[], &two()).show, None);
    assert_eq!(auto(&[], &[]).none.unwrap(), "there is no GPU of NVIDIA's");
}

#[test]
fn cuda_s_list_is_followed_up_to_its_first_bad_word() {
    let of = |list| auto(&[("CUDA_VISIBLE_DEVICES", list)], &two());
    assert_eq!(of("1").chosen, [(1, None)]);
    assert_eq!(of("1,0").chosen, [(0, None), (1, None)]);
    assert_eq!(of("1,7,0").chosen, [(1, None)]);
    assert_eq!(of("GPU-aa22").chosen, [(1, None)]);
    assert_eq!(
        of("GPU-aa").none.unwrap(),
        "CUDA_VISIBLE_DEVICES=GPU-aa shows no GPU"
    );
    assert_eq!(
        of("-1").none.unwrap(),
        "CUDA_VISIBLE_DEVICES=-1 shows no GPU"
    );
    assert_eq!(of("").none.unwrap(), "CUDA_VISIBLE_DEVICES shows no GPU");
}

#[test]
fn numbers_of_gpus_of_several_kinds_are_not_believed() {
    let mixed = [whole("GPU-a", "T4"), whole("GPU-b", "H200")];
    let choice = auto(&[("CUDA_VISIBLE_DEVICES", "0")], &mixed);
    assert_eq!(choice.chosen, [(0, None), (1, None)]);
    assert_eq!(choice.warnings.len(), 1);
    let by_bus = [
        ("CUDA_VISIBLE_DEVICES", "0"),
        ("CUDA_DEVICE_ORDER", "PCI_BUS_ID"),
    ];
    assert_eq!(auto(&by_bus, &mixed).chosen, [(0, None)]);
    let by_name = [("CUDA_VISIBLE_DEVICES", "GPU-b")];
    assert_eq!(auto(&by_name, &mixed).chosen, [(1, None)]);
}

#[test]
fn of_slices_one_is_seen() {
    assert_eq!(auto(&[], &sliced()).chosen, [(0, Some(0))]);
    let second = [("CUDA_VISIBLE_DEVICES", "MIG-2")];
    assert_eq!(auto(&second, &sliced()).chosen, [(0, Some(1))]);
    let empty = [Candidate {
        slices: Vec::new(),
        ..sliced().remove(0)
    }];
    assert!(auto(&[], &empty).none.unwrap().contains("has none"));
}

#[test]
fn what_is_asked_for_is_shown_to_the_benchmarks() {
    let choice = asked("1", &two()).unwrap();
    assert_eq!(choice.chosen, [(1, None)]);
    assert_eq!(choice.show.as_deref(), Some("GPU-aa22"));
    let both = asked("1, 0", &two()).unwrap();
    assert_eq!(both.show.as_deref(), Some("GPU-aa22,GPU-aa11"));
    let slice = asked("0:1", &sliced()).unwrap();
    assert_eq!(slice.chosen, [(0, Some(1))]);
    assert_eq!(slice.show.as_deref(), Some("MIG-2"));
    assert_eq!(asked("all", &two()).unwrap().chosen.len(), 2);
    assert!(asked("none", &two()).unwrap().chosen.is_empty());
}

#[test]
fn what_is_not_there_is_refused() {
    for (text, error) in [
        ("2", ChoiceError::Unknown("2".to_owned())),
        ("GPU-x", ChoiceError::Unknown("GPU-x".to_owned())),
        ("GPU-aa", ChoiceError::Ambiguous("GPU-aa".to_owned())),
        ("0:0", ChoiceError::Unknown("0:0".to_owned())),
    ] {
        assert_eq!(asked(text, &two()).unwrap_err(), error);
    }
    assert_eq!(
        asked("0", &sliced()).unwrap_err(),
        ChoiceError::Sliced("0".to_owned())
    );
}
