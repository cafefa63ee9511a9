//! Facts that a user states: what they must look like, so that a slip starts no series of its own.

use super::ram;

/// A size of memory as it is filed; an error is a phrase on what is expected.
pub fn memory(text: &str) -> Result<String, String> {
    let wanted = || {
        "a size of memory is needed, such as `64GB` or `17179869184` (bytes), of at least one \
         gigabyte"
            .to_owned()
    };
    match ram::whole_gigabytes(text).as_deref() {
        None | Some("0GB") => Err(wanted()),
        Some(_) => Ok(text.trim().to_owned()),
    }
}

/// A number of processors as it is filed.
pub fn processors(text: &str) -> Result<String, String> {
    match text.trim().parse::<u32>() {
        Ok(number) if number > 0 => Ok(number.to_string()),
        _ => Err("a whole number of processors is needed, 1 or more, such as `16`".to_owned()),
    }
}

/// Free text as it is filed: one line that says something.
pub fn words(text: &str) -> Result<String, String> {
    let text = text.trim();
    if text.is_empty() || text.chars().any(char::is_control) {
        return Err(
            "a text on one line is needed; leave the flag out for what is detected".to_owned(),
        );
    }
    Ok(text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_a_size() {
        for text in ["64GB", " 64 GiB ", "17179869184", "64", "16416652"] {
            assert_eq!(memory(text).as_deref(), Ok(text.trim()));
        }
        for text in [
            "",
            "lots",
            "-1GB",
            "0",
            "GB",
            "64 apples",
            "1e",
            "nan",
            "12 kB",
        ] {
            let error = memory(text).unwrap_err();
            assert!(
                error.starts_with("a size of memory is needed, such as `64GB`"),
                "{text}"
            );
        }
    }

    #[test]
    fn processors_are_counted() {
        assert_eq!(processors("016").as_deref(), Ok("16"));
        for text in ["", "x", "0", "-2", "1.5", "99999999999"] {
            assert!(
                processors(text).unwrap_err().ends_with("such as `16`"),
                "{text}"
            );
        }
    }

    #[test]
    fn words_say_something() {
        assert_eq!(words(" Linux 6.1 ").as_deref(), Ok("Linux 6.1"));
        for text in ["", "  ", "a\nb", "\u{1b}[31m"] {
            assert!(words(text).is_err(), "{text:?}");
        }
    }
}
