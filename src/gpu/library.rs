//! NVIDIA's management library, loaded at run time.

use std::ffi::OsString;
use std::sync::Arc;

use nvml_wrapper::error::NvmlError;
use nvml_wrapper::{Nvml, cuda_driver_version_major, cuda_driver_version_minor};

use super::device::Device;
use super::reading::{Reading, reading};
use crate::sys::env::Environment;

/// The variable that names another library than the system's.
pub const LIBRARY_VARIABLE: &str = "LCMBENCH_NVML_LIBRARY";

/// What drivers install; the other name is only there with their development files.
const USUAL_NAME: &str = "libnvidia-ml.so.1";

/// Why the management library cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum LibraryError {
    /// There is no such library: the host has no driver of NVIDIA's.
    #[error("there is no management library of NVIDIA's ({name})")]
    Absent {
        name: String,
        #[source]
        source: NvmlError,
    },
    /// The library is there, the driver is not.
    #[error("the driver of NVIDIA's is not loaded")]
    NoDriver,
    /// The library belongs to another version of the driver.
    #[error(
        "the management library and the loaded driver are of different versions; the machine was \
         probably not restarted after an update"
    )]
    Mismatch,
    /// The devices are closed to this user.
    #[error("this user may not talk to the driver of NVIDIA's")]
    NoPermission,
    /// Anything else.
    #[error("the management library of NVIDIA's cannot be used")]
    Other(#[source] NvmlError),
}

impl LibraryError {
    /// Whether there is simply no GPU of NVIDIA's here.
    pub fn is_absence(&self) -> bool {
        matches!(self, Self::Absent { .. } | Self::NoDriver)
    }

    fn of(error: NvmlError, name: &OsString) -> Self {
        match error {
            error @ (NvmlError::LibloadingError(_) | NvmlError::LibraryNotFound) => Self::Absent {
                name: name.to_string_lossy().into_owned(),
                source: error,
            },
            NvmlError::DriverNotLoaded => Self::NoDriver,
            NvmlError::LibRmVersionMismatch => Self::Mismatch,
            NvmlError::NoPermission => Self::NoPermission,
            other => Self::Other(other),
        }
    }
}

/// The open library. It stays open for a whole run: without persistence mode the driver forgets its
/// state between users, and takes seconds to start.
#[derive(Debug, Clone)]
pub struct Library {
    nvml: Arc<Nvml>,
}

impl Library {
    /// Opens what [`LIBRARY_VARIABLE`] names, or the system's.
    pub fn open(environment: &Environment) -> Result<Self, LibraryError> {
        let named = environment.path(LIBRARY_VARIABLE);
        let name = named.map_or_else(|| USUAL_NAME.into(), OsString::from);
        let nvml = Nvml::builder().lib_path(&name).init();
        match nvml {
            Ok(nvml) => Ok(Self {
                nvml: Arc::new(nvml),
            }),
            Err(error) => Err(LibraryError::of(error, &name)),
        }
    }

    /// All GPUs, in the order of their places on the bus. One that cannot be opened is an absence.
    pub fn devices(&self) -> Reading<Vec<Reading<Device>>> {
        let count = reading(self.nvml.device_count())?;
        Ok((0..count)
            .map(|index| Device::open(&self.nvml, index))
            .collect())
    }

    /// What holds for all devices.
    pub fn versions(&self) -> Versions {
        Versions {
            driver: reading(self.nvml.sys_driver_version()),
            library: reading(self.nvml.sys_nvml_version()),
            cuda: reading(self.nvml.sys_cuda_driver_version()).map(|version| {
                let (major, minor) = (
                    cuda_driver_version_major(version),
                    cuda_driver_version_minor(version),
                );
                format!("{major}.{minor}")
            }),
        }
    }
}

/// Versions of driver, library, and the newest CUDA that the driver serves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Versions {
    pub driver: Reading<String>,
    pub library: Reading<String>,
    pub cuda: Reading<String>,
}
