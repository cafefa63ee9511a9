//! The report on the GPUs of this host.

use crate::commands::{CommandError, Context, Exit};
use crate::gpu::{
    Device, Library, Owner, Place, Process, Queue, Reading, State, Target, described, how_long,
    identity, state_record,
};
use crate::json::{Json, Object, to_pretty};
use crate::report::grid::{Align, Grid};

use super::Format;

pub(super) fn run(format: Format, context: &Context) -> Result<Exit, CommandError> {
    let library = match Library::open(&context.environment) {
        Ok(library) => library,
        Err(error) if error.is_absence() => {
            match format {
                Format::Json => context.printer.out("{\"devices\": []}"),
                Format::Table => context.printer.note(&format!(
                    "there is no GPU of NVIDIA's here: {}",
                    chain(&error)
                )),
            }
            return Ok(Exit::Done);
        }
        Err(error) => return Err(CommandError::usage(error)),
    };
    let opened = library.devices().map_err(|absence| {
        CommandError::usage(anyhow::anyhow!(
            "the GPUs cannot be listed: {}",
            absence.words()
        ))
    })?;
    let shown: Vec<Shown> = opened
        .into_iter()
        .enumerate()
        .map(|(index, device)| Shown::of(index, device, context))
        .collect();
    match format {
        Format::Json => context.printer.foreign(&json(&library, &shown)),
        Format::Table => context
            .printer
            .foreign(&text(&library, &shown, context.printer.color)),
    }
    Ok(Exit::Done)
}

/// A GPU, what it does and who has it.
enum Shown {
    There(Box<There>),
    Unusable { index: usize, reason: String },
}

struct There {
    target: Target,
    state: State,
    slices: Vec<(Target, State)>,
    /// Or why it cannot be read.
    queue: Result<Vec<Place>, String>,
}

impl Shown {
    fn of(index: usize, device: Reading<Device>, context: &Context) -> Self {
        match device {
            Err(absence) => Self::Unusable {
                index,
                reason: absence.words().to_owned(),
            },
            Ok(device) => {
                let queue = Queue::of(&device.uuid, &context.environment).places();
                let slices = device.slices.iter().map(|slice| Target {
                    device: device.clone(),
                    slice: Some(slice.clone()),
                });
                let slices = slices
                    .map(|target| {
                        let state = target.state();
                        (target, state)
                    })
                    .collect();
                let target = Target {
                    device,
                    slice: None,
                };
                Self::There(Box::new(There {
                    state: target.state(),
                    slices,
                    target,
                    queue: queue.map_err(|error| chain(&error)),
                }))
            }
        }
    }
}

fn text(library: &Library, shown: &[Shown], color: bool) -> String {
    let mut lines = vec![versions(library)];
    let mut grid = Grid::new([
        ("GPU", Align::Left),
        ("name", Align::Left),
        ("SM clock", Align::Right),
        ("memory in use", Align::Right),
        ("power", Align::Right),
        ("heat", Align::Right),
        ("clocks held by", Align::Left),
    ]);
    for one in shown {
        match one {
            Shown::There(there) => {
                let There { target, state, .. } = &**there;
                grid.push(
                    [
                        target.device.index.to_string(),
                        target.device.name.clone(),
                        clock(state, target),
                        memory(state, target),
                        said(&state.power, |milliwatts| {
                            format!("{} W", milliwatts / 1000)
                        }),
                        said(&state.temperature, |celsius| format!("{celsius} °C")),
                        said(&state.reasons, |reasons| reasons.names().join(", ")),
                    ],
                    None,
                );
            }
            Shown::Unusable { index, reason } => {
                grid.push([index.to_string(), reason.clone()], None);
            }
        }
    }
    lines.push(grid.render(color));
    for one in shown {
        if let Shown::There(there) = one {
            let There {
                target,
                state,
                slices,
                queue,
            } = &**there;
            lines.push(String::new());
            lines.push(format!(
                "GPU {}: {}",
                target.device.index, target.device.uuid
            ));
            lines.extend(holders(queue));
            if slices.is_empty() {
                lines.push(format!("  computing: {}", computing(state)));
            }
            for (slice, state) in slices {
                let number = slice.slice.as_ref().map_or(0, |slice| slice.index);
                lines.push(format!(
                    "  slice {number}, {}: computing: {}",
                    slice.uuid(),
                    computing(state)
                ));
            }
        }
    }
    if shown.is_empty() {
        lines.push("the driver sees no GPU".to_owned());
    }
    lines.join("\n")
}

