//! The profiled loop.

use super::*;

#[test]
fn a_profile_runs_the_compiled_path_alone() {
    let folder = tempfile::tempdir().unwrap();
    let mut fake = Fake::new(model);
    let modes = Modes {
        profile: true,
        ..NOTHING
    };
    let mut options = options(modes);
    options.calls = None;
    folder.path().clone_into(&mut options.profile.directory);
    let report = measure_one(&mut fake, 2, &options, &mut |_| {}).unwrap();
    let target = folder.path().join("lcmbench-profile-02_model.svg");
    let Section::Profile(profile) = &report.examples[0].sections[0] else {
        panic!("{report:?}");
    };
    assert_eq!(
        (&profile.output, profile.samples),
        (&Some(target.clone()), Some(1000))
    );
    assert!(target.is_file());
    assert_ne!(fake.attached[0].output, target);
    assert_eq!(
        fake.asked[1..],
        [
            Request::Build("compiled".to_owned()),
            Request::Warm("compiled".to_owned(), 50),
            Request::Trace,
            Request::Loop("compiled".to_owned(), 5000)
        ]
    );
    assert!(!report.has_failures());

    let mut fake = Fake::new(model);
    fake.refuse_profiler = Some(PySpyError::NotPermitted {
        remedy: "do this".to_owned(),
    });
    let report = measure_one(&mut fake, 2, &options, &mut |_| {}).unwrap();
    assert_eq!(
        report.examples[0].problems()[0].sentence(),
        "failed: py-spy may not look into the process; do this"
    );
    assert_eq!(
        fake.count(|request| matches!(request, Request::Loop(..))),
        0
    );

    options.profile.bare = true;
    let mut fake = Fake::new(model);
    let report = measure_one(&mut fake, 2, &options, &mut |_| {}).unwrap();
    assert!(fake.attached.is_empty() && !report.has_failures());
}

#[test]
fn what_a_profile_needs_is_missed_before_anything_is_built() {
    let modes = Modes {
        profile: true,
        ..NOTHING
    };
    let mut options = options(modes);
    let mut fake = Fake::new(model);
    fake.refuse_profiler = Some(PySpyError::NotFound {
        python: "/venv/bin/python".into(),
    });
    let said = |fake: &mut Fake<'_>, options: &Options| {
        let report = measure_one(fake, 2, options, &mut |_| {}).unwrap();
        assert_eq!(fake.asked, [Request::Load(2)]);
        report.examples[0].problems()[0].sentence()
    };
    let missing = said(&mut fake, &options);
    assert!(
        missing.starts_with("failed: py-spy was found neither beside /venv/bin/python nor on PATH"),
        "{missing}"
    );
    options.profile.output = Some("/no/such/folder/x.svg".into());
    let unwritable = said(&mut Fake::new(model), &options);
    assert!(
        unwritable
            .starts_with("failed: the flame graph cannot be written to /no/such/folder/x.svg"),
        "{unwritable}"
    );
}
