//! Readable JSON: objects are indented, and lists of plain values stay on one line.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::ser::Formatter;

/// A value as text.
///
/// # Panics
/// If a map of the value has keys that are not strings; results have none.
pub fn text(value: &impl Serialize) -> String {
    let mut bytes = Vec::new();
    write(value, &mut bytes).expect("results have string keys, and writing to memory cannot fail");
    String::from_utf8(bytes).expect("JSON is UTF-8")
}

/// Writes a value as text that ends with a line feed.
///
/// # Errors
/// If the writer fails, or a map of the value has keys that are not strings.
pub fn write(value: &impl Serialize, mut writer: impl Write) -> io::Result<()> {
    let mut serializer = serde_json::Serializer::with_formatter(&mut writer, Readable::default());
    value.serialize(&mut serializer).map_err(io::Error::from)?;
    writer.write_all(b"\n")
}

/// Indents objects and lists of objects; keeps other lists on one line.
#[derive(Default)]
struct Readable {
    open: Vec<Open>,
}

/// An unfinished value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Open {
    /// An object without keys so far.
    EmptyObject,
    /// An object, with each key on its own line.
    Object,
    /// A list that contains no objects so far, on one line.
    List,
    /// A list of objects, each on its own lines.
    Objects,
}

impl Readable {
    fn indent<W: ?Sized + Write>(&self, writer: &mut W) -> io::Result<()> {
        writer.write_all(b"\n")?;
        let deep = |open: &&Open| matches!(open, Open::Object | Open::Objects);
        (0..self.open.iter().filter(deep).count()).try_for_each(|_| writer.write_all(b"  "))
    }

    fn close<W: ?Sized + Write>(&mut self, writer: &mut W, bracket: &[u8]) -> io::Result<()> {
        if let Some(Open::Object | Open::Objects) = self.open.pop() {
            self.indent(writer)?;
        }
        writer.write_all(bracket)
    }
}

impl Formatter for Readable {
    fn begin_array<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.open.push(Open::List);
        writer.write_all(b"[")
    }

    fn end_array<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.close(writer, b"]")
    }

    fn begin_array_value<W: ?Sized + Write>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        match self.open.last() {
            _ if first => Ok(()),
            Some(Open::Objects) => writer.write_all(b","),
            _ => writer.write_all(b", "),
        }
    }

    fn begin_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        // Whether a list contains objects is known only at its first element.
        if let Some(list @ (Open::List | Open::Objects)) = self.open.last_mut() {
            *list = Open::Objects;
            self.indent(writer)?;
        }
        self.open.push(Open::EmptyObject);
        writer.write_all(b"{")
    }

    fn end_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.close(writer, b"}")
    }

    fn begin_object_key<W: ?Sized + Write>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        if let Some(object) = self.open.last_mut() {
            *object = Open::Object;
        }
        if !first {
            writer.write_all(b",")?;
        }
        self.indent(writer)
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        writer.write_all(b": ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn objects_are_indented_and_plain_lists_are_not() {
        let value = json!({ "a": [1, 2.5], "b": [{ "c": [[0.0, 1.0], [1.0, 2.0]], "d": {} }, { "c": [] }], "e": null });
        let expected = "{
  \"a\": [1, 2.5],
  \"b\": [
    {
      \"c\": [[0.0, 1.0], [1.0, 2.0]],
      \"d\": {}
    },
    {
      \"c\": []
    }
  ],
  \"e\": null
}
";
        assert_eq!(text(&value), expected);
    }
}