fn versions(library: &Library) -> String {
    let versions = library.versions();
    format!(
        "driver {}, CUDA {}",
        said(&versions.driver, Clone::clone),
        said(&versions.cuda, Clone::clone)
    )
}

fn clock(state: &State, target: &Target) -> String {
    let now = said(&state.sm_clock, ToString::to_string);
    match &target.device.max_sm_clock {
        Ok(most) => format!("{now} of {most} MHz"),
        Err(_) => format!("{now} MHz"),
    }
}

fn memory(state: &State, target: &Target) -> String {
    let used = said(&state.memory_used, |bytes| gigabytes(*bytes));
    match &target.device.memory {
        Ok(all) => format!("{used} of {}", gigabytes(*all)),
        Err(_) => used,
    }
}

#[expect(
    clippy::cast_precision_loss,
    reason = "one decimal of an amount of memory is shown"
)]
fn gigabytes(bytes: u64) -> String {
    format!("{:.1} GiB", bytes as f64 / (1_u64 << 30) as f64)
}

/// Who has it and who waits.
fn holders(queue: &Result<Vec<Place>, String>) -> Vec<String> {
    let places = match queue {
        Ok(places) => places,
        Err(reason) => return vec![format!("  the queue cannot be read: {reason}")],
    };
    let mut lines = Vec::new();
    for (position, place) in places.iter().enumerate() {
        let holder = &place.holder;
        lines.push(match (position, holder.holding_since) {
            (0, Some(since)) => format!("  held by {}, {}", holder.sentence(), how_long(since)),
            (0, None) => format!("  next is {}", holder.sentence()),
            (position, _) => format!(
                "  {position}. in the queue: {}, {}",
                holder.sentence(),
                how_long(holder.waiting_since)
            ),
        });
    }
    if lines.is_empty() {
        lines.push("  nobody holds it".to_owned());
    }
    lines
}

fn computing(state: &State) -> String {
    match &state.processes {
        Err(absence) => absence.words().to_owned(),
        Ok(processes) if processes.is_empty() => "nobody".to_owned(),
        Ok(processes) => {
            let names: Vec<String> = processes.iter().map(process).collect();
            names.join(", ")
        }
    }
}

fn process(process: &Process) -> String {
    match process.owner {
        Owner::Unknown => format!("{}, which cannot be seen from here", described(process)),
        Owner::Ours | Owner::Foreign => described(process),
    }
}

/// A value, or why there is none.
fn said<T>(reading: &Reading<T>, of: impl Fn(&T) -> String) -> String {
    match reading {
        Ok(value) => of(value),
        Err(absence) => format!("({})", absence.words()),
    }
}

fn json(library: &Library, shown: &[Shown]) -> String {
    let versions = library.versions();
    let mut report = Object::new();
    for (key, version) in [
        ("driver", &versions.driver),
        ("cuda", &versions.cuda),
        ("library", &versions.library),
    ] {
        let value = version
            .as_ref()
            .map_or(Json::Null, |text| text.clone().into());
        report.insert(key.to_owned(), value);
    }
    let devices: Vec<Json> = shown.iter().map(device_json).collect();
    report.insert("devices".to_owned(), devices.into());
    to_pretty(&report.into())
}

fn device_json(shown: &Shown) -> Json {
    let mut device = Object::new();
    match shown {
        Shown::Unusable { index, reason } => {
            let index = i64::try_from(*index).unwrap_or(i64::MAX);
            device.insert("index".to_owned(), index.into());
            device.insert("unusable".to_owned(), reason.clone().into());
        }
        Shown::There(there) => {
            let There {
                target,
                state,
                slices,
                queue,
            } = &**there;
            device = identity(target);
            device.insert("state".to_owned(), state_record(state).into());
            if !slices.is_empty() {
                let slices: Vec<Json> = slices
                    .iter()
                    .map(|(target, state)| {
                        let mut slice = identity(target);
                        slice.insert("state".to_owned(), state_record(state).into());
                        slice.into()
                    })
                    .collect();
                device.insert("slices".to_owned(), slices.into());
            }
            let queue = match queue {
                Ok(places) => places
                    .iter()
                    .map(|place| place.holder.to_object().into())
                    .collect::<Vec<Json>>()
                    .into(),
                Err(reason) => reason.clone().into(),
            };
            device.insert("queue".to_owned(), queue);
        }
    }
    device.into()
}

/// An error with its causes.
fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text = format!("{text}: {error}");
        cause = error.source();
    }
    text
}
