//! Whether both sides of a pair computed the same.

use fs_err as fs;

use crate::pair::evidence::Leaf;
use crate::pair::npy;
use crate::pair::parity::{LeafParity, differences};

use super::{Judged, Process};

impl Judged<'_> {
    pub(super) fn outputs(&mut self, base: &Process, head: &Process) {
        let paths = |process: &Process| -> Vec<String> {
            let outputs = process.measured.outputs.iter();
            outputs.map(|leaf| leaf.path.clone()).collect()
        };
        let (base_paths, head_paths) = (paths(base), paths(head));
        if base_paths != head_paths {
            let only = |these: &[String], others: &[String]| -> String {
                let only: Vec<&str> = these
                    .iter()
                    .filter(|path| !others.contains(path))
                    .map(String::as_str)
                    .collect();
                if only.is_empty() {
                    "none".to_owned()
                } else {
                    only.join(", ")
                }
            };
            self.reject(format!(
                "the outputs have another structure: only base has {}, only head has {}",
                only(&base_paths, &head_paths),
                only(&head_paths, &base_paths)
            ));
        }
        for leaf in &base.measured.outputs {
            let other = head
                .measured
                .outputs
                .iter()
                .find(|other| other.path == leaf.path);
            if let Some(other) = other {
                self.leaf((base, leaf), (head, other));
            }
        }
    }

    fn leaf(&mut self, base: (&Process, &Leaf), head: (&Process, &Leaf)) {
        let ((base_process, base), (head_process, head)) = (base, head);
        let path = &base.path;
        let mut comparable = true;
        if base.shape != head.shape {
            comparable = false;
            self.reject(format!(
                "the shape of output {path} is {:?} in base and {:?} in head",
                base.shape, head.shape
            ));
        }
        if base.dtype != head.dtype {
            comparable = false;
            self.reject(format!(
                "the dtype of output {path} is {} in base and {} in head",
                base.dtype, head.dtype
            ));
        }
        if base.sharding != head.sharding {
            self.reject(format!(
                "the sharding of output {path} is `{}` in base and `{}` in head",
                base.sharding, head.sharding
            ));
        }
        if !comparable {
            return;
        }
        let read = |process: &Process, leaf: &Leaf| {
            let file = self.raw.folder().join(&process.folder).join(&leaf.file);
            let bytes = fs::read(file).map_err(|error| error.to_string())?;
            npy::read(&bytes, &leaf.dtype).map_err(|error| error.to_string())
        };
        let found = read(base_process, base)
            .and_then(|base| Ok((base, read(head_process, head)?)))
            .and_then(|(base, head)| {
                let tolerance = self.entry.tolerance;
                differences(&base, &head, tolerance)
                    .ok_or_else(|| "both sides hold different numbers of values".to_owned())
            });
        let found = match found {
            Ok(found) => found,
            Err(reason) => {
                self.reject(format!(
                    "the values of output {path} cannot be compared: {reason}"
                ));
                return;
            }
        };
        if found.beyond > 0 {
            let ulp = found
                .ulp
                .map_or(String::new(), |ulp| format!(", {ulp:.0} ULP"));
            let nan = if found.nan_mismatches > 0 {
                format!("; NaN on one side only at {} places", found.nan_mismatches)
            } else {
                String::new()
            };
            self.reject(format!(
                "output {path} differs beyond its tolerance in {} of {} values: at most {:.3e} \
                 absolute, {:.3e} relative{ulp}{nan}",
                found.beyond, found.elements, found.absolute, found.relative
            ));
        }
        let finite = |value: f64| if value.is_finite() { value } else { f64::MAX };
        let parity = LeafParity {
            path: path.clone(),
            shape: base.shape.clone(),
            dtype: base.dtype.clone(),
            sharding: base.sharding.clone(),
            within: found.beyond == 0,
            largest_absolute: finite(found.absolute),
            largest_relative: finite(found.relative),
            largest_ulp: found.ulp.map(finite),
            nan_mismatches: found.nan_mismatches,
            beyond: found.beyond,
            elements: found.elements,
        };
        // Of all repeats the one that differs most is shown.
        match self
            .summary
            .outputs
            .iter_mut()
            .find(|known| known.path == *path)
        {
            Some(known)
                if known.largest_absolute < parity.largest_absolute
                    || known.beyond < parity.beyond =>
            {
                *known = parity;
            }
            Some(_) => {}
            None => self.summary.outputs.push(parity),
        }
    }
}
