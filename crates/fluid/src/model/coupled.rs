//! A plant and a control law, combined into a system of delay-differential equations.

use super::delayed::Delayed;
use super::plant::{Kind, Layout, Plant, Signals, Sources};
use super::reader::{Lag, Reader};
use crate::dde::{Bounds, Moment, System};

/// Bounds of a rate: from the minimum rate to the line rate; if the line rate is below the
/// minimum rate, the lower bound is just below the line rate.
pub(super) fn rate_bounds(min_rate: f64, line_rate: f64) -> Bounds {
    Bounds { least: min_rate.min(line_rate * (1.0 - 1e-6)), most: line_rate }
}

/// A control law: how sources change their rates. The first component of a class is the rate of one source.
pub(super) trait Law {
    /// The layout of the law's state components.
    fn layout(&self) -> Layout;

    /// Slopes of the components that all classes share.
    fn shared_slope(&self, now: &Reader<'_>, signals: &Signals, slope: &mut [f64]) {
        let _ = (now, signals, slope);
    }

    /// Slopes of a class's components.
    fn own_slope(&self, context: &Context<'_>, slope: &mut [f64]);

    fn shared_bounds(&self, component: usize) -> Bounds {
        let _ = component;
        Bounds::NONE
    }

    /// Bounds of a class's component.
    fn own_bounds(&self, component: usize, line_rate: f64) -> Bounds {
        let _ = component;
        rate_bounds(self.min_rate(), line_rate)
    }

    /// The magnitude of a shared component, which sets its accuracy.
    fn shared_scale(&self, component: usize) -> f64 {
        let _ = component;
        1.0
    }

    /// The magnitude of a class's component.
    fn own_scale(&self, component: usize, line_rate: f64) -> f64 {
        let _ = component;
        line_rate
    }

    /// Initial values of shared components.
    fn shared_start(&self, state: &mut [f64]) {
        let _ = state;
    }

    /// Shared components at the equilibrium.
    fn shared_equilibrium(&self, state: &mut [f64]) {
        self.shared_start(state);
    }

    /// Initial values of a class's components for an initial rate: by default, only the rate.
    fn own_start(&self, rate: f64, state: &mut [f64]) {
        state[0] = rate;
    }

    /// A class's components at the equilibrium with equal shares.
    fn own_equilibrium(&self, share: f64, state: &mut [f64]) {
        state[0] = share.max(self.min_rate());
    }

    /// The set point of the queue.
    fn set_point(&self) -> f64;

    /// The minimum rate of a source.
    fn min_rate(&self) -> f64;

    /// The number of functions of the received signals whose sign changes make the law jump.
    fn switches(&self) -> usize {
        0
    }

    /// The value of one of these functions.
    fn switch(&self, index: usize, received: &Signals) -> f64 {
        let _ = (index, received);
        1.0
    }

    /// The number of functions of a class's inputs whose sign changes make the law jump.
    fn own_switches(&self) -> usize {
        0
    }

    /// The value of one of these functions.
    fn own_switch(&self, index: usize, context: &Context<'_>) -> f64 {
        let _ = (index, context);
        1.0
    }
}

/// The inputs of a class's control law.
pub(super) struct Context<'a> {
    class: &'a Sources,
    pub(super) first: usize,
    pub(super) now: Reader<'a>,
    /// The state that reaches the source now, as it was when it left the congestion point.
    pub(super) then: Reader<'a>,
    /// The age of that state in seconds.
    pub(super) lag_s: f64,
    pub(super) received: Signals,
    /// The current signals at the congestion point.
    pub(super) at_point: Signals,
    /// The signals of the previous sample.
    pub(super) before: Signals,
    /// A source's rate when it caused the received signals; zero if it was off.
    pub(super) rate_then: f64,
    pub(super) weight: f64,
}

impl Context<'_> {
    /// A component of the class now.
    pub(super) fn own(&self, component: usize) -> f64 {
        self.now.component(self.first + component)
    }

    /// The queue the given number of seconds ago.
    pub(super) fn queue_ago(&self, seconds: f64) -> f64 {
        self.now.ago(seconds, 0)
    }

    /// The value of a shared component the given number of seconds ago.
    pub(super) fn shared_ago(&self, seconds: f64, component: usize) -> f64 {
        self.now.ago(seconds, 1 + component)
    }

    /// A source's rate the given number of seconds ago; zero if it was off.
    pub(super) fn rate_ago(&self, seconds: f64) -> f64 {
        let was_on = self.class.is_on(self.now.time() - seconds);
        if was_on { self.now.ago(seconds, self.first) } else { 0.0 }
    }

    /// A component of the class when the received signals were caused.
    pub(super) fn own_then(&self, component: usize) -> f64 {
        self.then.component(self.first + component)
    }

    /// A shared component when the received signals were caused.
    pub(super) fn shared_then(&self, component: usize) -> f64 {
        self.then.component(1 + component)
    }
}

/// A plant under a control law.
#[derive(Clone, Debug)]
pub(super) struct Coupled<L> {
    pub(super) plant: Plant,
    pub(super) law: L,
}

