//! `lcmbench preview`: the dashboard on this machine.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use clap::Args;
use rustix::event::{PollFd, PollFlags};

use crate::config::Settings;
use crate::preview::{Fingerprint, Pages, Server};
use crate::publish::{SitePlace, add_results};
use crate::results::problem_lines;
use crate::site;
use crate::sys::env::Environment;
use crate::sys::files::Lock;
use crate::sys::poll::wait_ready;
use crate::sys::signals::Signals;

use super::pages::{Drawing, NO_PAGE};
use super::setup::{Overrides, settings};
use super::stored::Stored;
use super::{CommandError, Context, Exit};

/// As often as this the results are looked at.
const LOOK: Duration = Duration::from_secs(1);

/// Look at the dashboard on this machine before it is published.
///
/// Draws it from the local results and, if there is one, the clone of the site repository, into a
/// temporary folder, and serves that to browsers on this machine alone. When results change it draws
/// again and open pages load themselves anew. Needs no network and no GPU. Ends with Ctrl-C.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// The port to listen on. Default: a free one.
    #[arg(
        long,
        value_name = "PORT",
        default_value_t = 0,
        hide_default_value = true
    )]
    port: u16,
    /// Open the page in a browser.
    #[arg(long)]
    open: bool,
}

/// Runs the command.
pub(super) fn run(arguments: &Arguments, context: &Context) -> Result<Exit, CommandError> {
    if !site::has_page() {
        return Err(CommandError::usage(anyhow::anyhow!(
            "this lcmbench was built without the dashboard's page"
        ))
        .hint(NO_PAGE));
    }
    let signals = Signals::install().map_err(CommandError::usage)?;
    let first = settings(context, &Overrides::default())?;
    let folder = tempfile::tempdir().map_err(CommandError::usage)?;
    let root = folder.path().join("site");
    let ledger = folder.path().join("ledger.json");
    let pages = Pages::new(&root);
    let mut seen = Fingerprint::of(&watched(&first));
    let draw = |settings: &Settings| pages.change(|root| build(settings, root, &ledger, context));
    draw(&first)?;
    let server = Server::start(pages.clone(), arguments.port).map_err(|error| {
        let port = arguments.port;
        CommandError::usage(error).hint(format!(
            "port {port} cannot be listened on; choose another one with --port, or none"
        ))
    })?;
    let address = format!("http://{}/", server.address());
    context
        .printer
        .out(&format!("serving {address} until Ctrl-C"));
    if arguments.open {
        open(&address, &context.environment, context);
    }
    let mut changing = None;
    while !is_interrupted(&signals).map_err(CommandError::usage)? {
        let now = Fingerprint::of(&watched(&first));
        if now == seen {
            changing = None;
        } else if changing == Some(now) {
            // It has come to rest.
            seen = now;
            changing = None;
            let drawn = settings(context, &Overrides::default()).and_then(|now| draw(&now));
            match drawn {
                Ok(()) => context.printer.note("drawn again"),
                Err(error) => {
                    error.report(&context.printer);
                }
            }
        } else {
            changing = Some(now);
        }
    }
    Ok(Exit::Done)
}

/// What the dashboard is made of: results, configuration, and the commits of the branch.
fn watched(settings: &Settings) -> Vec<PathBuf> {
    let mut watched = vec![
        settings.asv.results_dir.clone(),
        settings.directory.join("lcmbench.toml"),
        settings.directory.join("pyproject.toml"),
        settings.directory.join("asv.conf.json"),
    ];
    if let Ok(Some(place)) = SitePlace::new(&settings.site, settings.site_clone()) {
        watched.push(place.folder.join(place.subdir).join("results"));
    }
    watched
}

/// Draws everything into the folder.
fn build(
    settings: &Settings,
    root: &Path,
    ledger: &Path,
    context: &Context,
) -> Result<(), CommandError> {
    let stored = Stored::open(settings, &context.printer);
    let mut sources = Vec::new();
    let site = SitePlace::new(&settings.site, settings.site_clone());
    if let Some(place) = site.map_err(CommandError::usage)? {
        let results = place.folder.join(&place.subdir).join("results");
        if results.is_dir() {
            // Nobody publishes while the clone is read.
            let lock = Lock::wait(&settings.directory)?;
            sources.push((crate::results::Store::new(results), Some(lock)));
        }
    }
    if sources.is_empty() {
        // An error where there are no results at all.
        stored.files(None)?;
    }
    sources.push((stored.store, None));
    let mut problems = Vec::new();
    let drawing = Drawing::of(settings, context)?;
    let last = sources.len() - 1;
    for (at, (store, _lock)) in sources.iter().enumerate() {
        let gathered = add_results(
            root,
            store,
            &settings.history,
            &settings.environment,
            Some(ledger),
        )
        .map_err(CommandError::usage)?;
        if at == last {
            let built = drawing.draw(root, &gathered).map_err(CommandError::usage)?;
            problems.extend(built.into_iter().flat_map(|built| built.problems));
        }
        problems.extend(gathered.merged.problems);
    }
    for line in problem_lines(&problems) {
        context.printer.warn(&line);
    }
    Ok(())
}

/// Sleeps until it is time to look again; says whether a signal came.
fn is_interrupted(signals: &Signals) -> std::io::Result<bool> {
    let mut set = [PollFd::from_borrowed_fd(
        signals.descriptor(),
        PollFlags::IN,
    )];
    wait_ready(&mut set, Some(Instant::now() + LOOK))?;
    Ok(signals.received().is_some())
}

/// Opens the address in a browser; that there is none is no reason to stop.
fn open(address: &str, environment: &Environment, context: &Context) {
    let program = if cfg!(target_os = "macos") {
        "open"
    } else {
        "xdg-open"
    };
    let started = Command::new(program)
        .arg(address)
        .env_clear()
        .envs(environment.iter())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    match started {
        Ok(mut child) => {
            // Not waited for here: some of these programs end when the browser does.
            std::thread::spawn(move || child.wait());
        }
        Err(error) => context.printer.warn(&format!(
            "no browser was opened, since `{program}` cannot be started: {error}"
        )),
    }
}
