//! The GPUs of a run, opened.

use super::choice::{Candidate, Choice, ChoiceError, Wanted, choose};
use super::device::{Device, Target};
use super::library::{Library, LibraryError, Versions};
use super::reading::Absence;
use super::stack::can_use_gpu;
use crate::sys::env::Environment;

/// Why the GPUs cannot be had.
#[derive(Debug, thiserror::Error)]
pub enum GpuError {
    /// GPUs were asked for, and the library cannot be used.
    #[error(transparent)]
    Library(#[from] LibraryError),
    #[error(transparent)]
    Choice(#[from] ChoiceError),
    /// The library works, but does not even count the GPUs.
    #[error("the GPUs cannot be listed: {}", .0.words())]
    List(Absence),
    /// The one that is wanted cannot be opened.
    #[error("GPU {index} cannot be opened: {}", .absence.words())]
    Open { index: usize, absence: Absence },
}

/// The GPUs of a run; none for one that needs none.
#[derive(Debug, Clone, Default)]
pub struct Selection {
    pub targets: Vec<Target>,
    pub versions: Option<Versions>,
    /// The value of `CUDA_VISIBLE_DEVICES` for the benchmarks, where it is not the user's own.
    pub show: Option<String>,
    pub warnings: Vec<String>,
    /// Why there is none.
    pub none: Option<String>,
    /// Keeps the library open.
    library: Option<Library>,
}

/// What a selection rests on.
#[derive(Debug, Clone, Copy)]
pub struct Needs<'a> {
    pub wanted: &'a Wanted,
    /// Where the library is found.
    pub own: &'a Environment,
    /// The variables of the benchmarks.
    pub benchmarks: &'a Environment,
    /// Installed distributions of the benchmarks' environment, name to version; `None` where they are
    /// not known, and anything may use a GPU.
    pub packages: Option<&'a std::collections::BTreeMap<String, String>>,
    /// The environment's folder.
    pub prefix: Option<&'a std::path::Path>,
}

impl Selection {
    /// Selects. Where nothing is asked for and nothing can use a GPU, the library is not even opened.
    pub fn of(needs: Needs<'_>) -> Result<Self, GpuError> {
        if *needs.wanted == Wanted::None {
            return Ok(Self::none("GPUs are left alone, as asked"));
        }
        let automatic = *needs.wanted == Wanted::Auto;
        if automatic && let Some(reason) = no_use(&needs) {
            return Ok(Self::none(&reason));
        }
        let library = match Library::open(needs.own) {
            Err(error) if automatic && error.is_absence() => {
                return Ok(Self::none("there is no GPU of NVIDIA's"));
            }
            Err(error) if automatic => {
                // Benchmarks may still run; nobody can say in which state the GPU is.
                let mut none = Self::none("GPUs are not looked at");
                none.warnings
                    .push(format!("{error}; GPUs are neither locked nor watched"));
                return Ok(none);
            }
            other => other?,
        };
        let opened = library.devices().map_err(GpuError::List)?;
        let found: Vec<&Device> = opened.iter().flatten().collect();
        let candidates: Vec<Candidate<'_>> = found.iter().copied().map(candidate).collect();
        let Choice {
            chosen,
            show,
            mut warnings,
            none,
        } = choose(needs.wanted, needs.benchmarks, &candidates)?;
        for (index, device) in opened.iter().enumerate() {
            if let Err(absence) = device {
                if !automatic {
                    let absence = absence.clone();
                    return Err(GpuError::Open { index, absence });
                }
                warnings.push(format!(
                    "GPU {index} cannot be opened: {}; it is left alone",
                    absence.words()
                ));
            }
        }
        Ok(Self {
            targets: chosen
                .into_iter()
                .map(|(gpu, slice)| Target {
                    slice: slice.map(|slice| found[gpu].slices[slice].clone()),
                    device: found[gpu].clone(),
                })
                .collect(),
            versions: Some(library.versions()),
            show,
            warnings,
            none,
            library: Some(library),
        })
    }

    fn none(reason: &str) -> Self {
        Self {
            none: Some(reason.to_owned()),
            ..Self::default()
        }
    }

    /// The open library, if it was needed.
    pub fn library(&self) -> Option<&Library> {
        self.library.as_ref()
    }
}

fn candidate(device: &Device) -> Candidate<'_> {
    Candidate {
        uuid: &device.uuid,
        name: &device.name,
        slices: device
            .slices
            .iter()
            .map(|slice| slice.uuid.as_str())
            .collect(),
        sliced: device.mig == Ok(true),
    }
}

/// Why the benchmarks cannot use a GPU, if they cannot.
fn no_use(needs: &Needs<'_>) -> Option<String> {
    for name in ["JAX_PLATFORMS", "JAX_PLATFORM_NAME"] {
        let value = needs.benchmarks.get(name).unwrap_or_default();
        if value.eq_ignore_ascii_case("cpu") {
            return Some(format!("{name}={value}"));
        }
    }
    let packages = needs.packages?;
    (!can_use_gpu(packages, needs.prefix))
        .then(|| "nothing in the environment can use a GPU of NVIDIA's".to_owned())
}
