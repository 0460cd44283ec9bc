//! The values of a column in one row group: a page with a dictionary, if one is worthwhile, and a page with the values.

use std::hash::Hash;
use std::ops::Range;

use crate::Values;
use crate::dictionary::Dictionary;
use crate::hybrid::{bits_below, encode};
use crate::thrift::Struct;

/// `Encoding` in `parquet.thrift`.
pub(crate) const PLAIN: i32 = 0;
pub(crate) const RLE: i32 = 3;
pub(crate) const RLE_DICTIONARY: i32 = 8;
/// `PageType` in `parquet.thrift`.
const DATA_PAGE: i32 = 0;
const DICTIONARY_PAGE: i32 = 2;

/// The positions of the pages of a column.
#[derive(Clone, Debug)]
pub(crate) struct Chunk {
    /// The number of values, including missing ones.
    pub(crate) values: usize,
    /// The position of the page with the dictionary, if there is one.
    pub(crate) dictionary: Option<usize>,
    /// The position of the page with the values.
    pub(crate) data: usize,
    /// The position after the last page.
    pub(crate) end: usize,
}

impl Chunk {
    /// Appends the pages for some rows of a column.
    pub(crate) fn write(values: &Values<'_>, rows: Range<usize>, bytes: &mut Vec<u8>) -> Self {
        match values {
            // Numbers are compared bit by bit: 0 and -0 differ.
            Values::Numbers(values) => {
                let bits: Vec<Option<u64>> =
                    values[rows].iter().map(|value| value.map(f64::to_bits)).collect();
                pages(&bits, |number, bytes| bytes.extend(number.to_le_bytes()), bytes)
            }
            Values::Counts(values) => {
                pages(&values[rows], |number, bytes| bytes.extend(number.to_le_bytes()), bytes)
            }
            Values::Texts(values) => pages(&values[rows], text, bytes),
            Values::Flags(values) => flags(&values[rows], bytes),
        }
    }

    /// The position of its first page.
    pub(crate) fn begin(&self) -> usize {
        self.dictionary.unwrap_or(self.data)
    }
}

/// Appends the pages of a column. `plain` appends one value in the plain encoding.
fn pages<T: Copy + Eq + Hash>(
    values: &[Option<T>],
    plain: impl Fn(T, &mut Vec<u8>),
    bytes: &mut Vec<u8>,
) -> Chunk {
    let all = |values: &[T]| {
        let mut content = Vec::new();
        values.iter().for_each(|value| plain(*value, &mut content));
        content
    };
    let present: Vec<T> = values.iter().flatten().copied().collect();
    let mut content = presence(values);
    let Some(dictionary) = Dictionary::of(&present) else {
        content.extend(all(&present));
        return Chunk { dictionary: None, ..data_page(values.len(), PLAIN, &content, bytes) };
    };
    let place = bytes.len();
    let header = Struct::default().i32(1, dictionary.distinct.len() as i32).i32(2, PLAIN);
    page(DICTIONARY_PAGE, 7, header, &all(&dictionary.distinct), bytes);
    let bits = bits_below(dictionary.distinct.len());
    content.push(bits);
    encode(&dictionary.places, bits, &mut content);
    Chunk { dictionary: Some(place), ..data_page(values.len(), RLE_DICTIONARY, &content, bytes) }
}

/// A page of flags, one bit each.
fn flags(values: &[Option<bool>], bytes: &mut Vec<u8>) -> Chunk {
    let mut content = presence(values);
    let present: Vec<bool> = values.iter().flatten().copied().collect();
    let byte = |flags: &[bool]| flags.iter().rev().fold(0, |byte, flag| byte << 1 | u8::from(*flag));
    content.extend(present.chunks(8).map(byte));
    data_page(values.len(), PLAIN, &content, bytes)
}

fn text(value: &str, bytes: &mut Vec<u8>) {
    bytes.extend((value.len() as u32).to_le_bytes());
    bytes.extend_from_slice(value.as_bytes());
}

/// The flags of the values that are present: the definition levels, preceded by their length.
fn presence<T>(values: &[Option<T>]) -> Vec<u8> {
    let levels: Vec<u32> = values.iter().map(|value| value.is_some().into()).collect();
    let mut encoded = Vec::new();
    encode(&levels, 1, &mut encoded);
    let mut bytes = (encoded.len() as u32).to_le_bytes().to_vec();
    bytes.extend(encoded);
    bytes
}

fn data_page(values: usize, encoding: i32, content: &[u8], bytes: &mut Vec<u8>) -> Chunk {
    let data = bytes.len();
    let header = Struct::default().i32(1, values as i32).i32(2, encoding).i32(3, RLE).i32(4, RLE);
    page(DATA_PAGE, 5, header, content, bytes);
    Chunk { values, dictionary: None, data, end: bytes.len() }
}

/// Appends a page: a `PageHeader` in which the given field describes the content, followed by the content.
fn page(kind: i32, field: u8, of_kind: Struct, content: &[u8], bytes: &mut Vec<u8>) {
    let size = content.len() as i32;
    let header = Struct::default().i32(1, kind).i32(2, size).i32(3, size).inner(field, of_kind);
    bytes.extend(header.finish());
    bytes.extend_from_slice(content);
}
