//! The columns of a table, whose names contain the units.

use setpoint_suggest::did_you_mean;

/// A column of a table of messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Column {
    /// Start time, with the unit and the power of ten of a picosecond.
    Start(&'static str, i32),
    Source,
    Destination,
    /// Size, with the unit and the power of ten of a byte.
    Size(&'static str, i32),
    Priority,
    Class,
    Id,
    After,
    /// Computation time, with the unit and the power of ten of a picosecond.
    Gap(&'static str, i32),
}

/// The names of all columns.
const NAMES: [&str; 23] = [
    "start_s",
    "start_ms",
    "start_us",
    "start_µs",
    "start_ns",
    "start_ps",
    "source",
    "destination",
    "size_bytes",
    "size_B",
    "size_kB",
    "size_MB",
    "size_GB",
    "priority",
    "class",
    "id",
    "after",
    "gap_s",
    "gap_ms",
    "gap_us",
    "gap_µs",
    "gap_ns",
    "gap_ps",
];

const TIMES: [(&str, i32); 6] = [("s", 12), ("ms", 9), ("us", 6), ("µs", 6), ("ns", 3), ("ps", 0)];
const SIZES: [(&str, i32); 5] = [("bytes", 0), ("B", 0), ("kB", 3), ("MB", 6), ("GB", 9)];

impl Column {
    /// Reads a heading, or returns a message and a remedy.
    pub(super) fn read(name: &str) -> Result<Self, (String, String)> {
        let unit =
            |units: &[(&'static str, i32)], unit: &str| units.iter().copied().find(|known| known.0 == unit);
        let (stem, suffix) = name.split_once('_').unwrap_or((name, ""));
        let column = match (stem, suffix) {
            ("start", given) => unit(&TIMES, given).map(|(unit, power)| Self::Start(unit, power)),
            ("size", given) => unit(&SIZES, given).map(|(unit, power)| Self::Size(unit, power)),
            ("source", "") => Some(Self::Source),
            ("destination", "") => Some(Self::Destination),
            ("priority", "") => Some(Self::Priority),
            ("class", "") => Some(Self::Class),
            ("id", "") => Some(Self::Id),
            ("after", "") => Some(Self::After),
            ("gap", given) => unit(&TIMES, given).map(|(unit, power)| Self::Gap(unit, power)),
            _ => None,
        };
        column.ok_or_else(|| match (stem, suffix) {
            ("start", "") => missing_unit(name, "start_us"),
            ("size", "") => missing_unit(name, "size_bytes"),
            ("gap", "") => missing_unit(name, "gap_us"),
            ("start" | "gap", given) => unknown_unit(given, "times", &TIMES.map(|unit| unit.0)),
            ("size", given) => unknown_unit(given, "sizes", &SIZES.map(|unit| unit.0)),
            _ => unknown(name),
        })
    }

    /// Its name without the unit.
    pub(super) fn stem(self) -> &'static str {
        match self {
            Self::Start(..) => "start",
            Self::Source => "source",
            Self::Destination => "destination",
            Self::Size(..) => "size",
            Self::Priority => "priority",
            Self::Class => "class",
            Self::Id => "id",
            Self::After => "after",
            Self::Gap(..) => "gap",
        }
    }
}

/// The columns that every table has, each with a name as an example.
pub(super) const REQUIRED: [(&str, &str); 4] =
    [("start", "start_us"), ("source", "source"), ("destination", "destination"), ("size", "size_bytes")];

fn missing_unit(name: &str, example: &str) -> (String, String) {
    (format!("the column `{name}` has no unit"), format!("append the unit, as in `{example}`"))
}

fn unknown_unit(unit: &str, what: &str, units: &[&str]) -> (String, String) {
    (format!("{unit:?} is not a unit of {what}"), format!("one of {}", units.join(", ")))
}

fn unknown(name: &str) -> (String, String) {
    let message = format!("a table of flows has no column {name:?}");
    let ours = match name.to_ascii_lowercase().as_str() {
        "src" | "from" | "sender" => Some("source"),
        "dst" | "to" | "receiver" => Some("destination"),
        "bytes" | "length" => Some("size_bytes"),
        "prio" | "pg" => Some("priority"),
        "requires" | "depends" => Some("after"),
        "calc" | "compute" => Some("gap_us"),
        _ => None,
    };
    let near = ours.map(|ours| format!("did you mean `{ours}`?")).or_else(|| did_you_mean(name, NAMES));
    let all = "the columns are start_us, source, destination, size_bytes, priority, class, id, after and gap_us; times and sizes can have other units";
    (message, near.unwrap_or_else(|| all.to_owned()))
}
