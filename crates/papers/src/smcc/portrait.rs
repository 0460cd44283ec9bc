//! Trajectories drawn in a phase plane.

use setpoint_fluid::phase::{Plane, Trajectory};
use setpoint_plot::{Path, Plane as PlotPlane};

use crate::prelude::*;

/// Trajectories in a phase plane, and the visible part of the plane.
pub(super) struct Portrait<'a> {
    pub(super) name: &'a str,
    pub(super) title: &'a str,
    pub(super) plane: &'a Plane,
    /// N R(0) - A, which determines the sliding part of the line; none if there is no target.
    pub(super) target: Option<f64>,
    /// The visible range of offsets, and of excesses in bits per second.
    pub(super) visible: ((f64, f64), (f64, f64)),
    pub(super) trajectories: Vec<(&'a str, Trajectory)>,
}

impl Portrait<'_> {
    pub(super) fn figure(&self) -> Figure {
        let x = Axis::linear("Offset of the queue from its set point", Unit::Bytes, self.visible.0);
        let y = Axis::linear("Excess of the rates over the bandwidth", Unit::BitsPerSecond, self.visible.1);
        let mut figure = Figure::new(self.name, self.title, x, y);
        figure.plane = PlotPlane::Phase;
        figure.room = Room::Half;
        figure.marks.extend(self.sliding_segments());
        figure.marks.extend(self.lines());
        figure.marks.extend(self.courses());
        figure.alternative =
            format!("{}: {} trajectories in the phase plane.", self.title, self.trajectories.len());
        figure
    }

    fn sliding_segments(&self) -> Vec<Mark> {
        let mark = |ends: &[(f64, f64); 2]| {
            Mark::Path(Path::sliding("sliding segment", Colour::Series(1), self.points(ends)))
        };
        self.plane.sliding_segments(self.target).iter().map(|segment| mark(&segment.ends)).collect()
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

    fn courses(&self) -> Vec<Mark> {
        let ((left, right), (low, high)) = self.visible;
        let scales = (right - left, (high - low) / self.plane.excess_bps(1.0));
        let mark = |(index, (name, course)): (usize, &(&str, Trajectory))| {
            let thin = course.thinned(scales);
            let points: Vec<(f64, f64)> =
                thin.offset.iter().copied().zip(thin.excess.iter().copied()).collect();
            // The second colour is reserved for the segment.
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
