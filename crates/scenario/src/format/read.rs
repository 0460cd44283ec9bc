//! Reads a tree into the structs that declare the format, and checks for unknown and missing keys
//! and for wrong kinds, units and ranges.
//!
//! Reading and checking happen in one pass. Every value keeps its place in the text. Whether values
//! make sense together is checked when the scenario is resolved.

use std::ops::Deref;

use super::suggest;
use super::values::Scalar;
use super::{AnyKey, Fallback, Field, Placed, Shape, refusals};
use crate::diagnostics::{Place, Problem, Problems};
use crate::tree::{Entry, Item, Table, Value};

/// A type that the value of a key can have.
pub(crate) trait Readable: Sized + 'static {
    /// The type of the limits, which a declaration lists in brackets.
    type Limits;

    /// The possible values.
    fn shape(limits: Self::Limits) -> Shape;

    /// Reads a written value; none if a problem was found.
    fn read(field: &'static Field, item: &Item, problems: &mut Problems) -> Option<Self>;

    /// The value of a key that is not written; none if it is required.
    fn absent(field: &'static Field, place: &Place) -> Option<Self> {
        let value = match (&field.fallback, &field.shape) {
            (Fallback::Value(text), _) => Value::of_word(text),
            (_, Shape::Table(_)) => Value::Table(Table::default()),
            _ => return None,
        };
        Self::read(field, &Item { place: place.clone(), value }, &mut Problems::default())
    }

    /// The value as results show it.
    fn printed(&self) -> Option<String> {
        None
    }

    /// The keys below it.
    fn keys(&self) -> Vec<&dyn AnyKey> {
        Vec::new()
    }
}

impl<T: Scalar> Readable for T {
    type Limits = T::Limits;

    fn shape(limits: T::Limits) -> Shape {
        T::shape(limits)
    }

    fn read(field: &'static Field, item: &Item, problems: &mut Problems) -> Option<Self> {
        let is_right = |part: &Item| T::read(field, &field.shape, part).is_ok();
        let read = T::read(field, &field.shape, item);
        problems.take(read.map_err(|problem| suggest::sweep(problem, item, is_right)))
    }

    fn printed(&self) -> Option<String> {
        Some(T::printed(self))
    }
}

/// A key with a default that depends on others.
impl<T: Readable> Readable for Option<T> {
    type Limits = T::Limits;

    fn shape(limits: T::Limits) -> Shape {
        T::shape(limits)
    }

    fn read(field: &'static Field, item: &Item, problems: &mut Problems) -> Option<Self> {
        T::read(field, item, problems).map(Some)
    }

    fn absent(_: &'static Field, _: &Place) -> Option<Self> {
        Some(None)
    }

    fn printed(&self) -> Option<String> {
        self.as_ref()?.printed()
    }

    fn keys(&self) -> Vec<&dyn AnyKey> {
        self.as_ref().map(T::keys).unwrap_or_default()
    }
}

/// `[[name]]`, any number of tables.
#[derive(Debug)]
pub(crate) struct Entries<T>(Vec<Placed<T>>);

impl<T> Deref for Entries<T> {
    type Target = [Placed<T>];

    fn deref(&self) -> &[Placed<T>] {
        &self.0
    }
}

impl<T: Keys + Readable> Readable for Entries<T> {
    type Limits = ();

    fn shape((): ()) -> Shape {
        Shape::Entries(T::fields())
    }

    fn read(field: &'static Field, item: &Item, problems: &mut Problems) -> Option<Self> {
        let Value::List(items) = &item.value else {
            let problem = refusals::wrong_kind(field.name, &item.place, &item.value, "a list of tables");
            problems.push(match item.value {
                Value::Table(_) => problem
                    .help(format!("write `[[{}]]` with two brackets: there can be several", field.name)),
                _ => problem,
            });
            return None;
        };
        let mut entries = Vec::with_capacity(items.len());
        for item in items {
            if problems.is_full() {
                return None;
            }
            entries.push(Placed::read(field, item, problems));
        }
        entries.into_iter().collect::<Option<_>>().map(Self)
    }

    fn absent(field: &'static Field, _: &Place) -> Option<Self> {
        (!matches!(field.fallback, Fallback::Required)).then(|| Self(Vec::new()))
    }

    fn printed(&self) -> Option<String> {
        Some(self.0.len().to_string())
    }
}

/// A table whose keys are declared.
pub(crate) trait Keys: Sized {
    /// The keys, in the order of the reference.
    fn fields() -> Vec<Field>;

    /// Reads all keys of the table.
    fn read_keys(reader: &mut Reader<'_>) -> Option<Self>;
}

/// Reads a table, key by key.
pub(crate) struct Reader<'a> {
    owner: &'static Field,
    table: &'a Table,
    place: &'a Place,
    /// The problems, each with the position of its key in the text: problems are reported in text
    /// order, but keys are read in declaration order.
    found: Vec<(usize, Problem)>,
}

impl<'a> Reader<'a> {
    /// Reads a key of the table.
    pub(super) fn key<T: Readable>(&mut self, name: &str) -> Option<Placed<T>> {
        let field = self.owner.find(name)?;
        let Some(position) = self.table.entries.iter().position(|entry| entry.key == name) else {
            let absent = T::absent(field, self.place);
            if absent.is_none() {
                self.found.push((usize::MAX, missing(self.owner, field, self.place)));
            }
            return absent.map(|value| Placed::absent(value, self.place, field));
        };
        let mut problems = Problems::default();
        let read = Placed::read(field, &self.table.entries[position].item, &mut problems);
        self.found.extend(problems.into_iter().map(|problem| (position, problem)));
        read
    }

