//! The end of a file: the schema, the positions of all pages, and the metadata.

use crate::chunk::{Chunk, PLAIN, RLE, RLE_DICTIONARY};
use crate::thrift::Struct;
use crate::{Column, File, Values};

/// The version of the format.
const VERSION: i32 = 2;
/// `FieldRepetitionType` in `parquet.thrift`.
const OPTIONAL: i32 = 1;
/// `CompressionCodec` in `parquet.thrift`.
const UNCOMPRESSED: i32 = 0;

/// The `FileMetaData` of a file.
pub(crate) fn footer(file: &File<'_>, rows: usize, groups: &[Vec<Chunk>]) -> Vec<u8> {
    let root = Struct::default().text(4, "table").i32(5, file.columns.len() as i32);
    let schema = std::iter::once(root).chain(file.columns.iter().map(element)).collect();
    let groups = groups.iter().map(|chunks| group(&file.columns, chunks)).collect();
    Struct::default()
        .i32(1, VERSION)
        .structs(2, schema)
        .size(3, rows)
        .structs(4, groups)
        .structs(5, pairs(&file.metadata))
        .text(6, concat!("setpoint version ", env!("CARGO_PKG_VERSION")))
        .finish()
}

/// The `SchemaElement` of a column.
fn element(column: &Column<'_>) -> Struct {
    let element = Struct::default().i32(1, physical(&column.values)).i32(3, OPTIONAL).text(4, &column.name);
    match column.values {
        // The converted type for older readers, then the logical type.
        Values::Texts(_) => element.i32(6, 0).inner(10, Struct::default().inner(1, Struct::default())),
        Values::Counts(_) => {
            let unsigned = Struct::default().i8(1, 64).flag(2, false);
            element.i32(6, 14).inner(10, Struct::default().inner(10, unsigned))
        }
        Values::Numbers(_) | Values::Flags(_) => element,
    }
}

/// `Type` in `parquet.thrift`.
fn physical(values: &Values<'_>) -> i32 {
    match values {
        Values::Flags(_) => 0,
        Values::Counts(_) => 2,
        Values::Numbers(_) => 5,
        Values::Texts(_) => 6,
    }
}

/// The `RowGroup` for some rows.
fn group(columns: &[Column<'_>], chunks: &[Chunk]) -> Struct {
    let rows = chunks.first().map_or(0, |chunk| chunk.values);
    let size = chunks.iter().map(|chunk| chunk.end - chunk.begin()).sum();
    let chunks = columns.iter().zip(chunks).map(|(column, chunk)| of_chunk(column, chunk)).collect();
    Struct::default().structs(1, chunks).size(2, size).size(3, rows)
}

/// The `ColumnChunk` for some rows of a column.
fn of_chunk(column: &Column<'_>, chunk: &Chunk) -> Struct {
    let size = chunk.end - chunk.begin();
    let encodings: &[i32] =
        if chunk.dictionary.is_some() { &[PLAIN, RLE, RLE_DICTIONARY] } else { &[PLAIN, RLE] };
    let metadata = Struct::default()
        .i32(1, physical(&column.values))
        .i32s(2, encodings)
        .texts(3, &[&column.name])
        .i32(4, UNCOMPRESSED)
        .size(5, chunk.values)
        .size(6, size)
        .size(7, size)
        .structs(8, pairs(&column.metadata))
        .size(9, chunk.data);
    let metadata = match chunk.dictionary {
        Some(place) => metadata.size(11, place),
        None => metadata,
    };
    Struct::default().size(2, chunk.begin()).inner(3, metadata)
}

/// A list of `KeyValue`.
fn pairs(metadata: &[(String, String)]) -> Vec<Struct> {
    metadata.iter().map(|(key, value)| Struct::default().text(1, key).text(2, value)).collect()
}
