//! Lines that the runner of GitHub Actions takes for commands: ours escaped, those of others made
//! harmless.

use std::fmt;

/// How loud an annotation is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    Notice,
    Warning,
    Error,
}

/// A message that Actions shows beside the run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Annotation {
    pub level: Level,
    pub title: String,
    pub message: String,
}

impl fmt::Display for Annotation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let command = match self.level {
            Level::Notice => "notice",
            Level::Warning => "warning",
            Level::Error => "error",
        };
        write!(
            formatter,
            "::{command} title={}::{}",
            escape_property(&self.title),
            escape_message(&self.message)
        )
    }
}

/// The message of a command on one line.
pub fn escape_message(text: &str) -> String {
    text.replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}

/// The value of a command's property.
pub fn escape_property(text: &str) -> String {
    escape_message(text).replace(':', "%3A").replace(',', "%2C")
}

/// Text that may hold what others wrote, with no line that the runner takes for a command: it looks
/// for `::` where a line begins and for `##[` anywhere.
pub fn harmless(text: &str) -> String {
    let lines: Vec<String> = text
        .replace('\r', "\n")
        .split('\n')
        .map(|line| {
            let line = line.replace("##[", "# #[");
            if line.trim_start().starts_with("::") {
                format!("| {line}")
            } else {
                line
            }
        })
        .collect();
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// What the runner does to a message.
    fn unescaped(text: &str) -> String {
        text.replace("%0A", "\n")
            .replace("%0D", "\r")
            .replace("%3A", ":")
            .replace("%2C", ",")
            .replace("%25", "%")
    }

    #[test]
    fn an_annotation_is_one_line() {
        let annotation = Annotation {
            level: Level::Warning,
            title: "a: b, c".to_owned(),
            message: "50 %\n::error::no".to_owned(),
        };
        assert_eq!(
            annotation.to_string(),
            "::warning title=a%3A b%2C c::50 %25%0A::error::no"
        );
    }

    #[test]
    fn what_others_wrote_is_no_command() {
        assert_eq!(harmless("::error::x"), "| ::error::x");
        assert_eq!(
            harmless("a\r  ::set-output name=x::y"),
            "a\n|   ::set-output name=x::y"
        );
        assert_eq!(harmless("x ##[error]y"), "x # #[error]y");
        assert_eq!(harmless("a::b\n| c |"), "a::b\n| c |");
    }

    proptest! {
        #[test]
        fn escaping_keeps_the_text_and_needs_one_line(text in ".*") {
            let message = escape_message(&text);
            prop_assert!(!message.contains(['\n', '\r']));
            prop_assert_eq!(unescaped(&message), text.clone());
            let property = escape_property(&text);
            prop_assert!(!property.contains(['\n', '\r', ':', ',']));
            prop_assert_eq!(unescaped(&property), text);
        }

        #[test]
        fn no_text_is_a_command(text in "[ :#\\[\r\na-z]{0,40}") {
            let shown = harmless(&text);
            for line in shown.split(['\n', '\r']) {
                prop_assert!(!line.trim_start().starts_with("::"), "{:?}", shown);
                prop_assert!(!line.contains("##["), "{:?}", shown);
            }
        }
    }
}
