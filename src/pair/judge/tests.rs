//! Each thing that must reject a scenario does, and nothing else.

use super::*;
use crate::json::{Object, parse};
use crate::pair::answer::Probe;
use crate::pair::npy;
use crate::pair::options::{CacheState, Precision};
use crate::pair::parity::Tolerance;
use crate::pair::summary::VoidPair;

const HLO: &str = "HloModule m\n\nENTRY %main (p: f32[2]) -> f32[2] {\n  %p = f32[2]{0} parameter(0)\n  \
                   ROOT %n = f32[2]{0} negate(%p)\n}\n";

/// What a process of the scenario leaves, to be spoilt in one place.
#[derive(Clone)]
struct Planted {
    json: String,
    values: Vec<u8>,
    descr: &'static str,
    hlo: Option<String>,
    /// What was remarkable about the GPU.
    flag: Option<&'static str>,
}

impl Planted {
    fn sound(seconds: f64) -> Self {
        let json = format!(
            r#"{{"seconds": {{"build": 0.1, "first": 0.2, "samples": [{seconds}, {}]}},
            "outputs": [{{"path": ".", "shape": [2], "dtype": "float32", "sharding": "one", "file": "outputs/000.npy"}}],
            "cores": [{{"name": "value", "file": "cores/000.hlo.txt", "memory": {{"temp_size_in_bytes": 8}}, "cost": null, "layouts": {{}}}}],
            "memory": {{"host_peak_bytes": 1000, "device_peak": {{"status": "not applicable"}}}},
            "declarations": {{"value": {{"streamed": true}}}}, "environment": {{}}}}"#,
            2.0 * seconds
        );
        Self {
            json,
            values: [1.0_f32, 2.0]
                .iter()
                .flat_map(|x| x.to_le_bytes())
                .collect(),
            descr: "<f4",
            hlo: Some(HLO.to_owned()),
            flag: None,
        }
    }

    fn with(mut self, old: &str, new: &str) -> Self {
        assert!(self.json.contains(old), "{old}");
        self.json = self.json.replace(old, new);
        self
    }
}

struct Place {
    _folder: tempfile::TempDir,
    raw: Raw,
    run: Run,
}

fn entry() -> ScenarioEntry {
    ScenarioEntry {
        name: "s".to_owned(),
        backends: vec![Backend::Cpu, Backend::Gpu],
        cpu_devices: None,
        expects: [("value".to_owned(), serde_json::json!({"streamed": true}))].into(),
        tolerance: Tolerance::default(),
        forbid_collectives: true,
    }
}

fn place(repeats: usize, backend: Backend) -> Place {
    let folder = tempfile::tempdir().unwrap();
    let hash = "0".repeat(40);
    let options = PairOptions {
        base_checkout: "/b".into(),
        base_revision: hash.clone(),
        head_checkout: "/h".into(),
        head_revision: hash.clone(),
        harness_checkout: "/x".into(),
        harness_revision: hash,
        precision: Precision::Single,
        backend,
        repeats,
        scenarios: vec!["s".to_owned()],
        scenario_files: Vec::new(),
        sources: Vec::new(),
        lock_files: Vec::new(),
        package: None,
        base_python: Vec::new(),
        head_python: Vec::new(),
        python_path: Vec::new(),
        cache: CacheState::Cold,
        seed: 0,
        samples: 2,
        seconds: 1.0,
        timeout: 1.0,
        allow_different_jaxlib: false,
    };
    let run = Run {
        version: 1,
        options,
        scenarios: vec![entry()],
        base: Probe::default(),
        head: Probe::default(),
        gpu: std::collections::BTreeMap::new(),
    };
    let raw = Raw::create(&folder.path().join("out"), &run).unwrap();
    Place {
        _folder: folder,
        raw,
        run,
    }
}