    /// Checks all keys that are written, and returns them in the order of the format.
    pub(super) fn written(&mut self) -> Vec<(&'static Field, &'a Item)> {
        let mut written = Vec::new();
        for field in self.owner.fields() {
            let position = self.table.entries.iter().position(|entry| entry.key == field.name);
            let Some(position) = position else { continue };
            let (item, mut problems) = (&self.table.entries[position].item, Problems::default());
            field.check(item, &mut problems);
            self.found.extend(problems.into_iter().map(|problem| (position, problem)));
            written.push((field, item));
        }
        written
    }

    /// Reports keys that do not exist, and passes on all problems.
    fn finish(mut self, problems: &mut Problems) {
        let fields = self.owner.fields();
        let unknown = |(_, entry): &(usize, &Entry)| fields.iter().all(|field| field.name != entry.key);
        for (position, entry) in self.table.entries.iter().enumerate().filter(unknown).take(Problems::KEPT) {
            self.found.push((position, suggest::unknown_key(self.owner, entry)));
        }
        self.found.sort_by_key(|(position, _)| *position);
        self.found.into_iter().for_each(|(_, problem)| problems.push(problem));
    }
}

/// Reads a table of declared keys.
pub(super) fn table<T: Keys>(field: &'static Field, item: &Item, problems: &mut Problems) -> Option<T> {
    table_with(field, item, problems, T::read_keys)
}

/// Reads a table with a function that the caller provides.
pub(super) fn table_with<T>(
    field: &'static Field,
    item: &Item,
    problems: &mut Problems,
    read: impl FnOnce(&mut Reader<'_>) -> Option<T>,
) -> Option<T> {
    let Value::Table(table) = &item.value else {
        problems.push(refusals::wrong_kind(field.name, &item.place, &item.value, "a table"));
        return None;
    };
    let mut reader = Reader { owner: field, table, place: &item.place, found: Vec::new() };
    let value = read(&mut reader);
    reader.finish(problems);
    value
}

/// Reads a table with exactly one key, which is the kind, or the name of a kind.
pub(super) fn kind<T>(
    field: &'static Field,
    item: &Item,
    problems: &mut Problems,
    read: impl Fn(&'static Field, &Item, &mut Problems) -> Option<T>,
) -> Option<T> {
    let kinds = field.fields();
    match &item.value {
        Value::Table(table) => kind_of_table(field, (table, &item.place), problems, read),
        Value::Text(name) => match field.find(name) {
            Some(kind) => {
                let empty = Item { place: item.place.clone(), value: Value::Table(Table::default()) };
                read(kind, &empty, problems)
            }
            None => {
                let is_kind =
                    |part: &Item| matches!(&part.value, Value::Text(part) if field.find(part).is_some());
                let problem = suggest::unknown_kind(field.name, kinds, name, &item.place);
                problems.push(suggest::sweep(problem, item, is_kind));
                None
            }
        },
        value => {
            let problem = refusals::wrong_kind(field.name, &item.place, value, "a table named by its kind");
            problems.push(problem.help(format!("one of {}", suggest::names(kinds))));
            None
        }
    }
}

fn kind_of_table<T>(
    field: &'static Field,
    (table, place): (&Table, &Place),
    problems: &mut Problems,
    read: impl Fn(&'static Field, &Item, &mut Problems) -> Option<T>,
) -> Option<T> {
    for entry in table.entries.iter().filter(|entry| field.find(&entry.key).is_none()) {
        if problems.is_full() {
            return None;
        }
        problems.push(suggest::unknown_kind(field.name, field.fields(), &entry.key, &entry.key_place));
    }
    let known = table.entries.iter().filter_map(|entry| Some((entry, field.find(&entry.key)?)));
    let known: Vec<_> = known.map(|(entry, kind)| (entry, read(kind, &entry.item, problems))).collect();
    if let [(first, _), (second, _), ..] = &known[..] {
        let message = format!("two kinds of {} at once: `{}` and `{}`", field.name, first.key, second.key);
        problems.push(
            Problem::at(&second.key_place, message, "a second kind")
                .context(&first.key_place, "the first")
                .help("keep one of them"),
        );
        return None;
    }
    if table.entries.is_empty() {
        problems.push(missing_kind(field, place));
    }
    known.into_iter().next().and_then(|(_, value)| value)
}

fn missing(owner: &Field, field: &Field, place: &Place) -> Problem {
    if let Shape::OneOf(_) = &field.shape {
        return missing_kind(field, place);
    }
    let (name, owner) = (field.name, suggest::owner("the scenario", owner));
    let problem = Problem::at(place, format!("{owner} has no `{name}`"), format!("`{name}` is missing"));
    match field.shape.example() {
        Some(value) => problem.help(format!("add it, as in `{name} = {value}`")),
        None => problem.help(format!("it is {}", field.shape.expected())),
    }
}

fn missing_kind(field: &Field, place: &Place) -> Problem {
    let tables: Vec<String> =
        field.fields().iter().map(|kind| format!("[{}.{}]", field.name, kind.name)).collect();
    Problem::at(place, format!("there is no {}", field.name), "")
        .help(format!("add one of {}", tables.join(", ")))
}
