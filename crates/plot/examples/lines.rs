//! A step response: a line, a band, events and a reference line.
//!
//! `cargo run -p setpoint-plot --example lines -- FOLDER` writes `lines.svg`.

use std::{env, fs, io, path::PathBuf};

use setpoint_plot::{
    Axis, Band, Colour, Direction, Figure, Line, Mark, Reduction, Reference, Shape, Size, Style, Surface,
    Unit, merged,
};

/// A queue that follows a set point, which is lowered after 60 ms.
fn queue(time: f64) -> f64 {
    let settle = |since: f64, from: f64, to: f64| {
        to + (from - to) * (-since / 9e-3).exp() * (std::f64::consts::TAU * since / 18e-3).cos()
    };
    if time < 0.06 { settle(time, 0.0, 26e3) } else { settle(time - 0.06, 26e3, 16e3) }
}

fn main() -> io::Result<()> {
    let folder = PathBuf::from(env::args().nth(1).unwrap_or_else(|| ".".into()));
    let times: Vec<f64> = (0..=1200).map(|step| f64::from(step) * 1e-4).collect();

    let x = Axis::linear("Time", Unit::Seconds, (0.0, 0.12));
    let y = Axis::from_zero("Queue", Unit::Bytes, 45e3);
    let mut figure = Figure::new("lines", "Queue at the bottleneck", x, y);
    figure.alternative = "The queue oscillates around the set point of 26 kB and settles within 40 ms. \
                          After 60 ms it settles at 16 kB."
        .into();
    figure.note = "The band spans the smallest and the largest queue of 20 runs.".into();
    figure.marks = vec![
        Mark::Band(Band {
            name: "20 runs".into(),
            colour: Colour::Series(0),
            opacity: 0.2,
            reduction: Reduction::Extremes,
            points: times.iter().map(|&t| (t, (queue(t) - 3e3).max(0.0), queue(t) + 3e3)).collect(),
        }),
        Mark::Line(Line {
            name: "mean".into(),
            colour: Colour::Series(0),
            shape: Shape::Straight,
            points: times.iter().map(|&t| (t, queue(t))).collect(),
        }),
    ];
    figure.events = merged([
        (0.06, "set point 16 kB".to_owned()),
        (0.06, "flow 3 starts".to_owned()),
        (0.1, "flow 3 stops".to_owned()),
    ]);
    figure.references.push(Reference {
        label: "first set point 26 kB".into(),
        at: 26e3,
        direction: Direction::Across,
    });
    fs::write(folder.join("lines.svg"), figure.svg(Size::Wide, Surface::File(Style::SCREEN)))
}
