//! The schedule: every process fresh, base first on even repeats, head first on odd ones.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

use fs_err as fs;

use crate::json::{Json, Object};

use super::answer::{Answer, ScenarioEntry};
use super::checkout::Role;
use super::error::PairError;
use super::options::{Backend, CacheState, PairOptions};
use super::python::{Python, PythonSide};
use super::raw::{Raw, Record, Run};
use super::watch::PairWatch;

/// Whether head runs first in a repeat.
pub(super) fn head_first(repeat: usize) -> bool {
    !repeat.is_multiple_of(2)
}

/// Something that happened, for who watches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress<'a> {
    /// A pair begins.
    Pair {
        scenario: &'a str,
        repeat: usize,
        repeats: usize,
    },
    /// A pair does not count, and is measured again if `again`.
    Void {
        scenario: &'a str,
        reason: &'a str,
        again: bool,
    },
    /// A process failed.
    Failed {
        scenario: &'a str,
        side: Role,
        reason: &'a str,
    },
}

/// Measures what is missing in the folder, pair by pair, all scenarios once before any a second time. A
/// pair that is there in half is measured anew, and so is one that is void, a few times. Ends early with
/// [`PairError::Interrupted`], and with [`PairError::GpuLost`] where there is nothing left to measure on.
pub fn run_pairs(
    python: &mut Python,
    sides: [&PythonSide; 2],
    raw: &Raw,
    run: &Run,
    watch: &mut PairWatch<'_>,
    tell: &mut dyn FnMut(Progress<'_>),
) -> Result<(), PairError> {
    let mut bench = Bench {
        python,
        sides,
        raw,
        options: &run.options,
        watch,
        tell,
    };
    for repeat in 0..run.options.repeats {
        for entry in &run.scenarios {
            while !raw.is_settled(&entry.name, repeat) {
                if let Some(reason) = raw.void(&entry.name, repeat) {
                    raw.put_aside(&entry.name, repeat, &reason)?;
                }
                bench.pair(entry, repeat)?;
            }
        }
    }
    Ok(())
}

/// What pairs are measured with.
struct Bench<'a, 'w> {
    python: &'a mut Python,
    sides: [&'a PythonSide; 2],
    raw: &'a Raw,
    options: &'a PairOptions,
    watch: &'a mut PairWatch<'w>,
    tell: &'a mut dyn FnMut(Progress<'_>),
}

impl Bench<'_, '_> {
    /// One process of each side.
    fn pair(&mut self, entry: &ScenarioEntry, repeat: usize) -> Result<(), PairError> {
        let scenario = &entry.name;
        (self.tell)(Progress::Pair {
            scenario,
            repeat,
            repeats: self.options.repeats,
        });
        let mut order = self.sides;
        if head_first(repeat) {
            order.reverse();
        }
        for side in order {
            let record = self.process(side, entry, repeat)?;
            if let Record::Failed { reason, .. } = &record {
                (self.tell)(Progress::Failed {
                    scenario,
                    side: side.role,
                    reason,
                });
            }
        }
        if let Some(reason) = self.raw.void(scenario, repeat) {
            (self.tell)(Progress::Void {
                scenario,
                reason: &reason,
                again: !self.raw.is_settled(scenario, repeat),
            });
            if let Some(gpu) = self.watch.lost() {
                return Err(PairError::GpuLost { gpu });
            }
        }
        Ok(())
    }

    /// One process, with its record.
    fn process(
        &mut self,
        side: &PythonSide,
        entry: &ScenarioEntry,
        repeat: usize,
    ) -> Result<Record, PairError> {
        let (raw, options) = (self.raw, self.options);
        let folder = raw.clear(&entry.name, repeat, side.role)?;
        let backend = entry.backend(options.backend);
        let deadline = Duration::from_secs_f64(options.timeout);
        let cache = Cache::new(raw.folder(), side.role, options.cache, &entry.name, repeat);
        let mut variables = variables(options, entry, &cache.folder, raw.folder(), side.role);
        let flags = self.python.variable("XLA_FLAGS");
        variables.extend(device_flags(entry, flags.as_deref()));
        if cache.needs_filling {
            let scratch = raw.folder().join("scratch");
            fs::create_dir_all(&scratch)?;
            let request = request(options, entry, backend, &scratch, 2);
            self.python.ask(side, &variables, &request, deadline)?;
            fs::remove_dir_all(&scratch)?;
        }
        let request = request(options, entry, backend, &folder, options.samples);
        let began = Instant::now();
        let python = &mut *self.python;
        let mut ask = || python.ask(side, &variables, &request, deadline);
        let (answer, gpu) = if backend == Backend::Gpu {
            self.watch.around(side.role, &entry.name, ask)?
        } else {
            (ask()?, None)
        };
        let wall = began.elapsed().as_secs_f64();
        let record = match answer {
            Answer::Done(json) => Record::Measured(json),
            Answer::Refused(reason) => Record::Failed {
                reason,
                details: String::new(),
            },
            Answer::Failed { reason, details } => Record::Failed { reason, details },
        };
        let variables: Object = variables
            .into_iter()
            .map(|(name, value)| (name, value.into()))
            .collect();
        let mut about: Object = [
            ("side".to_owned(), side.role.word().into()),
            ("scenario".to_owned(), entry.name.clone().into()),
            ("repeat".to_owned(), number(repeat)),
            ("backend".to_owned(), backend.word().into()),
            ("wall_seconds".to_owned(), wall.into()),
            ("variables".to_owned(), variables.into()),
        ]
        .into_iter()
        .collect();
        if let Some(gpu) = gpu {
            about.insert("gpu".to_owned(), gpu.into());
        }
        raw.keep(&folder, &record, about)?;
        if options.cache == CacheState::Cold {
            fs::remove_dir_all(&cache.folder).ok();
        }
        Ok(record)
    }
}

fn request(
    options: &PairOptions,
    entry: &ScenarioEntry,
    backend: Backend,
    folder: &Path,
    samples: usize,
) -> Object {
    [
        ("request".to_owned(), "measure".into()),
        ("scenario".to_owned(), entry.name.clone().into()),
        ("precision".to_owned(), options.precision.bits().into()),
        ("seed".to_owned(), options.seed.into()),
        ("backend".to_owned(), backend.word().into()),
        (
            "folder".to_owned(),
            folder.to_string_lossy().into_owned().into(),
        ),
        ("samples".to_owned(), number(samples)),
        ("seconds".to_owned(), options.seconds.into()),
    ]
    .into_iter()
    .collect()
}

fn number(value: usize) -> Json {
    i64::try_from(value).unwrap_or(i64::MAX).into()
}

/// The compile cache of a process.
struct Cache {
    folder: std::path::PathBuf,
    needs_filling: bool,
}

impl Cache {
    fn new(output: &Path, side: Role, state: CacheState, scenario: &str, repeat: usize) -> Self {
        let of_side = output.join("cache").join(side.word());
        match state {
            CacheState::Cold => Self {
                folder: of_side.join(format!("{scenario}-{repeat}")),
                needs_filling: false,
            },
            CacheState::Warm => {
                let folder = of_side.join(scenario);
                Self {
                    needs_filling: !folder.exists(),
                    folder,
                }
            }
        }
    }
}

/// What a process finds in its environment; all of it before JAX is imported. What Python compiles of
/// the checkout goes to the output folder, so that the checkout stays clean.
pub(super) fn variables(
    options: &PairOptions,
    entry: &ScenarioEntry,
    cache: &Path,
    output: &Path,
    side: Role,
) -> BTreeMap<String, String> {
    let text = |path: &Path| path.to_string_lossy().into_owned();
    let mut variables = BTreeMap::from([
        (
            "JAX_ENABLE_X64".to_owned(),
            (options.precision.bits() == 64).to_string(),
        ),
        ("JAX_COMPILATION_CACHE_DIR".to_owned(), text(cache)),
        (
            "JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS".to_owned(),
            "0".to_owned(),
        ),
        (
            "PYTHONPYCACHEPREFIX".to_owned(),
            text(&output.join("bytecode").join(side.word())),
        ),
        // Empty is off: without that folder every process would compile JAX afresh.
        ("PYTHONDONTWRITEBYTECODE".to_owned(), String::new()),
        ("PYTHONHASHSEED".to_owned(), "0".to_owned()),
    ]);
    if entry.backend(options.backend) == Backend::Cpu {
        variables.insert("JAX_PLATFORMS".to_owned(), "cpu".to_owned());
    }
    variables
}

/// The flags that make the CPU devices of a scenario, behind those that the user has set.
fn device_flags(entry: &ScenarioEntry, known: Option<&str>) -> Option<(String, String)> {
    let devices = entry.cpu_devices?;
    let flag = format!("--xla_force_host_platform_device_count={devices}");
    let flags = known.map_or(flag.clone(), |known| format!("{known} {flag}"));
    Some(("XLA_FLAGS".to_owned(), flags.trim_start().to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base_first_on_even_repeats() {
        let order: Vec<bool> = (0..4).map(head_first).collect();
        assert_eq!(order, [false, true, false, true]);
    }

    #[test]
    fn the_devices_of_a_scenario_come_behind_the_flags_of_the_user() {
        let entry = |cpu_devices| ScenarioEntry {
            name: "s".to_owned(),
            backends: vec![Backend::Cpu],
            cpu_devices,
            expects: BTreeMap::new(),
            tolerance: crate::pair::Tolerance::default(),
            forbid_collectives: false,
        };
        let flags = |known| device_flags(&entry(Some(4)), known).unwrap().1;
        assert_eq!(flags(None), "--xla_force_host_platform_device_count=4");
        assert_eq!(
            flags(Some("--xla_a=1")),
            "--xla_a=1 --xla_force_host_platform_device_count=4"
        );
        assert_eq!(device_flags(&entry(None), Some("--xla_a=1")), None);
    }
}
