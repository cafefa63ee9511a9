//! The value type that every file of asv's is read into and written from.

use indexmap::IndexMap;

/// A JSON object whose keys keep the order of the file.
pub type Object = IndexMap<String, Json>;

/// An object of these members, in this order.
pub fn object<const N: usize>(members: [(&str, Json); N]) -> Object {
    let members = members.map(|(key, value)| (key.to_owned(), value));
    members.into_iter().collect()
}

/// A JSON value with Python's distinctions: `1` and `1.0` differ, `NaN` and the infinities are
/// floats.
#[derive(Debug, Clone, PartialEq)]
pub enum Json {
    Null,
    Bool(bool),
    /// An integer that fits 64 bits.
    Int(i64),
    /// An integer beyond 64 bits, as the digits in the file.
    BigInt(String),
    /// A float; may be NaN or infinite.
    Float(f64),
    String(String),
    Array(Vec<Self>),
    Object(Object),
}

impl Json {
    /// The text, if this is a string.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Self::String(text) => Some(text),
            _ => None,
        }
    }

    /// The number as a float, if this is a number of any size. Booleans are no numbers here.
    pub fn as_f64(&self) -> Option<f64> {
        match self {
            #[expect(
                clippy::cast_precision_loss,
                reason = "a float is what the caller asks for"
            )]
            Self::Int(value) => Some(*value as f64),
            Self::BigInt(digits) => digits.parse().ok(),
            Self::Float(value) => Some(*value),
            _ => None,
        }
    }

    /// The integer, if this is an integer that fits 64 bits.
    pub fn as_i64(&self) -> Option<i64> {
        match self {
            Self::Int(value) => Some(*value),
            _ => None,
        }
    }

    /// The truth value, if this is one.
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Self::Bool(value) => Some(*value),
            _ => None,
        }
    }

    /// The elements, if this is an array.
    pub fn as_array(&self) -> Option<&[Self]> {
        match self {
            Self::Array(items) => Some(items),
            _ => None,
        }
    }

    /// The members, if this is an object.
    pub fn as_object(&self) -> Option<&Object> {
        match self {
            Self::Object(members) => Some(members),
            _ => None,
        }
    }

    /// The member `key`, if this is an object that has it.
    pub fn get(&self, key: &str) -> Option<&Self> {
        self.as_object()?.get(key)
    }

    /// Whether this is `null`.
    pub fn is_null(&self) -> bool {
        matches!(self, Self::Null)
    }
}

impl<const N: usize> From<[(&str, Self); N]> for Json {
    fn from(members: [(&str, Self); N]) -> Self {
        Self::Object(object(members))
    }
}

impl From<&str> for Json {
    fn from(text: &str) -> Self {
        Self::String(text.to_owned())
    }
}

impl From<String> for Json {
    fn from(text: String) -> Self {
        Self::String(text)
    }
}

impl From<i64> for Json {
    fn from(value: i64) -> Self {
        Self::Int(value)
    }
}

impl From<f64> for Json {
    fn from(value: f64) -> Self {
        Self::Float(value)
    }
}

impl From<bool> for Json {
    fn from(value: bool) -> Self {
        Self::Bool(value)
    }
}

impl<T: Into<Self>> From<Vec<T>> for Json {
    fn from(items: Vec<T>) -> Self {
        Self::Array(items.into_iter().map(Into::into).collect())
    }
}

impl From<Object> for Json {
    fn from(members: Object) -> Self {
        Self::Object(members)
    }
}
