//! JSON for the unit tests of every room.

use super::{Json, Object, parse};

/// The object that a text is.
pub(crate) fn object(text: &str) -> Object {
    match parse(text) {
        Ok(Json::Object(members)) => members,
        other => panic!("no object: {other:?}"),
    }
}
