//! A writer for flat tables in the Apache Parquet format.
//!
//! It supports what result files need: columns of numbers, counts, flags and strings, in which any value may be missing,
//! and metadata for the file and for each column. Pages are not compressed; columns with few distinct values are stored as
//! a dictionary and run lengths, which keeps files with curves small. The `parquet` crate does much more, but takes a
//! minute to build.
//!
//! The format is defined in <https://parquet.apache.org/docs/file-format/>. Field numbers in this crate are those of its
//! `parquet.thrift`. Equal tables produce identical bytes.
//!
//! ```
//! use setpoint_parquet::{Column, File, Values};
//!
//! let file = File {
//!     columns: vec![Column {
//!         name: "rate_bps".into(),
//!         values: Values::Numbers(vec![Some(1e9), None]),
//!         metadata: vec![("unit".into(), "bit/s".into())],
//!     }],
//!     metadata: vec![("seed".into(), "7".into())],
//! };
//! let bytes = file.bytes();
//! assert!(bytes.starts_with(b"PAR1") && bytes.ends_with(b"PAR1"));
//! ```

mod chunk;
mod dictionary;
mod footer;
mod hybrid;
mod thrift;

use chunk::Chunk;

/// The number of rows in a row group. Readers load and filter one group at a time.
const GROUP: usize = 1 << 20;
/// The beginning and the end of every file.
const MAGIC: &[u8; 4] = b"PAR1";

/// A table with its metadata.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct File<'v> {
    /// The columns, all of the same length.
    pub columns: Vec<Column<'v>>,
    /// Key-value pairs that describe the file.
    pub metadata: Vec<(String, String)>,
}

/// A column.
#[derive(Clone, Debug, PartialEq)]
pub struct Column<'v> {
    /// Its name.
    pub name: String,
    /// Its values.
    pub values: Values<'v>,
    /// Key-value pairs that describe the column.
    pub metadata: Vec<(String, String)>,
}

/// The values of a column; `None` where a value is missing.
#[derive(Clone, Debug, PartialEq)]
pub enum Values<'v> {
    /// 64-bit floating-point numbers.
    Numbers(Vec<Option<f64>>),
    /// 64-bit unsigned integers.
    Counts(Vec<Option<u64>>),
    /// True or false.
    Flags(Vec<Option<bool>>),
    /// Strings.
    Texts(Vec<Option<&'v str>>),
}

impl Values<'_> {
    /// The number of values, including missing ones.
    pub fn len(&self) -> usize {
        match self {
            Self::Numbers(values) => values.len(),
            Self::Counts(values) => values.len(),
            Self::Flags(values) => values.len(),
            Self::Texts(values) => values.len(),
        }
    }

    /// Whether there are no values.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl File<'_> {
    /// The bytes of the file.
    ///
    /// # Panics
    /// If the columns differ in length.
    pub fn bytes(&self) -> Vec<u8> {
        let rows = self.columns.first().map_or(0, |column| column.values.len());
        assert!(self.columns.iter().all(|column| column.values.len() == rows), "columns of equal length");
        let mut bytes = MAGIC.to_vec();
        let group = |begin: usize, bytes: &mut Vec<u8>| {
            let range = begin..rows.min(begin + GROUP);
            self.columns.iter().map(|column| Chunk::write(&column.values, range.clone(), bytes)).collect()
        };
        let groups: Vec<Vec<Chunk>> =
            (0..rows).step_by(GROUP).map(|begin| group(begin, &mut bytes)).collect();
        let footer = footer::footer(self, rows, &groups);
        bytes.extend_from_slice(&footer);
        bytes.extend_from_slice(&(footer.len() as u32).to_le_bytes());
        bytes.extend_from_slice(MAGIC);
        bytes
    }
}
