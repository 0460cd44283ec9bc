//! Steps from one breakpoint to the next.

use super::DdeError;
use super::breakpoints::{Breakpoint, Breakpoints, Cause};
use super::crossings::Crossings;
use super::field::{Field, Point, just_before};
use super::options::{Initial, Options, shortest};
use super::pair::{Estimate, Pair, StepEnd};
use super::record::Record;
use super::solution::{Event, Solution};
use super::system::{Side, System};
use super::track::Track;
use super::wall::Wall;
use super::watch::{Found, Watch};

/// The first two factors limit how much the step length may change; with the third, the target error is below
/// the allowed one.
const SHRINK: f64 = 0.2;
const GROW: f64 = 5.0;
const SAFETY: f64 = 0.9;

/// A solution in progress.
pub(super) struct Run<'a, S> {
    pub(super) field: Field<'a, S>,
    pub(super) start: Point,
    pub(super) pair: Pair,
    pub(super) watch: Watch,
    pub(super) options: &'a Options,
    pub(super) crossings: Crossings,
    pub(super) breakpoints: Breakpoints,
    pub(super) events: Vec<Event>,
    /// The step to try next.
    step: f64,
    longest: f64,
    tried: usize,
    rejected: usize,
    /// The reason why the last step could not be computed, if it failed.
    refused: Option<DdeError>,
}

impl<'a, S: System> Run<'a, S> {
    pub(super) fn new(
        system: &'a S,
        initial: &'a Initial<'a>,
        options: &'a Options,
    ) -> Result<Self, DdeError> {
        let start = Point::new(0.0, initial.state.clone());
        let track = Track::new(0.0, &start.state, &start.slope);
        let (holds, sides) = (vec![None; system.dimension()], vec![Side::On; system.switches()]);
        let delays = system.delays();
        let field = Field { system, delays, record: Record::new(track, initial.before), holds, sides };
        let longest = options.longest_step.unwrap_or(f64::INFINITY).min(options.until).min(shortest(delays));
        let watch = Watch::new(Wall::all(system, options, longest), system.switches());
        let mut run = Self {
            pair: Pair::new(&start),
            crossings: Crossings::new(watch.values.len()),
            watch,
            breakpoints: Breakpoints::default(),
            events: Vec::new(),
            step: longest,
            tried: 0,
            rejected: 0,
            refused: None,
            field,
            start,
            options,
            longest,
        };
        run.begin(initial)?;
        Ok(run)
    }

    /// Initialises holds, sides, breakpoints and step at time zero.
    fn begin(&mut self, initial: &Initial<'_>) -> Result<(), DdeError> {
        for time in self.field.system.jumps().into_iter().filter(|&time| time > 0.0) {
            self.breakpoints.add(Breakpoint { time, order: 1, cause: Cause::Jump });
        }
        // A given history need not agree with the state, nor its slope with the solution's.
        let order = if initial.before.is_some() { 0 } else { 1 };
        self.breakpoints.spread(0.0, order, self.field.delays);
        self.refresh_sides()?;
        self.depart()?;
        self.events.clear();
        self.step = match (self.options.fixed_step, self.options.first_step) {
            (Some(fixed), _) => fixed,
            (None, Some(first)) => first.min(self.longest),
            (None, None) => self.first_step(),
        };
        Ok(())
    }

    /// A hundredth of the time in which the fastest component changes by its own size or its tolerance.
    fn first_step(&self) -> f64 {
        let components = self.start.state.iter().zip(&self.start.slope).enumerate();
        let times = components.map(|(component, (value, slope))| {
            let scale = value.abs().max(self.options.tolerance.allowed(component, *value));
            scale / slope.abs()
        });
        (0.01 * times.fold(f64::INFINITY, f64::min)).clamp(1e-9 * self.longest, self.longest)
    }

    pub(super) fn is_over(&self) -> bool {
        self.start.time >= self.options.until
    }

    pub(super) fn finish(self) -> Solution {
        Solution { track: self.field.record.track, events: self.events, rejected: self.rejected }
    }

    /// Tries a pair of steps and, if it is accurate enough, accepts it up to its first event.
    pub(super) fn advance(&mut self) -> Result<(), DdeError> {
        self.count_step()?;
        let target = self.target();
        match self.try_until(target) {
            Ok(Found::Event) => self.cross(target),
            Ok(Found::Nothing) => self.take(),
            Err(refusal) => self.refuse(target.time - self.start.time, refusal),
        }
    }

