//! `[[accept]]`, checked.

use jiff::civil::Date;
use toml::Spanned;

use super::ConfigError;
use super::settings::AcceptedRegression;
use super::toml_file::TomlFile;
use super::toml_model::{Texts, TomlAccept};

impl TomlFile {
    /// The regressions that are wanted, in the order of the file.
    pub(super) fn accepted(&self) -> Result<Vec<AcceptedRegression>, ConfigError> {
        self.settings
            .accept
            .iter()
            .map(|accept| self.accept(accept))
            .collect()
    }

    fn accept(&self, accept: &TomlAccept) -> Result<AcceptedRegression, ConfigError> {
        let reason = accept.reason.get_ref().trim();
        if reason.is_empty() {
            return Err(self.wrong(
                &accept.reason.span(),
                "`reason` is empty; say why this regression is wanted",
            ));
        }
        Ok(AcceptedRegression {
            benchmarks: self.patterns("benchmark", &accept.benchmark)?,
            params: accept.params.as_ref().map(|params| {
                let Texts(values) = params.get_ref();
                values.clone()
            }),
            up_to: self.per_cent(&accept.up_to)?,
            reason: reason.to_owned(),
            expires: self.day(&accept.expires)?,
        })
    }

    fn per_cent(&self, number: &Spanned<f64>) -> Result<f64, ConfigError> {
        let value = *number.get_ref();
        if value.is_finite() && value > 0.0 {
            return Ok(value / 100.0);
        }
        Err(self.wrong(
            &number.span(),
            format!("`up-to` is {value}; it must be more than 0 (15 is fifteen per cent)"),
        ))
    }

    /// A date of TOML, or the same in quotes.
    fn day(&self, value: &Spanned<toml::Value>) -> Result<Date, ConfigError> {
        let text = match value.get_ref() {
            toml::Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        // A time of day would be left out without a word.
        let day = (text.trim().len() == 10).then(|| text.trim().parse().ok());
        day.flatten().ok_or_else(|| {
            self.wrong(
                &value.span(),
                format!("`expires` is `{text}`, which is no day; write it as 2027-01-31"),
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    fn read(text: &str) -> Result<Vec<AcceptedRegression>, String> {
        TomlFile::of_own_file(Path::new("lcmbench.toml"), text.to_owned())
            .and_then(|file| file.accepted())
            .map_err(|error| error.to_string())
    }

    const WHOLE: &str = "[[accept]]\nbenchmark = \"m.time_*\"\nparams = [\"5\", \"*\"]\n\
                         up-to = 15\nreason = \"exact now\"\nexpires = 2027-01-31\n";

    #[test]
    fn a_day_is_a_date_or_a_text() {
        let expected = AcceptedRegression {
            benchmarks: vec!["m.time_*".to_owned()],
            params: Some(vec!["5".to_owned(), "*".to_owned()]),
            up_to: 0.15,
            reason: "exact now".to_owned(),
            expires: "2027-01-31".parse().unwrap(),
        };
        assert_eq!(read(WHOLE), Ok(vec![expected.clone()]));
        let quoted = WHOLE.replace("2027-01-31", "\"2027-01-31\"");
        assert_eq!(read(&quoted), Ok(vec![expected]));
        assert_eq!(read(""), Ok(Vec::new()));
    }

    #[test]
    fn what_would_accept_anything_is_refused() {
        for (right, wrong, said) in [
            ("15", "0", "line 4: `up-to` is 0"),
            ("15", "inf", "`up-to` is inf"),
            ("\"exact now\"", "\" \"", "line 5: `reason` is empty"),
            ("2027-01-31", "\"soon\"", "line 6: `expires` is `soon`"),
            ("2027-01-31", "\"2027-02-30\"", "no day"),
            ("2027-01-31", "2027-01-31T12:00:00Z", "no day"),
            ("\"m.time_*\"", "[]", "`benchmark` holds"),
            ("reason = \"exact now\"\n", "", "missing field `reason`"),
            ("expires = 2027-01-31\n", "", "missing field `expires`"),
        ] {
            let error = read(&WHOLE.replace(right, wrong)).unwrap_err();
            assert!(error.contains(said), "{error}");
        }
    }
}