impl Place {
    fn put(&self, repeat: usize, side: Role, planted: &Planted) {
        let folder = self.raw.clear("s", repeat, side).unwrap();
        fs::create_dir_all(folder.join("outputs")).unwrap();
        fs::create_dir_all(folder.join("cores")).unwrap();
        let file = npy::file(planted.descr, &planted.values);
        fs::write(folder.join("outputs/000.npy"), file).unwrap();
        if let Some(hlo) = &planted.hlo {
            fs::write(folder.join("cores/000.hlo.txt"), hlo).unwrap();
        }
        let answer = Record::Measured(parse(&planted.json).unwrap());
        let about = match planted.flag {
            Some(flag) => {
                let gpu = format!(r#"{{"gpu": {{"flags": ["{flag}"]}}}}"#);
                parse(&gpu).unwrap().as_object().unwrap().clone()
            }
            None => Object::new(),
        };
        self.raw.keep(&folder, &answer, about).unwrap();
    }

    fn judge(&self) -> ScenarioSummary {
        judge(&self.raw, &self.run).unwrap().scenarios.remove(0)
    }
}

/// The judgement of two pairs whose head is `head`.
fn judged(backend: Backend, base: &Planted, head: &Planted) -> ScenarioSummary {
    let place = place(2, backend);
    for repeat in 0..2 {
        place.put(repeat, Role::Base, base);
        place.put(repeat, Role::Head, head);
    }
    place.judge()
}

fn on_cpu(head: &Planted) -> ScenarioSummary {
    judged(Backend::Cpu, &Planted::sound(1.0), head)
}

#[track_caller]
fn assert_rejected(summary: &ScenarioSummary, words: &str) {
    assert_eq!(summary.status, Status::Rejected, "{:?}", summary.reasons);
    assert_eq!(summary.reasons.len(), 1, "{:?}", summary.reasons);
    assert!(summary.reasons[0].contains(words), "{:?}", summary.reasons);
}

#[test]
fn sound_evidence_is_accepted_with_its_ratio() {
    let summary = on_cpu(&Planted::sound(1.5));
    assert_eq!(summary.status, Status::Accepted, "{:?}", summary.reasons);
    assert!((summary.time.as_ref().unwrap().ratio - 1.5).abs() < 1e-12);
    assert_eq!(summary.pairs[1].first, "head");
    assert_eq!(summary.cores[0].same_program, Some(true));
    assert!(summary.remarks[0].contains("equal"));
    assert_eq!(summary.memory.device, "not applicable");
}

#[test]
fn a_slow_down_is_found_with_enough_pairs() {
    let place = place(12, Backend::Cpu);
    for repeat in 0..12 {
        place.put(repeat, Role::Base, &Planted::sound(1.0));
        place.put(repeat, Role::Head, &Planted::sound(1.05));
    }
    let time = place.judge().time.unwrap();
    assert_eq!(time.verdict, "slower");
    assert!(time.interval.is_some());
}

#[test]
fn a_wrong_value_is_rejected_with_its_size() {
    let mut head = Planted::sound(1.0);
    head.values = [1.0_f32, 2.5]
        .iter()
        .flat_map(|x| x.to_le_bytes())
        .collect();
    let summary = on_cpu(&head);
    assert_rejected(
        &summary,
        "beyond its tolerance in 1 of 2 values: at most 5.000e-1 absolute",
    );
    assert_eq!(summary.outputs[0].largest_ulp, Some(2_097_152.0));
    head.values = [f32::NAN, 2.0]
        .iter()
        .flat_map(|x| x.to_le_bytes())
        .collect();
    assert_rejected(&on_cpu(&head), "NaN on one side only at 1 places");
}

#[test]
fn shape_dtype_sharding_and_structure_must_agree() {
    let sound = || Planted::sound(1.0);
    assert_rejected(
        &on_cpu(&sound().with("float32", "bfloat16")),
        "the dtype of output .",
    );
    assert_rejected(
        &on_cpu(&sound().with("[2]", "[2, 1]")),
        "the shape of output .",
    );
    assert_rejected(
        &on_cpu(&sound().with(r#""one""#, r#""two""#)),
        "the sharding of output .",
    );
    assert_rejected(
        &on_cpu(&sound().with(r#""path": ".""#, r#""path": "x""#)),
        "another structure",
    );
}

#[test]
fn missing_evidence_is_no_evidence() {
    let sound = || Planted::sound(1.0);
    let mut empty = sound();
    empty.hlo = Some("  \n".to_owned());
    assert_rejected(&on_cpu(&empty), "has no HLO");
    assert_rejected(
        &on_cpu(&sound().with(r#"{"temp_size_in_bytes": 8}"#, "null")),
        "memory of the core",
    );
    assert!(on_cpu(&sound().with("1000", "null")).reasons[0].contains("no host high-water mark"));
    assert!(
        on_cpu(&sound().with(r#"{"status": "not applicable"}"#, "null")).reasons[0]
            .contains("no record that device memory is not applicable")
    );
    let on_gpu = judged(Backend::Gpu, &sound(), &sound());
    assert!(on_gpu.reasons[0].contains("no measured peak of device memory"));
    let peak = sound().with(
        r#"{"status": "not applicable"}"#,
        r#"{"status": "measured", "bytes": 64}"#,
    );
    let on_gpu = judged(Backend::Gpu, &peak, &peak);
    assert_eq!(
        (on_gpu.status, on_gpu.memory.device_ratio),
        (Status::Accepted, Some(1.0))
    );
}

#[test]
fn a_lost_or_changed_declaration_is_rejected() {
    let sound = || Planted::sound(1.0);
    assert_rejected(
        &on_cpu(&sound().with(r#"{"value": {"streamed": true}}"#, "{}")),
        "declares nothing",
    );
    assert_rejected(
        &on_cpu(&sound().with("true", "false")),
        r#"head declares {"streamed":false}"#,
    );
    // What base declared before is said, and rejects nothing.
    let summary = judged(Backend::Cpu, &sound().with("true", "false"), &sound());
    assert_eq!(summary.status, Status::Accepted);
    assert!(
        summary
            .remarks
            .iter()
            .any(|remark| remark.starts_with("base declares"))
    );
}

#[test]
fn a_collective_is_rejected_where_it_is_forbidden() {
    let mut head = Planted::sound(1.0);
    head.hlo = Some(HLO.replace("negate(%p)", "all-reduce-start(%p), to_apply=%a"));
    let summary = on_cpu(&head);
    assert_rejected(
        &summary,
        "communicates, which this scenario forbids: 1 all-reduce-start",
    );
    assert_eq!(
        (summary.cores[0].lines_added, summary.cores[0].lines_removed),
        (1, 1)
    );
    assert!(summary.cores[0].diff.is_some());
    // In base it is no matter.
    let summary = judged(Backend::Cpu, &head, &Planted::sound(1.0));
    assert_eq!(summary.status, Status::Accepted, "{:?}", summary.reasons);
}

#[test]
fn failures_and_missing_pairs_are_told_apart() {
    let place = place(2, Backend::Cpu);
    place.put(0, Role::Base, &Planted::sound(1.0));
    place.put(0, Role::Head, &Planted::sound(1.0));
    let summary = place.judge();
    assert_eq!(
        (summary.status, summary.pairs.len()),
        (Status::Unfinished, 1)
    );
    let folder = place.raw.clear("s", 1, Role::Base).unwrap();
    let failed = Record::Failed {
        reason: "ValueError: no".to_owned(),
        details: String::new(),
    };
    place.raw.keep(&folder, &failed, Object::new()).unwrap();
    let summary = place.judge();
    assert_eq!(summary.status, Status::Failed);
    assert_eq!(summary.reasons, ["base failed in repeat 1: ValueError: no"]);
}

#[test]
fn disturbed_pairs_count_for_no_time_and_that_is_said() {
    let place = place(3, Backend::Cpu);
    let hot = Planted {
        flag: Some("throttled"),
        ..Planted::sound(9.0)
    };
    // The first is undisturbed at the second attempt, the last never.
    place.put(0, Role::Base, &Planted::sound(1.0));
    place.put(0, Role::Head, &hot);
    let reason = place.raw.void("s", 0).unwrap();
    place.raw.put_aside("s", 0, &reason).unwrap();
    assert!(!place.raw.has_pair("s", 0));
    for (repeat, head) in [
        (0, &Planted::sound(1.0)),
        (1, &Planted::sound(1.0)),
        (2, &hot),
    ] {
        place.put(repeat, Role::Base, &Planted::sound(1.0));
        place.put(repeat, Role::Head, head);
    }
    let summary = place.judge();
    assert_eq!(summary.status, Status::Accepted);
    let counted: Vec<usize> = summary.pairs.iter().map(|pair| pair.repeat).collect();
    assert_eq!(counted, [0, 1]);
    assert_eq!(
        summary.voids,
        [
            VoidPair {
                repeat: 0,
                reasons: vec!["throttled on HEAD".to_owned()],
                replaced: true,
            },
            VoidPair {
                repeat: 2,
                reasons: vec!["throttled on HEAD".to_owned()],
                replaced: false,
            }
        ]
    );
    assert_eq!(
        summary.remarks[0],
        "repeat 2 counts for no time: disturbed in every attempt (1), at last throttled on HEAD"
    );
    assert_eq!(summary.time.unwrap().verdict, "inconclusive");
    // With two of three given up there is no verdict on the time.
    place.put(1, Role::Base, &hot);
    assert_eq!(place.judge().time.unwrap().verdict, "disturbed");
    // And one side alone at its power limit is a disturbance, too.
    let capped = Planted {
        flag: Some("power-capped"),
        ..Planted::sound(1.0)
    };
    place.put(0, Role::Base, &capped);
    assert_eq!(
        place.raw.void("s", 0).unwrap(),
        "power-capped on the base alone"
    );
    assert_eq!(place.judge().time, None);
    place.put(0, Role::Head, &capped);
    assert_eq!(place.raw.void("s", 0), None);
}

#[test]
fn a_core_of_one_side_alone_is_rejected() {
    let head = Planted::sound(1.0).with(r#""name": "value""#, r#""name": "renamed""#);
    let summary = on_cpu(&head);
    assert_eq!(summary.status, Status::Rejected);
    assert_eq!(
        summary.reasons,
        [
            "base has a core `value` and head has none",
            "head has a core `renamed` and base has none"
        ]
    );
}

#[test]
fn a_collective_in_a_later_repeat_is_rejected() {
    let place = place(2, Backend::Cpu);
    let sound = Planted::sound(1.0);
    let mut late = sound.clone();
    late.hlo = Some(HLO.replace("negate(%p)", "all-gather(%p)"));
    for (repeat, head) in [&sound, &late].into_iter().enumerate() {
        place.put(repeat, Role::Base, &sound);
        place.put(repeat, Role::Head, head);
    }
    assert_rejected(&place.judge(), "communicates, which this scenario forbids");
}