    /// Accepts the last pair if it is accurate enough.
    fn take(&mut self) -> Result<(), DdeError> {
        if !self.passes() {
            return Ok(());
        }
        self.take_middle();
        self.take_end();
        self.notice_hovering()?;
        self.arrive(None)
    }

    /// Computes a pair of steps and returns whether it encountered an event.
    pub(super) fn try_until(&mut self, target: StepEnd) -> Result<Found, DdeError> {
        self.pair.attempt(&self.field, &self.start, target)?;
        self.watch.read(&self.field, &self.start, &self.pair)
    }

    /// The end of the next pair: one step ahead, but not beyond the next breakpoint, which it meets exactly.
    fn target(&self) -> StepEnd {
        let next = self.breakpoints.next().map_or(f64::INFINITY, |next| next.time);
        let limit = next.min(self.options.until);
        let (now, rest) = (self.start.time, limit - self.start.time);
        if rest <= self.step * (1.0 + 1e-6) && rest <= self.longest * (1.0 + 1e-12) {
            let seen = if next <= self.options.until { just_before(limit) } else { limit };
            return StepEnd { time: limit, seen: seen.max(now) };
        }
        // Two steps of similar length instead of a long and a tiny one.
        let even = rest < 2.0 * self.step && self.options.fixed_step.is_none();
        let time = now + if even { 0.5 * rest } else { self.step };
        StepEnd { time, seen: time }
    }

    /// Whether the last pair is accurate enough; sets the next step in either case.
    pub(super) fn passes(&mut self) -> bool {
        if self.options.fixed_step.is_some() {
            return true;
        }
        let estimate = self.pair.estimate(&self.field, &self.start, &self.options.tolerance);
        let (length, factor) = (self.pair.end.time - self.start.time, factor(estimate));
        if estimate.end <= 1.0 && estimate.between <= 1.0 {
            // A step cut short by a breakpoint is a poor guide to the possible length of the next.
            let next = if factor < 1.0 { length * factor } else { self.step.max(length * factor) };
            self.step = next.min(self.longest);
            return true;
        }
        self.rejected += 1;
        self.step = length * factor.min(SAFETY);
        self.refused = None;
        false
    }

    /// Prepares a shorter retry for a pair that could not be computed.
    pub(super) fn refuse(&mut self, length: f64, refusal: DdeError) -> Result<(), DdeError> {
        if self.options.fixed_step.is_some() {
            return Err(refusal);
        }
        self.rejected += 1;
        self.step = SHRINK * length;
        self.refused = Some(refusal);
        Ok(())
    }

    fn count_step(&mut self) -> Result<(), DdeError> {
        let (time, step, until) = (self.start.time, self.step, self.options.until);
        if step < 16.0 * f64::EPSILON * time.max(1e-3 * self.longest) {
            let refused = self.refused.take();
            let stuck = self.is_stuck_after_crossing().then(|| self.endless());
            return Err(refused.or(stuck).unwrap_or(DdeError::StepTooShort { time, step }));
        }
        if self.tried >= self.options.most_steps {
            return Err(DdeError::TooManySteps { most: self.options.most_steps, time, until });
        }
        self.tried += 1;
        Ok(())
    }

    /// Adds the middle of the last pair to the history, unless the pair is too short to have one.
    pub(super) fn take_middle(&mut self) {
        let middle = &self.pair.middle;
        if self.start.time < middle.time && middle.time < self.pair.end.time {
            self.field.record.track.push(middle.time, &middle.state, &middle.slope);
        }
    }

    /// Adds the end of the last pair to the history and makes it the start of the next.
    pub(super) fn take_end(&mut self) {
        let end = &self.pair.end;
        self.field.record.track.push(end.time, &end.state, &end.slope);
        std::mem::swap(&mut self.start, &mut self.pair.end);
        self.field.record.forget();
    }
}

/// The factor by which the step length may change: the standard controller for errors of order five and four.
fn factor(estimate: Estimate) -> f64 {
    let end = libm::pow(estimate.end, -0.2);
    let between = libm::pow(estimate.between, -0.25);
    let factor = SAFETY * end.min(between);
    // An error that is not a number shrinks the step as far as possible.
    if factor.is_nan() { SHRINK } else { factor.clamp(SHRINK, GROW) }
}
