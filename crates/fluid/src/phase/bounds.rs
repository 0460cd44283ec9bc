//! The bounds of the plane: queues between zero and the buffer, rates between the minimum and the maximum.

/// A rectangle of the plane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Window {
    /// Smallest and largest offset, in bytes.
    pub offset: (f64, f64),
    /// Smallest and largest excess, in bytes per second.
    pub excess: (f64, f64),
}

impl Window {
    /// The nearest point in the window.
    pub fn hold(&self, (offset, excess): (f64, f64)) -> (f64, f64) {
        (offset.clamp(self.offset.0, self.offset.1), excess.clamp(self.excess.0, self.excess.1))
    }

    /// Whether a point is inside or on the edge.
    pub fn contains(&self, point: (f64, f64)) -> bool {
        self.hold(point) == point
    }

    /// Whether the queue stays at its bound because the rates push it outwards.
    pub(super) fn holds_queue(&self, offset: f64, excess: f64) -> bool {
        pushes_out(offset, excess, self.offset)
    }

    /// Whether the rate stays at its bound because the algorithm pushes it outwards.
    pub(super) fn holds_rate(&self, excess: f64, slope: f64) -> bool {
        pushes_out(excess, slope, self.excess)
    }
}

fn pushes_out(value: f64, slope: f64, (least, most): (f64, f64)) -> bool {
    (value <= least && slope < 0.0) || (value >= most && slope > 0.0)
}
