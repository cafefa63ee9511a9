//! What is checked before a pair is measured, and the folder that it goes into.

use std::collections::BTreeMap;
use std::path::Path;

use crate::commands::gpu_use::GpuUse;
use crate::commands::{CommandError, Context};
use crate::config::Settings;
use crate::pair::{
    Backend, Checkout, PairError, PairOptions, Probe, Python, Raw, Role, Run, ScenarioEntry, agree,
    check_apart, check_output,
};

use super::arguments::Arguments;
use super::{checks, of_pair, options};

/// What is measured with.
pub(super) struct Host<'a> {
    pub(super) python: Python,
    pub(super) gpu: GpuUse,
    pub(super) settings: &'a Settings,
    pub(super) context: &'a Context,
}

/// Checks everything, in the order of its cost, and makes the output folder.
pub(super) fn begin(
    arguments: &Arguments,
    host: &mut Host<'_>,
) -> Result<(Raw, Run), CommandError> {
    let output = arguments.output(&host.context.directory)?;
    let mut asked = options::options(arguments, host.settings, host.context)?;
    let checked = check(&asked)?;
    let output = check_output(&output, &[&checked.base, &checked.head, &checked.harness])
        .map_err(of_pair)?;
    let (entries, base, head) = probe(&asked, &checked, host)?;
    let chosen = checks::choose(&entries, &arguments.scenario, asked.backend).map_err(of_pair)?;
    asked.scenarios = chosen.iter().map(|entry| entry.name.clone()).collect();
    let run = Run {
        version: 1,
        options: asked,
        scenarios: chosen,
        base,
        head,
        gpu: gpu_facts(&host.gpu),
    };
    let raw = Raw::create(&output, &run).map_err(of_pair)?;
    Ok((raw, run))
}

/// Takes revisions and options from the folder, and checks them again.
pub(super) fn resume(raw: Raw, run: Run, host: &mut Host<'_>) -> Result<(Raw, Run), CommandError> {
    let folder = raw.folder();
    let checked = check(&run.options)?;
    let (entries, base, head) = probe(&run.options, &checked, host)?;
    let same = |old: &Probe, new: &Probe| {
        (&old.python, &old.jax, &old.jaxlib) == (&new.python, &new.jax, &new.jaxlib)
    };
    if !same(&run.base, &base) || !same(&run.head, &head) {
        return Err(CommandError::usage(anyhow::anyhow!(
            "the interpreter, jax or jaxlib of a side is another than when {} was begun; begin anew \
             with another --output",
            folder.display()
        )));
    }
    check_gpu(&run.gpu, &gpu_facts(&host.gpu)).map_err(of_pair)?;
    let known = |entry: &ScenarioEntry| entries.contains(entry);
    if let Some(changed) = run.scenarios.iter().find(|entry| !known(entry)) {
        return Err(CommandError::usage(anyhow::anyhow!(
            "scenario `{}` is not the one that {} was begun with; begin anew with another --output",
            changed.name,
            folder.display()
        )));
    }
    Ok((raw, run))
}

struct Checked {
    base: Checkout,
    head: Checkout,
    harness: Checkout,
}

fn check(asked: &PairOptions) -> Result<Checked, CommandError> {
    let open = |role, folder: &Path, revision: &str| {
        Checkout::open(role, folder, revision).map_err(of_pair)
    };
    let checked = Checked {
        base: open(Role::Base, &asked.base_checkout, &asked.base_revision)?,
        head: open(Role::Head, &asked.head_checkout, &asked.head_revision)?,
        harness: open(
            Role::Harness,
            &asked.harness_checkout,
            &asked.harness_revision,
        )?,
    };
    check_apart(&checked.base, &checked.head, &checked.harness).map_err(of_pair)?;
    let others = [&checked.base, &checked.head];
    agree(&checked.harness, others, &asked.lock_files, &asked.sources).map_err(of_pair)?;
    Ok(checked)
}

/// Kind, UUID and driver of the GPUs that are measured on.
fn gpu_facts(gpu: &GpuUse) -> BTreeMap<String, String> {
    gpu.fingerprint()
        .into_iter()
        .filter_map(|(key, value)| Some((key, value.as_str()?.to_owned())))
        .collect()
}

/// A run is gone on with on the GPUs that it was begun on.
fn check_gpu(
    before: &BTreeMap<String, String>,
    now: &BTreeMap<String, String>,
) -> Result<(), PairError> {
    let what = before.keys().chain(now.keys());
    let Some(what) = what
        .into_iter()
        .find(|what| before.get(*what) != now.get(*what))
    else {
        return Ok(());
    };
    let value = |facts: &BTreeMap<String, String>| match facts.get(what) {
        Some(value) => value.clone(),
        None => "none".to_owned(),
    };
    Err(PairError::OtherGpu {
        what: what.clone(),
        before: value(before),
        now: value(now),
    })
}

/// Asks both interpreters who they are and what they would import, and which scenarios there are. Waits
/// for the GPUs where any of these runs on one, before anything of it is touched.
fn probe(
    asked: &PairOptions,
    checked: &Checked,
    host: &mut Host<'_>,
) -> Result<(Vec<ScenarioEntry>, Probe, Probe), CommandError> {
    let python = &mut host.python;
    let [base_side, head_side] = options::sides(asked);
    let quiet = BTreeMap::from([("PYTHONDONTWRITEBYTECODE".to_owned(), "1".to_owned())]);
    let base = python.probe(&base_side, &quiet).map_err(of_pair)?;
    let head = python.probe(&head_side, &quiet).map_err(of_pair)?;
    for (side, probe, checkout) in [
        (&base_side, &base, &checked.base),
        (&head_side, &head, &checked.head),
    ] {
        checks::check_package(side, probe, checkout).map_err(of_pair)?;
    }
    checks::check_jax(&base, &head, asked.allow_different_jaxlib).map_err(of_pair)?;
    let entries = python
        .scenarios(&head_side, asked.precision.bits())
        .map_err(of_pair)?;
    let wanted = |entry: &&ScenarioEntry| {
        asked.scenarios.is_empty() || asked.scenarios.contains(&entry.name)
    };
    let on_gpu = entries
        .iter()
        .filter(wanted)
        .any(|entry| entry.backend(asked.backend) == Backend::Gpu);
    if on_gpu {
        host.gpu.take("pair", host.settings, host.context, None)?;
        for side in [&base_side, &head_side] {
            python
                .check_backend(side, Backend::Gpu, &quiet)
                .map_err(of_pair)?;
        }
    }
    Ok((entries, base, head))
}
