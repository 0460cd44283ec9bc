//! Nyquist plots: the locus of the open loop in the complex plane.

use std::f64::consts::TAU;

use super::Response;
use super::reading::{Sample, leftmost, samples};
use crate::{Axis, Colour, Figure, Mark, Path, Plane, Points, Room, Symbol};
use setpoint_units::quantity::Unit;

/// Minimum and maximum extent of a plot to the left of the origin.
const REACH: (f64, f64) = (1.7, 8.0);
/// Extent to the right of the origin.
const RIGHT: f64 = 1.5;
/// Maximum number of arrow heads on a locus.
const ARROWS: usize = 8;

/// Nyquist plot: the loci of open loops for rising frequency, with the unit circle and the point -1, on equal scales. It
/// shows the surroundings of -1 and the origin, since the locus of a loop with a pole at zero is unbounded.
pub fn nyquist(name: &str, responses: &[Response<'_>]) -> Figure {
    let read: Vec<Vec<Sample>> = responses.iter().map(samples).collect();
    let farthest = read.iter().filter_map(|samples| leftmost(samples)).map(|(re, _)| -re).fold(0.0, f64::max);
    let left = -(1.3 * farthest).clamp(REACH.0, REACH.1);
    let half = (RIGHT - left) / 2.0;
    let x = Axis::linear("Real part", Unit::Ratio, (left, RIGHT));
    let y = Axis::linear("Imaginary part", Unit::Ratio, (-half, half));
    let mut figure = Figure::new(&format!("{name}-nyquist"), "Locus of the open loop", x, y);
    (figure.room, figure.plane) = (Room::Half, Plane::Complex);
    figure.marks.push(Mark::Path(Path::border("unit circle", Colour::Muted, circle())));
    for (index, (response, samples)) in responses.iter().zip(&read).enumerate() {
        let points = samples.iter().map(|sample| (sample.re, sample.im)).collect();
        let frequencies = samples.iter().map(|sample| sample.frequency).collect();
        let path = Path::solid(response.name, Colour::Series(index), points);
        let path =
            Path { arrows: ARROWS, ..path.along("Angular frequency", Unit::RadiansPerSecond, frequencies) };
        figure.marks.push(Mark::Path(path));
    }
    let points = vec![(-1.0, 0.0)];
    figure.marks.push(Mark::Points(Points {
        name: "−1".into(),
        colour: Colour::Alarm,
        symbol: Symbol::Cross,
        points,
    }));
    figure.alternative = words(&read);
    figure
}

fn circle() -> Vec<(f64, f64)> {
    (0..=180).map(|step| f64::from(step) / 180.0 * TAU).map(|angle| (angle.cos(), angle.sin())).collect()
}

fn words(read: &[Vec<Sample>]) -> String {
    let Some(samples) = read.first().filter(|samples| !samples.is_empty()) else {
        return "The open loop has no locus to show.".into();
    };
    match leftmost(samples) {
        None => "The locus of the open loop does not cross the negative real axis in the range shown.".into(),
        Some((re, frequency)) => {
            let side = match re {
                re if re > -1.0 => "to the right of −1",
                re if re < -1.0 => "to the left of −1",
                _ => "exactly at −1",
            };
            let at = Unit::RadiansPerSecond.text(frequency);
            format!(
                "The locus of the open loop crosses the negative real axis at {}, {side}, at {at}.",
                Unit::Ratio.text(re)
            )
        }
    }
}
