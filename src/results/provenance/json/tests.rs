use super::*;
use crate::json::{parse, to_compact};

fn read(text: &str) -> (Option<Provenance>, Vec<String>) {
    let mut remarks = Vec::new();
    let provenance = Provenance::from_json(parse(text).unwrap(), &mut remarks);
    (provenance, remarks)
}

#[test]
fn everything_survives_a_rewrite() {
    let text = r#"{"format": 1, "lcmbench": "0.1.0", "head": "abc", "dirty": true, "worker": {"launch": "fork"}, "environment": {"python": "3.12.1"}, "host": {"load": [0.5, NaN]}, "gpu": {"name": "x"}, "benchmarks": {"a.b": {"failures": [null, {"kind": "no-value", "message": "returned nothing", "details": "x"}], "process_sizes": [[5, 5], []], "flags": ["compiled-while-timed"], "facts": {"allocator": "on-demand"}, "launch": "spawn", "later": 1}}, "newer": 1}"#;
    let (provenance, remarks) = read(text);
    let provenance = provenance.unwrap();
    assert!(remarks.is_empty());
    let known = &provenance.benchmarks["a.b"];
    assert_eq!(
        known.failures[1].as_ref().unwrap().kind,
        FailureKind::NoValue
    );
    assert_eq!(known.process_sizes, [vec![5, 5], vec![]]);
    assert_eq!(known.extra["later"], Json::Int(1));
    assert_eq!(to_compact(&provenance.to_json()), text);
}

#[test]
fn malformed_parts_are_left_out_and_said() {
    let (provenance, remarks) = read(
        r#"{"format": "x", "head": 5, "worker": [], "benchmarks": {"a": 1, "b": {"failures": [{"kind": "new-kind"}], "process_sizes": [[-1]], "flags": "x", "launch": null}}}"#,
    );
    let provenance = provenance.unwrap();
    assert_eq!((provenance.format, provenance.head.as_str()), (1, ""));
    assert_eq!(provenance.benchmarks.len(), 1);
    assert_eq!(provenance.benchmarks["b"], BenchmarkProvenance::default());
    assert_eq!(
        remarks,
        [
            "has a malformed `lcmbench.format`; it is ignored",
            "has a malformed `lcmbench.head`; it is ignored",
            "has a malformed `lcmbench.worker`; it is ignored",
            "has a `lcmbench.benchmarks.a` that is no object; it is ignored",
            "has a malformed `lcmbench.benchmarks.b.failures`; it is ignored",
            "has a malformed `lcmbench.benchmarks.b.process_sizes`; it is ignored",
            "has a malformed `lcmbench.benchmarks.b.flags`; it is ignored",
        ]
    );
    assert!(read("null").0.is_none() && read("[]").1.len() == 1);
}

#[test]
fn every_kind_has_its_word() {
    for kind in [
        FailureKind::Exception,
        FailureKind::SetupCache,
        FailureKind::Interrupted,
    ] {
        assert_eq!(FailureKind::of_word(kind.word()), Some(kind));
    }
    assert_eq!(FailureKind::of_word("other"), None);
}
