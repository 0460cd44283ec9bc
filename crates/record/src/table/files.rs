//! Tables as files.

use std::borrow::Cow;

use setpoint_parquet::{Column as ParquetColumn, File, Values as ParquetValues};

use super::{Column, Table, Values};

impl Table {
    /// The table as a Parquet file. Its metadata holds the origin of the table and, under `setpoint.units`, the unit of every
    /// column that has one, as a JSON object; each column also has its `unit` and `meaning`.
    pub fn parquet(&self) -> Vec<u8> {
        let with_unit = |column: &Column| Some((column.name.clone(), column.unit_symbol()?.into()));
        let units: serde_json::Map<String, serde_json::Value> =
            self.columns.iter().filter_map(with_unit).collect();
        let units = serde_json::Value::Object(units).to_string();
        let metadata = self.origin.iter().cloned().chain([("setpoint.units".to_owned(), units)]);
        File { columns: self.columns.iter().map(of_parquet).collect(), metadata: metadata.collect() }.bytes()
    }

    /// The table as CSV, with the names of the columns in the first line. A missing value is empty.
    pub fn csv(&self) -> String {
        let mut writer = csv::Writer::from_writer(Vec::new());
        let header: Vec<&str> = self.columns.iter().map(|column| column.name.as_str()).collect();
        let lines =
            (0..self.rows()).map(|row| self.columns.iter().map(move |column| column.values.text(row)));
        writer.write_record(header).expect("memory writes succeed");
        lines.for_each(|line| {
            writer.write_record(line.map(Cow::into_owned)).expect("rows have equal length");
        });
        String::from_utf8(writer.into_inner().expect("memory writes succeed")).expect("all cells are text")
    }
}

fn of_parquet(column: &Column) -> ParquetColumn<'_> {
    let values = match &column.values {
        Values::Numbers(values) => ParquetValues::Numbers(values.clone()),
        Values::Counts(values) => ParquetValues::Counts(values.clone()),
        Values::Flags(values) => ParquetValues::Flags(values.clone()),
        Values::Texts(values) => ParquetValues::Texts(values.iter().map(Option::as_deref).collect()),
        Values::Names { names, rows } => {
            ParquetValues::Texts(rows.iter().map(|row| Some(names[*row as usize].as_str())).collect())
        }
    };
    let unit = column.unit_symbol().map(|unit| ("unit".to_owned(), unit.to_owned()));
    let meaning = (!column.meaning.is_empty()).then(|| ("meaning".to_owned(), column.meaning.clone()));
    ParquetColumn { name: column.name.clone(), values, metadata: unit.into_iter().chain(meaning).collect() }
}

impl Values {
    /// A value as text, with enough digits to read back the same number; empty if it is missing.
    fn text(&self, row: usize) -> Cow<'_, str> {
        fn plain<T: ToString>(value: Option<&T>) -> Cow<'static, str> {
            value.map_or(Cow::Borrowed(""), |value| Cow::Owned(value.to_string()))
        }
        match self {
            Self::Numbers(values) => plain(values[row].as_ref()),
            Self::Counts(values) => plain(values[row].as_ref()),
            Self::Flags(values) => plain(values[row].as_ref()),
            Self::Texts(values) => Cow::Borrowed(values[row].as_deref().unwrap_or_default()),
            Self::Names { names, rows } => Cow::Borrowed(&names[rows[row] as usize]),
        }
    }
}
