//! Bode and Nyquist plots of two loops, and the trajectory of one of them in its phase plane.
//!
//! `cargo run -p setpoint-plot --example bode -- FOLDER` writes `loop-gain.svg`, `loop-phase.svg`, `loop-nyquist.svg`
//! and `phase-plane.svg`.

use std::{env, fs, io, path::PathBuf};

use setpoint_plot::{
    Axis, Colour, Figure, Mark, Path, Plane, Response, Room, Size, Style, Surface, Unit, bode, nyquist,
};

/// An integrator with a delay, `k e^{-sT}/s`, as angular frequency, real and imaginary part.
fn delayed_integrator(gain: f64, delay: f64) -> Vec<(f64, f64, f64)> {
    let point = |step: i32| {
        let w = 1e3 * 10f64.powf(f64::from(step) / 150.0);
        (w, -gain / w * (w * delay).sin(), -gain / w * (w * delay).cos())
    };
    (0..=450).map(point).collect()
}

/// A damped oscillation: deviation of the rate against deviation of the queue.
fn phase_plane() -> Figure {
    let times: Vec<f64> = (0..2000).map(|step| f64::from(step) * 1e-6).collect();
    let point = |&t: &f64| {
        let (decay, angle) = ((-t / 4e-4).exp(), std::f64::consts::TAU * t / 4e-4);
        (20e3 * decay * angle.cos(), 2e9 * decay * angle.sin())
    };
    let points = times.iter().map(point).collect();
    let x = Axis::linear("Queue above set point", Unit::Bytes, (-20e3, 25e3));
    let y = Axis::linear("Rate above fair share", Unit::BitsPerSecond, (-2e9, 2e9));
    let mut figure = Figure::new("phase-plane", "Return to equilibrium", x, y);
    (figure.plane, figure.room) = (Plane::Phase, Room::Half);
    figure.alternative = "The trajectory spirals into the origin.".into();
    let path = Path::trajectory("trajectory", Colour::Series(0), points);
    figure.marks.push(Mark::Path(path.along("Time", Unit::Seconds, times)));
    figure
}

fn main() -> io::Result<()> {
    let folder = PathBuf::from(env::args().nth(1).unwrap_or_else(|| ".".into()));
    let (slow, fast) = (delayed_integrator(2e4, 40e-6), delayed_integrator(5e4, 25e-6));
    let loops = [
        Response { name: "20 krad/s, delay 40 µs", points: &slow },
        Response { name: "50 krad/s, delay 25 µs", points: &fast },
    ];
    let figures = bode("loop", &loops).into_iter().chain([nyquist("loop", &loops), phase_plane()]);
    for figure in figures {
        let path = folder.join(format!("{}.svg", figure.name));
        fs::write(path, figure.svg(Size::Wide, Surface::File(Style::SCREEN)))?;
    }
    Ok(())
}
