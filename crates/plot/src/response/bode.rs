//! Bode plots: gain and phase over frequency.

use super::Response;
use super::reading::{Sample, crossover, samples};
use crate::{Axis, Colour, Direction, Figure, Mark, Path, Reference, Room};
use setpoint_units::quantity::Unit;

/// Limits of the gain axis, in decibels.
const GAINS: (f64, f64) = (-60.0, 80.0);
/// The lowest phase shown, in degrees: with a delay the phase falls without bound.
const LOWEST_PHASE: f64 = -360.0;

/// Bode plot: gain in decibels and phase in degrees over angular frequency, side by side. The crossover and the phase
/// margin shown are those of the first response.
pub fn bode(name: &str, responses: &[Response<'_>]) -> [Figure; 2] {
    let read: Vec<Vec<Sample>> = responses.iter().map(samples).collect();
    let frequencies = || read.iter().flatten().map(|sample| sample.frequency);
    let range =
        (frequencies().fold(f64::INFINITY, f64::min), frequencies().fold(f64::NEG_INFINITY, f64::max));
    let x = || Axis::logarithmic("Angular frequency", Unit::RadiansPerSecond, range);
    let mut gain = Figure::new(&format!("{name}-gain"), "Gain of the open loop", x(), gain_axis(&read));
    let mut phase = Figure::new(&format!("{name}-phase"), "Phase of the open loop", x(), phase_axis(&read));
    (gain.room, phase.room) = (Room::Half, Room::Half);
    gain.marks = curves(responses, &read, |sample| sample.gain_db);
    phase.marks = curves(responses, &read, |sample| sample.phase);
    gain.references.push(across(0.0, "gain 1"));
    phase.references.push(across(-180.0, "−180°"));
    let crossed = read.first().and_then(|samples| crossover(samples));
    if let Some((frequency, angle)) = crossed {
        let at = Unit::RadiansPerSecond.text(frequency);
        gain.references.push(upright(frequency, format!("crossover {at}")));
        phase
            .references
            .push(upright(frequency, format!("phase margin {}", Unit::Degrees.text(180.0 + angle))));
    }
    gain.alternative = words(&read, crossed.map(|(frequency, _)| frequency));
    phase.alternative = phase_words(&read, crossed);
    [gain, phase]
}

fn curves(responses: &[Response<'_>], read: &[Vec<Sample>], of: fn(&Sample) -> f64) -> Vec<Mark> {
    let curve = |(index, (response, samples)): (usize, (&Response<'_>, &Vec<Sample>))| {
        let points = samples.iter().map(|sample| (sample.frequency, of(sample))).collect();
        Mark::Path(Path::solid(response.name, Colour::Series(index), points))
    };
    responses.iter().zip(read).filter(|(_, samples)| !samples.is_empty()).enumerate().map(curve).collect()
}

/// The gain axis, which extends to the multiples of 20 dB around the gains and always includes zero.
fn gain_axis(read: &[Vec<Sample>]) -> Axis {
    let (low, high) = extent(read, |sample| sample.gain_db);
    let range = ((low / 20.0).floor() * 20.0, (high / 20.0).ceil() * 20.0);
    let range = (range.0.clamp(GAINS.0, -20.0), range.1.clamp(20.0, GAINS.1));
    // Ticks every 20 dB, as is usual, or every 40; never every 50.
    let wide = range.1 - range.0 > 100.0;
    let marked = if wide { vec![-40.0, 0.0, 40.0, 80.0] } else { Vec::new() };
    let marked = marked.into_iter().filter(|tick| (range.0..=range.1).contains(tick)).collect();
    Axis { marked, ..Axis::linear("Gain", Unit::Decibels, range) }
}

/// The phase axis, from the lowest phase to the multiple of 180 degrees above the highest.
fn phase_axis(read: &[Vec<Sample>]) -> Axis {
    let (_, high) = extent(read, |sample| sample.phase);
    let (low, high) = (LOWEST_PHASE, ((high / 180.0).ceil() * 180.0).clamp(0.0, 180.0));
    let ticks = ((high - low) / 90.0).round() as u32;
    let marked = (0..=ticks).map(|tick| low + 90.0 * f64::from(tick)).collect();
    Axis { marked, ..Axis::linear("Phase", Unit::Degrees, (low, high)) }
}

fn extent(read: &[Vec<Sample>], of: fn(&Sample) -> f64) -> (f64, f64) {
    let values = || read.iter().flatten().map(of);
    if values().next().is_none() {
        return (0.0, 0.0);
    }
    (values().fold(f64::INFINITY, f64::min), values().fold(f64::NEG_INFINITY, f64::max))
}

fn across(at: f64, label: &str) -> Reference {
    Reference { label: label.into(), at, direction: Direction::Across }
}

fn upright(at: f64, label: String) -> Reference {
    Reference { label, at, direction: Direction::Upright }
}

fn words(read: &[Vec<Sample>], crossover: Option<f64>) -> String {
    let Some([first, .., last]) = read.first().map(Vec::as_slice) else {
        return "The open loop has no response to show.".into();
    };
    let at = |sample: &Sample| {
        let frequency = Unit::RadiansPerSecond.text(sample.frequency);
        format!("{} at {frequency}", Unit::Decibels.text(sample.gain_db))
    };
    let crossed = crossover.map_or("It does not fall to one in this range.".to_owned(), |frequency| {
        format!("It falls to one at {}.", Unit::RadiansPerSecond.text(frequency))
    });
    format!("The gain of the open loop goes from {} to {}. {crossed}", at(first), at(last))
}

fn phase_words(read: &[Vec<Sample>], crossover: Option<(f64, f64)>) -> String {
    let Some(first) = read.first().and_then(|samples| samples.first()) else {
        return "The open loop has no response to show.".into();
    };
    let start = format!("The phase of the open loop begins at {}", Unit::Degrees.text(first.phase));
    crossover.map_or(format!("{start}."), |(_, phase)| {
        let margin = Unit::Degrees.text(phase + 180.0);
        format!("{start}; at unity gain it is {}, a margin of {margin}.", Unit::Degrees.text(phase))
    })
}
