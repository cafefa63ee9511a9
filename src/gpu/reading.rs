//! One value of the management library, or why there is none.

use nvml_wrapper::error::NvmlError;

/// Why a driver does not tell something. Never taken for zero.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Absence {
    /// This device or driver does not have it.
    NotSupported,
    /// Only an administrator may ask.
    NoPermission,
    /// The library is too old to have the call.
    NoSymbol,
    /// The device has fallen off the bus.
    Lost,
    /// Anything else, in the library's words.
    Failed(String),
}

impl Absence {
    pub(super) fn of(error: &NvmlError) -> Self {
        match error {
            NvmlError::NotSupported => Self::NotSupported,
            NvmlError::NoPermission => Self::NoPermission,
            NvmlError::FailedToLoadSymbol(_) | NvmlError::FunctionNotFound => Self::NoSymbol,
            NvmlError::GpuLost | NvmlError::ResetRequired => Self::Lost,
            other => Self::Failed(other.to_string()),
        }
    }

    /// The words of the record.
    pub fn words(&self) -> &str {
        match self {
            Self::NotSupported => "not supported",
            Self::NoPermission => "no permission",
            Self::NoSymbol => "the library does not have the call",
            Self::Lost => "the GPU is lost",
            Self::Failed(words) => words,
        }
    }
}

/// A value, or why it is not known.
pub type Reading<T> = Result<T, Absence>;

/// Turns the wrapper's error into an absence.
pub(super) fn reading<T>(result: Result<T, NvmlError>) -> Reading<T> {
    result.map_err(|error| Absence::of(&error))
}
