//! The phase planes of cases, and what is drawn of them.

use std::sync::OnceLock;

use setpoint_fluid::phase::{Plane, PlaneOptions, Trajectory};
use setpoint_lab::metrics::moments::Moments;
use setpoint_lab::theory::{Form, form};
use setpoint_report::plot::{Axis, Colour, Figure, Mark, Path, Plane as Look, Room};
use setpoint_report::quantity::Unit;

use crate::case::Case;
use crate::runs::Seed;

/// The fluid form of a case.
///
/// # Panics
/// If there is none, which is a mistake in the experiment.
pub(super) fn fluid(case: &Case) -> Form {
    let prepared = case.prepare(1, 1.0);
    let prepared = prepared.unwrap_or_else(|wrong| panic!("{}: {wrong}", case.name));
    form(&prepared).unwrap_or_else(|none| panic!("{}: {none}", case.name))
}

/// The phase plane of a case in a reading of the equations.
///
/// # Panics
/// As [`fluid`] does.
pub(super) fn plane(case: &Case, reading: &PlaneOptions) -> Plane {
    let form = fluid(case);
    Plane::with_options(&form.bottleneck, &form.scheme, reading)
        .unwrap_or_else(|none| panic!("{}: {none}", case.name))
}

/// The swing of a trajectory, measured as that of packets is: the deviation of the queue, sampled every millisecond, in
/// bytes.
pub(super) fn swing(course: &Trajectory, (from, to): (f64, f64)) -> f64 {
    let samples = ((to - from) * 1e3).round() as usize;
    let offset = |sample: usize| course.offset_at(from + (sample as f64 + 1.0) * 1e-3);
    Moments::of((0..samples).map(offset)).deviation()
}

/// What a claim measures that is the same in every seed, since no packet has a part in it.
pub(super) fn once(
    compute: impl Fn() -> Option<f64> + Send + Sync + 'static,
) -> impl Fn(&Seed<'_>) -> Option<f64> + Send + Sync + 'static {
    let value = OnceLock::new();
    move |_| *value.get_or_init(&compute)
}

/// A portrait: what is drawn in a plane, and how much of the plane is seen.
pub(super) struct Portrait<'a> {
    pub(super) name: &'a str,
    pub(super) title: &'a str,
    pub(super) plane: &'a Plane,
    /// N R(0) - A, for the part of the line that slides; none where there is no target.
    pub(super) target: Option<f64>,
    /// The offsets and the excesses, in bits per second, that are seen.
    pub(super) seen: ((f64, f64), (f64, f64)),
    pub(super) trajectories: Vec<(&'a str, Trajectory)>,
}

impl Portrait<'_> {
    pub(super) fn figure(&self) -> Figure {
        let x = Axis::linear("Offset of the queue from its set point", Unit::Bytes, self.seen.0);
        let y = Axis::linear("Excess of the rates over the bandwidth", Unit::BitsPerSecond, self.seen.1);
        let mut figure = Figure::new(self.name, self.title, x, y);
        figure.plane = Look::Phase;
        figure.room = Room::Half;
        figure.marks.extend(self.sliding());
        figure.marks.extend(self.lines());
        figure.marks.extend(self.courses());
        figure.alternative =
            format!("{}: {} trajectories in the phase plane.", self.title, self.trajectories.len());
        figure
    }

    fn lines(&self) -> Vec<Mark> {
        let window = self.plane.window();
        let across =
            self.plane.lines().into_iter().filter_map(|line| Some((line.name, line.across(&window)?)));
        let mark = |(name, ends): (&str, [(f64, f64); 2])| {
            Mark::Path(Path::border(format!("line {name}"), Colour::Muted, self.points(&ends)))
        };
        across.map(mark).collect()
    }

    fn sliding(&self) -> Vec<Mark> {
        let segments = self.plane.sliding_segments(self.target);
        let mark = |ends: &[(f64, f64); 2]| {
            Mark::Path(Path::sliding("sliding segment", Colour::Series(1), self.points(ends)))
        };
        segments.iter().map(|segment| mark(&segment.ends)).collect()
    }

    fn courses(&self) -> Vec<Mark> {
        let ((left, right), (low, high)) = self.seen;
        let scales = (right - left, (high - low) / self.plane.excess_bps(1.0));
        let mark = |(index, (name, course)): (usize, &(&str, Trajectory))| {
            let thin = course.thinned(scales);
            let points: Vec<(f64, f64)> =
                thin.offset.iter().copied().zip(thin.excess.iter().copied()).collect();
            // The second colour is that of the segment.
            let colour = Colour::Series(if index == 0 { 0 } else { index + 1 });
            let path = Path::trajectory(*name, colour, self.points(&points));
            Mark::Path(path.along("Time", Unit::Seconds, thin.time_s))
        };
        self.trajectories.iter().enumerate().map(mark).collect()
    }

    fn points(&self, points: &[(f64, f64)]) -> Vec<(f64, f64)> {
        points.iter().map(|(offset, excess)| (*offset, self.plane.excess_bps(*excess))).collect()
    }
}
