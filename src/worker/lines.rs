//! From bytes to JSON objects, one a line.

use crate::json::{Json, Object, parse};

/// Puts lines together that arrive in pieces.
#[derive(Debug, Default)]
pub(super) struct Lines {
    /// The beginning of a line whose end has not come yet.
    open: Vec<u8>,
}

impl Lines {
    /// Takes in a piece and hands every object that is complete by now to `take`. Lines that hold no
    /// JSON object are passed over: a process that was killed may have left half a line.
    pub(super) fn push(&mut self, mut piece: &[u8], mut take: impl FnMut(Object)) {
        while let Some(end) = piece.iter().position(|byte| *byte == b'\n') {
            self.open.extend_from_slice(&piece[..end]);
            piece = &piece[end + 1..];
            if let Some(object) = object(&self.open) {
                take(object);
            }
            self.open.clear();
        }
        self.open.extend_from_slice(piece);
    }
}

fn object(line: &[u8]) -> Option<Object> {
    let text = str::from_utf8(line).ok()?;
    match parse(text).ok()? {
        Json::Object(object) => Some(object),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn all(pieces: &[&[u8]]) -> Vec<Object> {
        let mut lines = Lines::default();
        let mut objects = Vec::new();
        for piece in pieces {
            lines.push(piece, |object| objects.push(object));
        }
        objects
    }

    #[test]
    fn half_a_line_does_not_spoil_the_next() {
        let objects = all(&[
            b"\n{\"event\": \"res",
            b"\n{\"event\": \"exited\", \"id\": 7}\n[1]\n\n{\"value\": NaN}",
            b"\n{\"open\": 1}",
        ]);
        assert_eq!(objects.len(), 2);
        assert_eq!(objects[0].get("id"), Some(&Json::Int(7)));
        assert!(objects[1]["value"].as_f64().unwrap().is_nan());
    }

    proptest! {
        #[test]
        fn cutting_the_stream_anywhere_changes_nothing(
            ids in prop::collection::vec(any::<i64>(), 0..8),
            garbage in prop::collection::vec("[^\n{}]{0,12}", 0..8),
            cuts in prop::collection::vec(1_usize..30, 1..20),
        ) {
            let mut stream = Vec::new();
            for (place, id) in ids.iter().enumerate() {
                if let Some(garbage) = garbage.get(place) {
                    stream.extend_from_slice(garbage.as_bytes());
                }
                stream.extend_from_slice(format!("\n{{\"id\": {id}}}\n").as_bytes());
            }
            let mut rest = stream.as_slice();
            let mut pieces = Vec::new();
            for cut in cuts.iter().cycle() {
                if rest.is_empty() {
                    break;
                }
                let (piece, after) = rest.split_at((*cut).min(rest.len()));
                pieces.push(piece);
                rest = after;
            }
            let found: Vec<Option<i64>> =
                all(&pieces).iter().map(|object| object["id"].as_i64()).collect();
            let expected: Vec<Option<i64>> = ids.iter().map(|id| Some(*id)).collect();
            prop_assert_eq!(found, expected);
        }

        #[test]
        fn arbitrary_bytes_are_survived(
            pieces in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..60), 0..10),
        ) {
            let pieces: Vec<&[u8]> = pieces.iter().map(Vec::as_slice).collect();
            all(&pieces);
        }
    }
}
