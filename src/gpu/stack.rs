//! Whether an environment of Python has anything that could use a GPU of NVIDIA's.

use std::collections::BTreeMap;
use std::path::Path;

use fs_err as fs;

/// Beginnings of distributions that bring CUDA or cannot do without it, in the normal form of names.
const BEGINNINGS: [&str; 14] = [
    "jax-cuda",
    "nvidia-",
    "cupy",
    "cuda-",
    "numba-cuda",
    "pycuda",
    "cudf",
    "cuml",
    "rmm",
    "triton",
    "warp-lang",
    "taichi",
    "tensorrt",
    "torch-cuda",
];

/// Distributions of which some builds can and some cannot; those that say `cpu` in their version cannot.
const MIXED: [&str; 3] = ["torch", "tensorflow", "jaxlib"];

/// Of these the plain build cannot: theirs say `cuda` in the version.
const PLAIN: &str = "jaxlib";

/// Packages of conda that bring CUDA's run time.
const CONDA: [&str; 3] = ["cuda-cudart-", "cudatoolkit-", "cuda-nvcc-"];

/// Whether the environment can use a GPU: `packages` are its distributions, `prefix` its folder.
pub(super) fn can_use_gpu(packages: &BTreeMap<String, String>, prefix: Option<&Path>) -> bool {
    packages
        .iter()
        .any(|(name, version)| uses_cuda(name, version))
        || prefix.is_some_and(has_conda_cuda)
}

fn uses_cuda(name: &str, version: &str) -> bool {
    if BEGINNINGS
        .iter()
        .any(|beginning| name.starts_with(beginning))
    {
        // A reader of the counters needs no CUDA.
        return name != "nvidia-ml-py";
    }
    if name == PLAIN {
        return version.contains("cuda");
    }
    MIXED.contains(&name) && !version.contains("cpu")
}

fn has_conda_cuda(prefix: &Path) -> bool {
    let Ok(entries) = fs::read_dir(prefix.join("conda-meta")) else {
        return false;
    };
    entries.flatten().any(|entry| {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        CONDA.iter().any(|beginning| name.starts_with(beginning))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_brings_cuda_counts() {
        let uses = |name: &str, version: &str| {
            can_use_gpu(&[(name.to_owned(), version.to_owned())].into(), None)
        };
        assert!(uses("jax-cuda12-plugin", "0.10.2"));
        assert!(uses("cupy-cuda13x", "14.0"));
        assert!(uses("torch", "2.9.0"));
        assert!(uses("jaxlib", "0.4.29+cuda12.cudnn91"));
        assert!(!uses("torch", "2.9.0+cpu"));
        assert!(!uses("jaxlib", "0.10.2"));
        assert!(!uses("numpy", "2.3.0"));
        assert!(!uses("nvidia-ml-py", "13.0"));
    }

    #[test]
    fn an_environment_of_conda_is_known_by_its_run_time() {
        let prefix = tempfile::tempdir().unwrap();
        let meta = prefix.path().join("conda-meta");
        fs::create_dir(&meta).unwrap();
        fs::write(meta.join("numpy-2.3.0.json"), "{}").unwrap();
        assert!(!can_use_gpu(&BTreeMap::new(), Some(prefix.path())));
        fs::write(meta.join("cuda-cudart-12.9.79.json"), "{}").unwrap();
        assert!(can_use_gpu(&BTreeMap::new(), Some(prefix.path())));
    }
}
