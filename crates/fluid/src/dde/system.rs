//! The definition of a system.

/// A system of delay-differential equations `y'(t) = f(t, y(t), y(t - d1), y(t - d2), …)`.
///
/// Delays are constant, or depend on the state ([`Moment::ago`]). The right-hand side may jump at known times ([`jumps`](System::jumps)) and where a
/// function of the state changes sign ([`switch`](System::switch)); in between it is smooth. Components may
/// have bounds: a component that reaches a bound stays there while its slope points outwards.
pub trait System {
    /// The number of components of the state.
    fn dimension(&self) -> usize;

    /// The delays in seconds, each positive and finite.
    fn delays(&self) -> &[f64] {
        &[]
    }

    /// Writes the slope of every component, ignoring bounds.
    fn slope(&self, moment: &Moment<'_>, slope: &mut [f64]);

    /// The bounds of a component.
    fn bounds(&self, component: usize) -> Bounds {
        let _ = component;
        Bounds::NONE
    }

    /// Times at which the right-hand side jumps, in any order.
    fn jumps(&self) -> Vec<f64> {
        Vec::new()
    }

    /// The number of switching functions.
    fn switches(&self) -> usize {
        0
    }

    /// A function whose sign changes make the right-hand side jump, such as one on which a delayed
    /// decision depends.
    fn switch(&self, index: usize, moment: &Moment<'_>) -> f64 {
        let _ = (index, moment);
        1.0
    }
}

/// The bounds of a component.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// The minimum; minus infinity for no bound.
    pub least: f64,
    /// The maximum; infinity for no bound.
    pub most: f64,
}

impl Bounds {
    /// No bounds.
    pub const NONE: Self = Self { least: f64::NEG_INFINITY, most: f64::INFINITY };
}

/// A time, the state at that time, and the past.
#[derive(Clone, Copy)]
pub struct Moment<'a> {
    /// The time in seconds.
    pub time: f64,
    /// The state.
    pub state: &'a [f64],
    pub(super) past: &'a dyn Past,
    pub(super) delays: &'a [f64],
    pub(super) sides: &'a [Side],
}

impl<'a> Moment<'a> {
    /// A moment with its past, as constructed by a solver.
    pub fn new(time: f64, state: &'a [f64], past: &'a dyn Past, delays: &'a [f64]) -> Self {
        Self { time, state, past, delays, sides: &[] }
    }

    /// The value of a component, delayed by one of the system's delays.
    pub fn delayed(&self, delay: usize, component: usize) -> f64 {
        self.past.value(self.time - self.delays[delay], component)
    }

    /// The value that a component had the given number of seconds ago, for delays that depend on the state.
    ///
    /// The time must not be shorter than the shortest of the system's delays, since a step can be as long as that
    /// delay. Breakpoints that reach the present through such a delay are not located; error control finds them.
    pub fn ago(&self, seconds: f64, component: usize) -> f64 {
        self.past.value(self.time - seconds, component)
    }

    /// The solver's current side of a switching function, which is constant within a step; `None` if the
    /// moment was not created by the solver.
    ///
    /// A right-hand side that branches on this side rather than on the sign itself is smooth
    /// within every step, even if the stages of a step go slightly beyond the surface. This saves steps if
    /// the function depends on the current state. If it depends only on delayed values, both ways are equally
    /// good.
    pub fn side(&self, switch: usize) -> Option<Side> {
        self.sides.get(switch).copied()
    }
}

/// A side of a switching surface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The switching function is negative.
    Below,
    /// It is zero.
    On,
    /// It is positive.
    Above,
}

impl Side {
    /// The side for a value of the switching function.
    pub fn of(value: f64) -> Self {
        match value {
            value if value > 0.0 => Self::Above,
            value if value < 0.0 => Self::Below,
            _ => Self::On,
        }
    }
}

/// States at earlier times.
pub trait Past {
    /// The value of a component at an earlier time. At a jump of its slope, the value is the same from both
    /// sides.
    fn value(&self, time: f64, component: usize) -> f64;
}
