//! The parameters that users change most often.

use serde_json::{Value, json};
use setpoint_scenario::{ParameterRow, Prepared};
use setpoint_units::{Bytes, Rate, TimeDelta};

/// The suffixes of keys that get a slider, in the order in which they are shown, with their labels.
const TURNED: &[(&str, &str)] = &[
    (".senders", "Senders"),
    (".rtt", "Round-trip time"),
    (".delay", "Delay of a link"),
    (".cp.set_point", "Set point"),
    (".cp.sample_base", "Bytes between samples"),
    (".rp.gain", "Gain"),
    (".rp.active_increase", "Active increase"),
    (".rp.byte_reset", "Byte counter"),
    (".rp.time_reset", "Timer"),
    (".rp.state_a", "Rate change in state A"),
    (".rp.state_b", "Rate change in state B"),
    (".xoff", "Threshold of pauses"),
    ("network.buffer", "Buffer"),
    ("duration", "Duration"),
];
/// Ratio between the value and either end of its slider: from an eighth of the value to eight times the value.
const REACH: f64 = 8.0;

/// The sliders of a scenario. A parameter without effect has none.
pub(super) fn of(prepared: &Prepared) -> Vec<Value> {
    let mut sliders = among(&prepared.parameters);
    if !prepared.spec.buffer_limits_flows() {
        sliders.retain(|slider| slider["key"] != "network.buffer");
    }
    sliders
}

fn among(parameters: &[ParameterRow]) -> Vec<Value> {
    let find = |(ending, label): &(&str, &'static str)| {
        let row = parameters
            .iter()
            .find(|row| row.key == *ending || ending.starts_with('.') && row.key.ends_with(ending))?;
        slider(row, label)
    };
    TURNED.iter().filter_map(find).collect()
}

fn slider(row: &ParameterRow, label: &str) -> Option<Value> {
    let (value, unit) = read(&row.value)?;
    let usual = read(&row.default).filter(|(_, same)| *same == unit).map(|(value, _)| value);
    let centre = usual.filter(|usual| *usual > 0.0).unwrap_or(value).max(f64::MIN_POSITIVE);
    let (least, most) = (value.min(centre) / REACH, value.max(centre) * REACH);
    let least = if unit == "count" { least.floor().max(1.0) } else { least };
    // All other sliders are reset to the value of the scenario, which is the first value that the page shows.
    let reset = usual.filter(|_| row.key.starts_with("control."));
    (value > 0.0).then(|| {
        json!({
            "key": row.key,
            "label": label,
            "unit": unit,
            "value": value,
            "default": reset,
            "min": least,
            "max": most,
            "scale": "log",
            "literal_unit": row.value.starts_with("2^").then_some("2^"),
        })
    })
}

/// A value in its base unit.
fn read(text: &str) -> Option<(f64, &'static str)> {
    if let Ok(count) = text.parse::<u64>() {
        return Some((count as f64, "count"));
    }
    if let Some(exponent) = text.strip_prefix("2^") {
        return Some((exponent.parse::<i32>().map(|exponent| 2_f64.powi(exponent)).ok()?, "ratio"));
    }
    let bytes = text.parse::<Bytes>().map(|bytes| (bytes.get() as f64, "B"));
    let rate = || text.parse::<Rate>().map(|rate| (rate.bits_per_second() as f64, "b/s"));
    let time = || text.parse::<TimeDelta>().map(|time| (time.as_picos() as f64 / 1e12, "s"));
    bytes.or_else(|_| rate()).or_else(|_| time()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use setpoint_scenario::{Scenario, Source};

    #[test]
    fn values_have_their_base_unit() {
        assert_eq!(read("26 kB"), Some((26_000.0, "B")));
        assert_eq!(read("5 Mb/s"), Some((5e6, "b/s")));
        assert_eq!(read("15 ms"), Some((0.015, "s")));
        assert_eq!(read("2^-7"), Some((0.007_812_5, "ratio")));
        assert_eq!(read("10"), Some((10.0, "count")));
        assert_eq!(read("line rate"), None);
    }

    #[test]
    fn the_buffer_has_a_slider_only_where_it_limits_a_queue() {
        let keys = |flow_control: &str| {
            let text = format!(
                "flow_control = {flow_control:?}\n[topology.star]\nstations = 3\n[[flows]]\nfrom = \"h{{1..2}}\"\nto = \"h3\"\n"
            );
            let scenario = Scenario::load(&Source::new("test.toml", text), &[]).unwrap();
            let sliders = of(&scenario.prepare(1).unwrap());
            sliders.iter().map(|slider| slider["key"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
        };
        assert!(keys("none").contains(&"network.buffer".to_owned()));
        assert!(!keys("pfc").contains(&"network.buffer".to_owned()));
    }

    #[test]
    fn sliders_surround_value_and_default() {
        let row = |key: &str, value: &str, default: &str| ParameterRow {
            key: key.to_owned(),
            managed_object: None,
            value: value.to_owned(),
            default: default.to_owned(),
            origin: String::new(),
            changed: false,
        };
        let rows =
            [row("control.qcn.cp.set_point", "40 kB", "26 kB"), row("topology.star.stations", "3", "none")];
        let sliders = among(&rows);
        assert_eq!(sliders.len(), 1);
        assert_eq!((&sliders[0]["min"], &sliders[0]["max"]), (&json!(3_250.0), &json!(320_000.0)));
        assert_eq!(sliders[0]["default"], json!(26_000.0));
        assert_eq!(among(&[row("duration", "20 ms", "1 s")])[0]["default"], Value::Null);
        assert_eq!(among(&[row("topology.dumbbell.senders", "10", "none")])[0]["default"], Value::Null);
    }
}
