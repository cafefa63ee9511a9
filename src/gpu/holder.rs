//! Who has a GPU, or waits for it: the content of a ticket.

use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use crate::json::{Json, Object, parse, to_compact};
use crate::sys::env::Environment;

/// What a ticket says about its owner.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Holder {
    pub pid: u32,
    /// Name of the host, or of the container.
    pub host: String,
    pub user: String,
    /// `run`, `paths`.
    pub command: String,
    pub folder: String,
    /// Milliseconds since 1970.
    pub waiting_since: i64,
    /// The same; `None` as long as it waits.
    pub holding_since: Option<i64>,
}

impl Holder {
    /// This process, from now on.
    pub fn of_process(command: &str, folder: &Path, environment: &Environment) -> Self {
        let user = ["USER", "LOGNAME"]
            .iter()
            .find_map(|name| environment.get(name));
        Self {
            pid: std::process::id(),
            host: rustix::system::uname()
                .nodename()
                .to_string_lossy()
                .into_owned(),
            user: user.map_or_else(user_number, str::to_owned),
            command: command.to_owned(),
            folder: folder.display().to_string(),
            waiting_since: now(),
            holding_since: None,
        }
    }

    /// One line of JSON.
    pub(super) fn to_line(&self) -> String {
        to_compact(&self.to_object().into())
    }

    /// The content of the ticket.
    pub fn to_object(&self) -> Object {
        [
            ("pid", Json::from(i64::from(self.pid))),
            ("host", self.host.clone().into()),
            ("user", self.user.clone().into()),
            ("command", self.command.clone().into()),
            ("folder", self.folder.clone().into()),
            ("waiting_since", self.waiting_since.into()),
            (
                "holding_since",
                self.holding_since.map_or(Json::Null, Json::from),
            ),
        ]
        .into_iter()
        .map(|(key, value)| (key.to_owned(), value))
        .collect()
    }

    /// Reads what others wrote; what is missing or odd is empty.
    pub(super) fn of_line(line: &str) -> Self {
        let json = parse(line.trim()).unwrap_or(Json::Null);
        let text = |key: &str| {
            let text = json.get(key).and_then(Json::as_str).unwrap_or_default();
            // Others may write into their tickets; a terminal is no place for their control characters.
            text.chars().filter(|c| !c.is_control()).take(200).collect()
        };
        let number = |key: &str| json.get(key).and_then(Json::as_i64);
        Self {
            pid: number("pid")
                .and_then(|pid| u32::try_from(pid).ok())
                .unwrap_or_default(),
            host: text("host"),
            user: text("user"),
            command: text("command"),
            folder: text("folder"),
            waiting_since: number("waiting_since").unwrap_or_default(),
            holding_since: number("holding_since"),
        }
    }

    /// `lcmbench run of ada (process 4711, in /home/ada/suite)`.
    pub fn sentence(&self) -> String {
        if self.pid == 0 {
            return "another lcmbench".to_owned();
        }
        format!(
            "lcmbench {} of {} (process {} on {}, in {})",
            self.command, self.user, self.pid, self.host, self.folder
        )
    }
}

fn user_number() -> String {
    format!("user {}", rustix::process::getuid().as_raw())
}

/// Milliseconds since 1970.
pub(super) fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| {
        i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
    })
}

/// `for 3 s`, `for 12 min`, `for 2 h 05 min`: how long ago `since` was.
pub fn how_long(since: i64) -> String {
    let seconds = (now() - since).max(0) / 1000;
    match seconds {
        0..=119 => format!("for {seconds} s"),
        120..=7199 => format!("for {} min", seconds / 60),
        _ => format!("for {} h {:02} min", seconds / 3600, seconds % 3600 / 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ticket_is_read_as_it_was_written() {
        let environment: Environment = [("USER", "ada")].into_iter().collect();
        let mut holder = Holder::of_process("run", Path::new("/suite"), &environment);
        assert_eq!(Holder::of_line(&holder.to_line()), holder);
        holder.holding_since = Some(7);
        assert_eq!(Holder::of_line(&holder.to_line()), holder);
        assert!(
            holder
                .sentence()
                .starts_with("lcmbench run of ada (process ")
        );
    }

    #[test]
    fn a_broken_ticket_is_somebody_s_all_the_same() {
        for text in ["", "{", "[]", "{\"pid\": -1}"] {
            assert_eq!(Holder::of_line(text).sentence(), "another lcmbench");
        }
        let odd = Holder::of_line("{\"pid\": 3, \"user\": \"a\\u001b[31mb\"}");
        assert_eq!(odd.user, "a[31mb");
    }

    #[test]
    fn durations_are_said_in_the_unit_that_fits() {
        let ago = |seconds: i64| how_long(now() - 1000 * seconds);
        assert_eq!(ago(3), "for 3 s");
        assert_eq!(ago(125), "for 2 min");
        assert_eq!(ago(7500), "for 2 h 05 min");
    }
}
