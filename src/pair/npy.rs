//! numpy's files of one array (NEP 1), as far as outputs need them.

/// The elements of an array.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Elements {
    /// Floating-point numbers with the bits of each, for distances in ULP, and their width.
    Floats(Vec<f64>, Vec<u64>, u32),
    /// Integers and truth values.
    Integers(Vec<i128>),
    /// Bits of types that numpy does not know, such as bfloat16.
    Bits(Vec<u64>),
}

/// Why a file cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub(super) struct NpyError(String);

/// Reads an array. `dtype` is the name that the array had; bfloat16 arrives as 16-bit words.
pub(super) fn read(bytes: &[u8], dtype: &str) -> Result<Elements, NpyError> {
    let error = |reason: &str| NpyError(format!("no array of numpy: {reason}"));
    if bytes.get(..6) != Some(b"\x93NUMPY".as_slice()) {
        return Err(error("the beginning is another"));
    }
    let (start, length) = match bytes.get(6) {
        Some(1) => (
            10,
            bytes
                .get(8..10)
                .map(|two| usize::from(two[0]) | usize::from(two[1]) << 8),
        ),
        Some(_) => (
            12,
            bytes
                .get(8..12)
                .map(little)
                .and_then(|n| usize::try_from(n).ok()),
        ),
        None => return Err(error("it is cut off")),
    };
    let length = length.ok_or_else(|| error("it is cut off"))?;
    let header = bytes
        .get(start..start + length)
        .ok_or_else(|| error("it is cut off"))?;
    let header = String::from_utf8_lossy(header);
    if header.contains("'fortran_order': True") {
        return Err(error("it is in Fortran order"));
    }
    let descr = header
        .split_once("'descr': '")
        .and_then(|(_, rest)| rest.split_once('\''))
        .map(|(descr, _)| descr.to_owned())
        .ok_or_else(|| error("it has no type"))?;
    let mut letters = descr.chars();
    let (order, kind) = (letters.next(), letters.next());
    let width: usize = letters
        .as_str()
        .parse()
        .map_err(|_| error("its type has no width"))?;
    if order == Some('>') {
        return Err(error("it is big-endian"));
    }
    let data = &bytes[start + length..];
    let words = |width: usize| data.chunks_exact(width).map(little);
    Ok(match (kind, width) {
        _ if dtype == "bfloat16" && width == 2 => {
            let bits: Vec<u64> = words(2).collect();
            let value =
                |bits: &u64| f64::from(f32::from_bits(u32::try_from(bits << 16).unwrap_or(0)));
            Elements::Floats(bits.iter().map(value).collect(), bits, 16)
        }
        (Some('f'), 2) => {
            let bits: Vec<u64> = words(2).collect();
            Elements::Floats(bits.iter().map(|bits| half(*bits)).collect(), bits, 16)
        }
        (Some('f'), 4) | (Some('c'), 8) => {
            let bits: Vec<u64> = words(4).collect();
            let value = |bits: &u64| f64::from(f32::from_bits(u32::try_from(*bits).unwrap_or(0)));
            Elements::Floats(bits.iter().map(value).collect(), bits, 32)
        }
        (Some('f'), 8) | (Some('c'), 16) => {
            let bits: Vec<u64> = words(8).collect();
            Elements::Floats(
                bits.iter().map(|bits| f64::from_bits(*bits)).collect(),
                bits,
                64,
            )
        }
        (Some('i'), 1..=8) => {
            let shift = u32::try_from(128 - 8 * width).unwrap_or(0);
            let signed = |word: u64| i128::from(word) << shift >> shift;
            Elements::Integers(words(width).map(signed).collect())
        }
        (Some('u' | 'b'), 1..=8) if is_known(dtype) => {
            Elements::Integers(words(width).map(i128::from).collect())
        }
        (Some('u'), 1..=8) => Elements::Bits(words(width).collect()),
        _ => return Err(error(&format!("its type `{descr}` is not one of numbers"))),
    })
}

fn is_known(dtype: &str) -> bool {
    dtype == "bool" || dtype.starts_with("uint")
}

/// A little-endian word of up to eight bytes.
fn little(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .rev()
        .fold(0, |word, byte| word << 8 | u64::from(*byte))
}

/// IEEE 754 binary16.
fn half(bits: u64) -> f64 {
    let sign = if bits & 0x8000 == 0 { 1.0 } else { -1.0 };
    let exponent = i32::try_from(bits >> 10 & 0x1f).unwrap_or(0);
    let fraction = f64::from(u32::try_from(bits & 0x3ff).unwrap_or(0));
    match exponent {
        0 => sign * fraction * 2.0_f64.powi(-24),
        31 if fraction == 0.0 => sign * f64::INFINITY,
        31 => f64::NAN,
        _ => sign * (1.0 + fraction / 1024.0) * 2.0_f64.powi(exponent - 15),
    }
}

/// An array as numpy writes it, for tests.
#[cfg(test)]
pub(super) fn file(descr: &str, data: &[u8]) -> Vec<u8> {
    let mut header = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': (1,), }}");
    while (10 + header.len() + 1) % 64 != 0 {
        header.push(' ');
    }
    header.push('\n');
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend(u16::try_from(header.len()).unwrap().to_le_bytes());
    bytes.extend(header.as_bytes());
    bytes.extend(data);
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_every_width_are_read() {
        let data: Vec<u8> = [1.5_f32, -0.25]
            .iter()
            .flat_map(|x| x.to_le_bytes())
            .collect();
        let Elements::Floats(values, bits, 32) = read(&file("<f4", &data), "float32").unwrap()
        else {
            panic!();
        };
        assert_eq!(values, [1.5, -0.25]);
        assert_eq!(bits[0], u64::from(1.5_f32.to_bits()));
        let data: Vec<u8> = [-3_i16, 700].iter().flat_map(|x| x.to_le_bytes()).collect();
        assert_eq!(
            read(&file("<i2", &data), "int16").unwrap(),
            Elements::Integers(vec![-3, 700])
        );
        assert_eq!(
            read(&file("|b1", &[1, 0]), "bool").unwrap(),
            Elements::Integers(vec![1, 0])
        );
        let Elements::Floats(values, _, 16) =
            read(&file("<u2", &[0x80, 0x3f]), "bfloat16").unwrap()
        else {
            panic!();
        };
        assert_eq!(values, [1.0]);
        let Elements::Floats(values, _, 16) = read(&file("<f2", &[0x00, 0x3e]), "float16").unwrap()
        else {
            panic!();
        };
        assert_eq!(values, [1.5]);
    }

    #[test]
    fn what_is_no_array_is_refused() {
        assert!(read(b"hello", "float32").is_err());
        assert!(read(&file("<f4", &[])[..20], "float32").is_err());
        assert!(read(&file(">f4", &[0; 4]), "float32").is_err());
        assert!(read(&file("|O", &[0; 8]), "object").is_err());
    }
}
