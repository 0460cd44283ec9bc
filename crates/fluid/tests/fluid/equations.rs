//! Systems of equations written as closures, and checks of their solutions.

use setpoint_fluid::dde::{Bounds, EventKind, Moment, Options, Solution, System, Tolerance};

type Slope<'a> = Box<dyn Fn(&Moment<'_>, &mut [f64]) + 'a>;
type Switch<'a> = Box<dyn Fn(&Moment<'_>) -> f64 + 'a>;

/// A system with at most one switching function.
pub(crate) struct Equations<'a> {
    slope: Slope<'a>,
    bounds: Vec<Bounds>,
    delays: Vec<f64>,
    jumps: Vec<f64>,
    switch: Option<Switch<'a>>,
}

impl<'a> Equations<'a> {
    pub(crate) fn new(dimension: usize, slope: impl Fn(&Moment<'_>, &mut [f64]) + 'a) -> Self {
        let bounds = vec![Bounds::NONE; dimension];
        Self { slope: Box::new(slope), bounds, delays: Vec::new(), jumps: Vec::new(), switch: None }
    }

    pub(crate) fn delayed(self, delay: f64) -> Self {
        Self { delays: vec![delay], ..self }
    }

    pub(crate) fn bounded(mut self, component: usize, least: f64, most: f64) -> Self {
        self.bounds[component] = Bounds { least, most };
        self
    }

    pub(crate) fn jumping_at(self, jumps: &[f64]) -> Self {
        Self { jumps: jumps.to_vec(), ..self }
    }

    pub(crate) fn switching(self, switch: impl Fn(&Moment<'_>) -> f64 + 'a) -> Self {
        Self { switch: Some(Box::new(switch)), ..self }
    }
}

impl System for Equations<'_> {
    fn dimension(&self) -> usize {
        self.bounds.len()
    }

    fn delays(&self) -> &[f64] {
        &self.delays
    }

    fn slope(&self, moment: &Moment<'_>, slope: &mut [f64]) {
        (self.slope)(moment, slope);
    }

    fn bounds(&self, component: usize) -> Bounds {
        self.bounds[component]
    }

    fn jumps(&self) -> Vec<f64> {
        self.jumps.clone()
    }

    fn switches(&self) -> usize {
        usize::from(self.switch.is_some())
    }

    fn switch(&self, _: usize, moment: &Moment<'_>) -> f64 {
        self.switch.as_ref().map_or(1.0, |switch| switch(moment))
    }
}

/// Options for an accuracy of eleven decimal places.
pub(crate) fn options(until: f64) -> Options {
    Options::new(until, Tolerance::new(1e-11, 1e-11))
}

pub(crate) fn assert_close(given: f64, expected: f64, tolerance: f64, what: &str) {
    assert!((given - expected).abs() <= tolerance, "{what}: {given}, expected {expected}");
}

pub(crate) fn times_of(solution: &Solution, kind: EventKind) -> Vec<f64> {
    solution.events().iter().filter(|event| event.kind == kind).map(|event| event.time).collect()
}
