//! The values behind a figure, for the tooltip: compact JSON with at most a few hundred entries per series.
//!
//! Entries are points of the figure, chosen at even intervals and never averaged, so that the tooltip shows only
//! values that are in the figure.
//!
//! ```text
//! {"x": "s", "xl": label, "y": "B", "range": [x0, x1, y0, y1], "log": false, "names": [..] or null,
//!  "series": [{"n": name, "c": colour, "x": [..] or null if equal to the previous series, "y": [..], "t": [..]?,
//!   "g": index of the series whose switch hides it, if another?}]}
//! ```
//!
//! In a plane, where the tooltip shows the nearest point, the JSON also has the label of the vertical axis (`"yl"`)
//! and the quantity along each path (`"a": {"l": label, "u": unit, "v": [..]}`).

use serde_json::{Value, json};

use super::decimate::spread;
use super::number::number;
use super::{Along, Colour, Figure, Mark, Plane, Scale, Surface, handles};
use setpoint_units::quantity::Unit;

/// Maximum number of entries per series.
const MOST: usize = 400;

/// A figure's values as JSON that can be embedded in a `script` element.
pub(super) fn json(figure: &Figure) -> String {
    let (x, y) = (figure.x.range, figure.y.range);
    let names = match &figure.x.scale {
        Scale::Categories(names) => json!(names),
        Scale::Linear | Scale::Logarithmic => Value::Null,
    };
    let mut previous = Vec::new();
    // Marks without a name appear neither in the legend nor in the tooltip.
    let named = figure.marks.iter().filter(|mark| !mark.name().is_empty());
    let mut series: Vec<Value> = named.map(|mark| series(mark, &mut previous)).collect();
    let switches = handles::switches(figure).into_iter().zip(&figure.marks);
    let named = switches.filter(|(_, mark)| !mark.name().is_empty()).enumerate();
    for (index, owner) in named.filter_map(|(index, (owner, _))| Some((index, owner?))) {
        if owner != index {
            series[index]["g"] = json!(owner);
        }
    }
    let mut value = json!({
        "x": symbol(figure.x.unit), "xl": figure.x.label, "y": symbol(figure.y.unit), "log": figure.x.scale == Scale::Logarithmic,
        "range": [number(x.0, 7), number(x.1, 7), number(y.0, 7), number(y.1, 7)],
        "names": names, "series": series,
    });
    if figure.plane != Plane::Chart {
        value["yl"] = json!(figure.y.label);
    }
    in_script(&value)
}

/// JSON that can be embedded in a `script` element, which ends at the first "</script" whatever the context.
pub(super) fn in_script(value: &Value) -> String {
    value.to_string().replace('<', "\\u003c").replace('&', "\\u0026")
}

fn series(mark: &Mark, previous: &mut Vec<f64>) -> Value {
    let rows: Vec<(f64, f64, Option<f64>)> = match mark {
        Mark::Line(line) => line.points.iter().map(|point| (point.0, point.1, None)).collect(),
        Mark::Path(path) => path.points.iter().map(|point| (point.0, point.1, None)).collect(),
        Mark::Points(points) => points.points.iter().map(|point| (point.0, point.1, None)).collect(),
        Mark::Band(band) => band.points.iter().map(|point| (point.0, point.1, Some(point.2))).collect(),
        Mark::Whiskers(whiskers) => {
            whiskers.points.iter().map(|point| (point.0, point.1, Some(point.2))).collect()
        }
        Mark::Bars(bars) => {
            bars.values.iter().enumerate().map(|(i, value)| (i as f64, *value, None)).collect()
        }
    };
    // All bars are kept: a categorical axis has few.
    let most = if matches!(mark, Mark::Bars(_)) { usize::MAX } else { MOST };
    let chosen = spread(rows.len(), most);
    let kept: Vec<_> = chosen.iter().map(|&index| rows[index]).collect();
    let positions: Vec<f64> = kept.iter().map(|row| row.0).collect();
    let mut value = json!({ "n": mark.name(), "c": colour(mark.colour()) });
    if positions != *previous {
        value["x"] = positions.iter().map(|x| number(*x, 6)).collect();
        *previous = positions;
    }
    value["y"] = kept.iter().map(|row| number(row.1, 4)).collect();
    if kept.iter().any(|row| row.2.is_some()) {
        value["t"] = kept.iter().map(|row| number(row.2.unwrap_or(f64::NAN), 4)).collect();
    }
    if let Mark::Path(path) = mark
        && let Some(Along { label, unit, values }) = &path.along
    {
        let at = |index: &usize| number(values.get(*index).copied().unwrap_or(f64::NAN), 5);
        value["a"] =
            json!({ "l": label, "u": symbol(*unit), "v": chosen.iter().map(at).collect::<Vec<_>>() });
    }
    value
}

fn colour(colour: Colour) -> &'static str {
    colour.on(Surface::Page)
}

/// The unit's name in the page's script.
pub(super) const fn symbol(unit: Unit) -> &'static str {
    match unit {
        Unit::Seconds => "s",
        Unit::BitsPerSecond => "b/s",
        Unit::Bytes => "B",
        Unit::Share => "%",
        Unit::Count => "",
        Unit::PerSecond => "1/s",
        Unit::Ratio => "r",
        Unit::RadiansPerSecond => "rad/s",
        Unit::Decibels => "dB",
        Unit::Degrees => "°",
    }
}
