//! Structs in Thrift's compact protocol, in which Parquet stores its metadata.

/// A struct that is being written. Fields must be added in ascending order of their numbers.
#[derive(Debug, Default)]
pub(crate) struct Struct {
    bytes: Vec<u8>,
    last: u8,
}

/// Types of fields and elements.
const TRUE: u8 = 1;
const FALSE: u8 = 2;
const I8: u8 = 3;
const I32: u8 = 5;
const I64: u8 = 6;
const BINARY: u8 = 8;
const LIST: u8 = 9;
const STRUCT: u8 = 12;
/// The end of a struct.
const STOP: u8 = 0;
/// A list with at least this many elements stores its size after its header.
const LONG: usize = 15;

impl Struct {
    /// Adds an enumeration value or a small number.
    pub(crate) fn i32(self, field: u8, value: i32) -> Self {
        self.field(field, I32, |bytes| varint(bytes, zigzag(value.into())))
    }

    /// Adds a size or a position.
    pub(crate) fn size(self, field: u8, value: usize) -> Self {
        self.field(field, I64, |bytes| varint(bytes, zigzag(value as i64)))
    }

    /// Adds a byte.
    pub(crate) fn i8(self, field: u8, value: u8) -> Self {
        self.field(field, I8, |bytes| bytes.push(value))
    }

    pub(crate) fn flag(self, field: u8, value: bool) -> Self {
        self.field(field, if value { TRUE } else { FALSE }, |_| {})
    }

    pub(crate) fn text(self, field: u8, value: &str) -> Self {
        self.field(field, BINARY, |bytes| text(bytes, value))
    }

    /// Adds a struct.
    pub(crate) fn inner(self, field: u8, value: Self) -> Self {
        self.field(field, STRUCT, |bytes| bytes.extend(value.finish()))
    }

    /// Adds a list of enumeration values.
    pub(crate) fn i32s(self, field: u8, values: &[i32]) -> Self {
        self.list(field, I32, values, |bytes, value| varint(bytes, zigzag((*value).into())))
    }

    /// Adds a list of strings.
    pub(crate) fn texts(self, field: u8, values: &[&str]) -> Self {
        self.list(field, BINARY, values, |bytes, value| text(bytes, value))
    }

    /// Adds a list of structs.
    pub(crate) fn structs(self, field: u8, values: Vec<Self>) -> Self {
        let values: Vec<Vec<u8>> = values.into_iter().map(Self::finish).collect();
        self.list(field, STRUCT, &values, |bytes, value| bytes.extend(value))
    }

    /// The bytes of the struct, including the byte that ends it.
    pub(crate) fn finish(mut self) -> Vec<u8> {
        self.bytes.push(STOP);
        self.bytes
    }

    fn field(mut self, field: u8, kind: u8, write: impl FnOnce(&mut Vec<u8>)) -> Self {
        assert!(field > self.last && field - self.last < 16, "fields are written in order");
        self.bytes.push((field - self.last) << 4 | kind);
        self.last = field;
        write(&mut self.bytes);
        self
    }

    fn list<T>(self, field: u8, kind: u8, values: &[T], write: impl Fn(&mut Vec<u8>, &T)) -> Self {
        self.field(field, LIST, |bytes| {
            if values.len() < LONG {
                bytes.push((values.len() as u8) << 4 | kind);
            } else {
                bytes.push((LONG as u8) << 4 | kind);
                varint(bytes, values.len() as u64);
            }
            values.iter().for_each(|value| write(bytes, value));
        })
    }
}

/// Maps a signed number to an unsigned one, which is small if the magnitude of the number is small.
fn zigzag(value: i64) -> u64 {
    ((value << 1) ^ (value >> 63)) as u64
}

/// Appends seven bits per byte, the lowest first; the highest bit of a byte is set if more bytes follow.
pub(crate) fn varint(bytes: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
}

fn text(bytes: &mut Vec<u8>, value: &str) {
    varint(bytes, value.len() as u64);
    bytes.extend_from_slice(value.as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Computed by hand from the protocol's specification.
    #[test]
    fn fields_have_a_difference_and_a_type() {
        let value = Struct::default().i32(1, 1).size(3, 300).text(4, "ab").flag(6, false).i8(7, 64).finish();
        assert_eq!(value, [0x15, 2, 0x26, 0xd8, 0x04, 0x18, 2, b'a', b'b', 0x22, 0x13, 64, 0]);
    }

    #[test]
    fn lists_have_a_size_and_a_type() {
        assert_eq!(Struct::default().i32s(2, &[0, -1]).finish(), [0x29, 0x25, 0, 1, 0]);
        let long = Struct::default().i32s(1, &[0; 20]).finish();
        assert_eq!(long[..3], [0x19, 0xf5, 20]);
        let inner = || Struct::default().i32(1, 0);
        assert_eq!(Struct::default().structs(1, vec![inner()]).finish(), [0x19, 0x1c, 0x15, 0, 0, 0]);
        assert_eq!(Struct::default().texts(1, &["a"]).finish(), [0x19, 0x18, 1, b'a', 0]);
        assert_eq!(Struct::default().inner(1, inner()).finish(), [0x1c, 0x15, 0, 0, 0]);
    }
}
