//! The patterns of `--bench`.

use fancy_regex::Regex;

use super::python_regex::{TranslateError, translate};

/// One pattern: an expression of Python's `re`, searched for anywhere in a name, or the literal
/// `name(params)` of one combination.
#[derive(Debug, Clone)]
pub struct Pattern {
    text: String,
    /// The expression, or why the text is none.
    expression: Result<Regex, Box<PatternError>>,
}

/// Why a pattern is of no use.
#[derive(Debug, Clone, thiserror::Error)]
pub enum PatternError {
    #[error("the pattern `{pattern}` cannot be used: {cause}")]
    Translate {
        pattern: String,
        cause: TranslateError,
    },
    #[error("the pattern `{pattern}` is no regular expression: {message}")]
    Syntax { pattern: String, message: String },
    #[error("the pattern `{pattern}` is too expensive on `{name}`: {message}")]
    Search {
        pattern: String,
        name: String,
        message: String,
    },
}

impl Pattern {
    /// Takes any text; one that is no regular expression may still be a literal name.
    pub fn new(text: &str) -> Self {
        Self {
            text: text.to_owned(),
            expression: compile(text).map_err(Box::new),
        }
    }

    /// The pattern as the user wrote it.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Why the text is no regular expression, if it is none.
    pub fn complaint(&self) -> Option<&PatternError> {
        self.expression.as_ref().err().map(AsRef::as_ref)
    }

    /// Whether the text is a literal `name(params)` that stands for `display_name`: all of it, or
    /// its end from a dot on.
    pub fn is_literally(&self, display_name: &str) -> bool {
        let Some(before) = display_name.strip_suffix(self.text.as_str()) else {
            return false;
        };
        self.text.ends_with(')') && (before.is_empty() || before.ends_with('.'))
    }

    /// Whether the expression is found anywhere in `display_name`.
    pub fn found_in(&self, display_name: &str) -> Result<bool, PatternError> {
        let expression = match &self.expression {
            Ok(expression) => expression,
            Err(error) => return Err(PatternError::clone(error)),
        };
        expression
            .is_match(display_name)
            .map_err(|error| PatternError::Search {
                pattern: self.text.clone(),
                name: display_name.to_owned(),
                message: error.to_string(),
            })
    }
}

fn compile(text: &str) -> Result<Regex, PatternError> {
    let translated = translate(text).map_err(|cause| PatternError::Translate {
        pattern: text.to_owned(),
        cause,
    })?;
    Regex::new(&translated).map_err(|error| PatternError::Syntax {
        pattern: text.to_owned(),
        message: error.to_string(),
    })
}