impl<L: Law> Coupled<L> {
    /// The initial state: an empty queue, and sources that will start at the given rates, one for each class; at
    /// their line rates if none are given.
    pub(super) fn start(&self, rates: Option<&[f64]>) -> Vec<f64> {
        let layout = self.law.layout();
        let mut state = vec![0.0; self.dimension()];
        self.law.shared_start(&mut state[1..=layout.shared]);
        for (index, class) in self.plant.classes.iter().enumerate() {
            if let Kind::Controlled { first, .. } = class.kind {
                let Bounds { least, most } = self.law.own_bounds(0, class.line_rate);
                let rate = rates.map_or(class.line_rate, |rates| rates[index].clamp(least, most));
                self.law.own_start(rate, &mut state[first..first + layout.own]);
            }
        }
        state
    }

    /// Equal shares and a queue 0.1 % above its set point.
    pub(super) fn near_equilibrium(&self) -> Vec<f64> {
        let (mut state, own) = (self.start(None), self.law.layout().own);
        state[0] = (1.001 * self.law.set_point()).min(self.plant.queue_bounds().most);
        self.law.shared_equilibrium(&mut state[1..=self.law.layout().shared]);
        let share = self.plant.equal_share();
        for class in &self.plant.classes {
            if let Kind::Controlled { first, .. } = class.kind {
                self.law.own_equilibrium(share.clamp(0.0, class.line_rate), &mut state[first..first + own]);
            }
        }
        for (component, value) in state.iter_mut().enumerate() {
            let Bounds { least, most } = self.bounds(component);
            *value = value.clamp(least, most);
        }
        state
    }

    /// The magnitude of every component, which sets its accuracy.
    pub(super) fn scales(&self) -> Vec<f64> {
        let shared = self.law.layout().shared;
        let scale = |component: usize| match component {
            0 => self.plant.queue_scale(),
            component if component <= shared => self.law.shared_scale(component - 1),
            component => match self.owner(component) {
                Some((class, own)) => self.law.own_scale(own, class.line_rate),
                None => 1.0,
            },
        };
        (0..self.dimension()).map(scale).collect()
    }

    fn class_slope<'a>(&self, delayed: &Delayed<'a>, class: &'a Sources, slope: &mut [f64]) {
        let Some(context) = self.context(delayed, class) else { return };
        if class.is_on(context.now.time()) {
            let first = context.first;
            self.law.own_slope(&context, &mut slope[first..first + self.law.layout().own]);
        }
    }

    /// The inputs of a class; `None` if it is not under control.
    fn context<'a>(&self, delayed: &Delayed<'a>, class: &'a Sources) -> Option<Context<'a>> {
        let Kind::Controlled { first, received: lag, before, weight } = class.kind else { return None };
        let (now, at_point) = delayed.at(Lag::None);
        let interval = self.law.layout().interval;
        let before = if interval.is_some() { delayed.at(before).1 } else { Signals::default() };
        let (then, received) = delayed.at(lag);
        let rate_then = if class.is_on(then.time()) { then.component(first) } else { 0.0 };
        let lag_s = self.plant.seconds(lag);
        Some(Context { class, first, now, then, lag_s, received, at_point, before, rate_then, weight })
    }

    fn controlled(&self) -> impl Iterator<Item = &Sources> {
        self.plant.classes.iter().filter(|class| matches!(class.kind, Kind::Controlled { .. }))
    }

    /// The class of a component, and its position within the class.
    fn owner(&self, component: usize) -> Option<(&Sources, usize)> {
        let own = self.law.layout().own;
        self.plant.classes.iter().find_map(|class| match class.kind {
            Kind::Controlled { first, .. } if (first..first + own).contains(&component) => {
                Some((class, component - first))
            }
            _ => None,
        })
    }
}

impl<L: Law> System for Coupled<L> {
    fn dimension(&self) -> usize {
        let layout = self.law.layout();
        1 + layout.shared + layout.own * self.controlled().count()
    }

    fn delays(&self) -> &[f64] {
        &self.plant.delays
    }

    fn slope(&self, moment: &Moment<'_>, slope: &mut [f64]) {
        let shared = self.law.layout().shared;
        let delayed = Delayed::new(&self.plant, moment);
        slope.fill(0.0);
        let (now, signals) = delayed.at(Lag::None);
        self.law.shared_slope(&now, &signals, &mut slope[1..=shared]);
        for class in &self.plant.classes {
            self.class_slope(&delayed, class, slope);
        }
        slope[0] = self.plant.inflow_less_capacity(&now);
    }

    fn bounds(&self, component: usize) -> Bounds {
        let shared = self.law.layout().shared;
        match component {
            0 => self.plant.queue_bounds(),
            component if component <= shared => self.law.shared_bounds(component - 1),
            component => match self.owner(component) {
                Some((class, own)) => self.law.own_bounds(own, class.line_rate),
                None => Bounds::NONE,
            },
        }
    }

    fn jumps(&self) -> Vec<f64> {
        self.plant.jumps()
    }

    fn switches(&self) -> usize {
        let of_delays = self.law.switches() * self.plant.delays.len();
        of_delays + self.law.own_switches() * self.controlled().count()
    }

    fn switch(&self, index: usize, moment: &Moment<'_>) -> f64 {
        let delayed = Delayed::new(&self.plant, moment);
        let (of_law, own) = (self.law.switches(), self.law.own_switches());
        let of_delays = of_law * self.plant.delays.len();
        match index.checked_sub(of_delays) {
            None => self.law.switch(index % of_law, &delayed.at(Lag::Delay(index / of_law)).1),
            Some(index) => {
                let class = self.controlled().nth(index / own);
                let context = class.and_then(|class| self.context(&delayed, class));
                context.map_or(1.0, |context| self.law.own_switch(index % own, &context))
            }
        }
    }
}
