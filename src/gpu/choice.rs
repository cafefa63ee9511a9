//! Which GPUs a run is about: what `--gpu` says, what CUDA shows to the benchmarks, what there is.

use crate::sys::env::Environment;

/// CUDA shows only these devices to a process.
const VISIBLE: &str = "CUDA_VISIBLE_DEVICES";

/// Says in which order CUDA counts; by default the fastest device comes first.
const ORDER: &str = "CUDA_DEVICE_ORDER";

/// What the user wants of the GPUs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Wanted {
    /// Those that CUDA shows to the benchmarks, if the environment can use any.
    #[default]
    Auto,
    /// Leave GPUs alone.
    None,
    /// All that there are, whatever CUDA shows.
    All,
    /// These: numbers in the order of the bus (`0`, `1:2` for slice 2 of GPU 1), or UUIDs or beginnings
    /// of them.
    Named(Vec<String>),
}

impl Wanted {
    /// Reads `auto`, `none`, `all`, or a list with commas.
    pub fn parse(text: &str) -> Self {
        match text.trim() {
            "" | "auto" => Self::Auto,
            "none" => Self::None,
            "all" => Self::All,
            list => Self::Named(
                list.split(',')
                    .map(|word| word.trim().to_owned())
                    .filter(|word| !word.is_empty())
                    .collect(),
            ),
        }
    }
}

/// What is needed of a GPU to choose among several.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Candidate<'a> {
    pub(super) uuid: &'a str,
    pub(super) name: &'a str,
    /// UUIDs of its slices; empty where it is whole.
    pub(super) slices: Vec<&'a str>,
    pub(super) sliced: bool,
}

/// A chosen GPU, and perhaps a slice of it, by their positions.
pub(super) type Chosen = (usize, Option<usize>);

/// What was chosen.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Choice {
    /// Ascending, each once.
    pub(super) chosen: Vec<Chosen>,
    /// The value of `CUDA_VISIBLE_DEVICES` that shows just these to the benchmarks; `None` where it
    /// stays as it is.
    pub(super) show: Option<String>,
    pub(super) warnings: Vec<String>,
    /// Why none is chosen.
    pub(super) none: Option<String>,
}

/// Why `--gpu` cannot be followed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ChoiceError {
    /// No device of this name.
    #[error("there is no GPU `{0}`; `lcmbench gpu` lists what there is")]
    Unknown(String),
    /// A beginning of several UUIDs.
    #[error("`{0}` is the beginning of the names of several GPUs; give more of it")]
    Ambiguous(String),
    /// A GPU in slices, of which one must be named.
    #[error("GPU `{0}` is cut into slices; name one of them, for example `{0}:0`")]
    Sliced(String),
}

