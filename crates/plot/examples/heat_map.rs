//! A heat map over two lists, and a map over two continuous quantities with contours.
//!
//! `cargo run -p setpoint-plot --example heat_map -- FOLDER` writes `heat-map.svg` and `field-map.svg`.

use std::{env, fs, io, path::PathBuf};

use setpoint_plot::{
    Axis, Better, Border, FieldMap, HeatCell, HeatMap, Panel, Places, Ramp, Room, Size, Style, Surface,
    Threshold, Unit, scale_for, spanning,
};

/// Longest queue in bytes; the largest network was not simulated with the highest set point.
fn longest_queue(senders: u32, set_point: u32) -> Option<f64> {
    let known = senders < 64 || set_point < 52;
    known.then(|| 1e3 * f64::from(set_point) * (1.0 + f64::from(senders).sqrt() / 3.0))
}

fn heat_map() -> HeatMap {
    let (senders, set_points) = ([2, 4, 8, 16, 32, 64], [13, 26, 39, 52]);
    let values = senders.iter().flat_map(|&s| set_points.iter().filter_map(move |&p| longest_queue(s, p)));
    let scale = scale_for("Longest queue", Unit::Bytes, values);
    let sides = (
        Places::new("Senders", senders.map(|count| count.to_string()).to_vec()),
        Places::new("Set point", set_points.map(|size| format!("{size} kB")).to_vec()),
    );
    let mut map = HeatMap::new("heat-map", "Longest queue by senders and set point", sides, scale);
    let cell = |s: u32, p: u32| HeatCell::new(longest_queue(s, p));
    let rows = set_points.map(|p| senders.map(|s| cell(s, p)).to_vec()).to_vec();
    map.panels.push(Panel { title: String::new(), rows });
    map.better = Some(Better::Smaller);
    map.missing = "not simulated".into();
    map.threshold = Some(Threshold { at: 100e3, meaning: "frames are lost".into() });
    map.room = Room::Full;
    map
}

/// Phase margin of an integrator with a delay: 90 degrees minus the product of gain and delay.
fn field_map() -> FieldMap {
    let gains: Vec<f64> = (0..=80).map(|step| 1e3 * 30f64.powf(f64::from(step) / 80.0)).collect();
    let delays: Vec<f64> = (0..=80).map(|step| 5e-6 + 2e-6 * f64::from(step)).collect();
    let axes = (spanning("Gain", Unit::RadiansPerSecond, &gains), spanning("Delay", Unit::Seconds, &delays));
    let scale = Axis::linear("Phase margin", Unit::Degrees, (-90.0, 90.0));
    let mut map = FieldMap::new("field-map", "Phase margin by gain and delay", axes, scale);
    let margin = |gain: f64, delay: f64| 90.0 - (gain * delay).to_degrees();
    map.values = delays.iter().map(|d| gains.iter().map(|g| Some(margin(*g, *d))).collect()).collect();
    (map.columns, map.rows) = (gains, delays);
    map.ramp = Ramp::Diverging(0.0);
    map.border = Some(Border::new(0.0, "stability boundary").between("unstable", "stable"));
    map.contours = vec![30.0, 60.0];
    map
}

fn main() -> io::Result<()> {
    let folder = PathBuf::from(env::args().nth(1).unwrap_or_else(|| ".".into()));
    fs::write(folder.join("heat-map.svg"), heat_map().svg(Size::Wide, Surface::File(Style::SCREEN)))?;
    fs::write(folder.join("field-map.svg"), field_map().svg(Size::Wide, Surface::File(Style::SCREEN)))
}