/// Chooses. `environment` is that of the benchmarks.
pub(super) fn choose(
    wanted: &Wanted,
    environment: &Environment,
    there: &[Candidate<'_>],
) -> Result<Choice, ChoiceError> {
    match wanted {
        Wanted::None => Ok(nothing("GPUs are left alone, as asked")),
        Wanted::All => Ok(shown(all(there), there)),
        Wanted::Named(names) => {
            let mut chosen = Vec::new();
            for name in names {
                chosen.push(named(name, there)?);
            }
            Ok(shown(chosen, there))
        }
        Wanted::Auto => Ok(visible(environment, there)),
    }
}

fn nothing(reason: &str) -> Choice {
    Choice {
        none: Some(reason.to_owned()),
        ..Choice::default()
    }
}

/// The devices, and the list that shows them in this order.
fn shown(chosen: Vec<Chosen>, there: &[Candidate<'_>]) -> Choice {
    let names: Vec<&str> = chosen
        .iter()
        .map(|(gpu, slice)| match slice {
            Some(slice) => there[*gpu].slices[*slice],
            None => there[*gpu].uuid,
        })
        .collect();
    Choice {
        show: Some(names.join(",")),
        chosen: sorted(chosen),
        ..Choice::default()
    }
}

fn sorted(mut chosen: Vec<Chosen>) -> Vec<Chosen> {
    chosen.sort_unstable();
    chosen.dedup();
    chosen
}

/// Every whole GPU, and the first slice of every other one.
fn all(there: &[Candidate<'_>]) -> Vec<Chosen> {
    (0..there.len())
        .map(|gpu| (gpu, first_slice(&there[gpu])))
        .collect()
}

fn first_slice(gpu: &Candidate<'_>) -> Option<usize> {
    (gpu.sliced && !gpu.slices.is_empty()).then_some(0)
}

/// The device that a word of `--gpu` names.
fn named(word: &str, there: &[Candidate<'_>]) -> Result<Chosen, ChoiceError> {
    let unknown = || ChoiceError::Unknown(word.to_owned());
    let (gpu, slice) = word.split_once(':').unwrap_or((word, ""));
    if let Ok(gpu) = gpu.parse::<usize>() {
        let candidate = there.get(gpu).ok_or_else(unknown)?;
        if slice.is_empty() {
            return match candidate.slices.len() {
                0 => Ok((gpu, None)),
                1 => Ok((gpu, Some(0))),
                _ => Err(ChoiceError::Sliced(word.to_owned())),
            };
        }
        let slice: usize = slice.parse().map_err(|_| unknown())?;
        return match candidate.slices.get(slice) {
            Some(_) => Ok((gpu, Some(slice))),
            None => Err(unknown()),
        };
    }
    let found = by_uuid(word, there);
    match found.as_slice() {
        [] => Err(unknown()),
        [only] => match (only, &there[only.0]) {
            ((_, None), candidate) if candidate.slices.len() > 1 => {
                Err(ChoiceError::Sliced(word.to_owned()))
            }
            ((gpu, None), candidate) => Ok((*gpu, first_slice(candidate))),
            (slice, _) => Ok(*slice),
        },
        _ => Err(ChoiceError::Ambiguous(word.to_owned())),
    }
}

/// The devices and slices whose UUID begins like this.
fn by_uuid(word: &str, there: &[Candidate<'_>]) -> Vec<Chosen> {
    let mut found = Vec::new();
    for (gpu, candidate) in there.iter().enumerate() {
        if !word.is_empty() && candidate.uuid.starts_with(word) {
            found.push((gpu, None));
        }
        for (slice, uuid) in candidate.slices.iter().enumerate() {
            if !word.is_empty() && uuid.starts_with(word) {
                found.push((gpu, Some(slice)));
            }
        }
    }
    found
}

/// What CUDA shows: the words up to the first that it does not know. A process sees one slice at most.
fn visible(environment: &Environment, there: &[Candidate<'_>]) -> Choice {
    if there.is_empty() {
        return nothing("there is no GPU of NVIDIA's");
    }
    if !environment.is_set(VISIBLE) {
        return of_cuda(all(there), there);
    }
    let Some(list) = environment.get(VISIBLE) else {
        return nothing("CUDA_VISIBLE_DEVICES shows no GPU");
    };
    let mut chosen: Vec<Chosen> = Vec::new();
    let mut by_number = false;
    for word in list.split(',').map(str::trim) {
        let device = match word.parse::<usize>() {
            Ok(number) if number < there.len() => {
                by_number = true;
                Some((number, first_slice(&there[number])))
            }
            Ok(_) => None,
            Err(_) => match by_uuid(word, there).as_slice() {
                [only] => Some(match only {
                    (gpu, None) => (*gpu, first_slice(&there[*gpu])),
                    slice => *slice,
                }),
                _ => None,
            },
        };
        match device {
            Some(device) if !chosen.contains(&device) => chosen.push(device),
            _ => break,
        }
    }
    if chosen.is_empty() {
        return nothing(&format!("CUDA_VISIBLE_DEVICES={list} shows no GPU"));
    }
    if by_number && numbers_mislead(environment, there) {
        return Choice {
            chosen: all(there),
            warnings: vec![format!(
                "CUDA_VISIBLE_DEVICES={list} counts the GPUs in CUDA's own order, which puts the \
                 fastest first, and they are of different kinds: all are taken. \
                 CUDA_DEVICE_ORDER=PCI_BUS_ID or `--gpu` says which are meant"
            )],
            ..Choice::default()
        };
    }
    of_cuda(sorted(chosen), there)
}

/// CUDA gives a process either whole GPUs or one slice.
fn of_cuda(mut chosen: Vec<Chosen>, there: &[Candidate<'_>]) -> Choice {
    if chosen.iter().any(|(_, slice)| slice.is_some()) {
        chosen.retain(|(_, slice)| slice.is_some());
        chosen.truncate(1);
    }
    chosen.retain(|(gpu, slice)| slice.is_some() || !there[*gpu].sliced);
    if chosen.is_empty() {
        return nothing("the GPU is set up for slices (MIG), and has none");
    }
    Choice {
        chosen,
        ..Choice::default()
    }
}

/// Whether CUDA may count in another order than the bus.
fn numbers_mislead(environment: &Environment, there: &[Candidate<'_>]) -> bool {
    environment.get(ORDER) != Some("PCI_BUS_ID")
        && there
            .iter()
            .any(|candidate| candidate.name != there[0].name)
}

#[cfg(test)]
mod tests;
