//! Events within a step: where the first one is, and what follows from it.

use super::DdeError;
use super::field::just_after;
use super::pair::Target;
use super::run::Run;
use super::system::{Side, System};

/// Events are located to this share of the step.
const SHARPNESS: f64 = 1e-13;

/// So many crossings within this share of the whole time are taken for endless.
const ENDLESS: usize = 64;
const INSTANT: f64 = 1e-9;

/// Steps below this share of the whole time are looked at for hovering; so many of them that hover are sliding.
const SHORT: f64 = 1e-8;
const HOVERING: usize = 256;

/// A switching function that is on its old side after so many doublings of the gap is taken to be on the other.
const DOUBLINGS: u32 = 10;

/// Room for locating events, and the crossings of late.
pub(super) struct Crossings {
    /// The event functions at both ends of the bracket, and which have turned at the later one.
    before: Vec<f64>,
    after: Vec<f64>,
    hits: Vec<bool>,
    recent: [f64; ENDLESS],
    count: usize,
    hovering: usize,
}

impl Crossings {
    pub(super) fn new(channels: usize) -> Self {
        Self {
            before: vec![0.0; channels],
            after: vec![0.0; channels],
            hits: vec![false; channels],
            recent: [f64::NEG_INFINITY; ENDLESS],
            count: 0,
            hovering: 0,
        }
    }

    /// Where the first of the functions that turn would cross zero if all were straight; the middle if that is not
    /// known.
    fn guess(&self, bracket: &Bracket) -> f64 {
        let shares = self.hits.iter().enumerate().filter(|(_, hit)| **hit).map(|(channel, _)| {
            let (before, after) = (self.before[channel], self.after[channel]);
            if before > 0.0 && after < 0.0 { before / (before - after) } else { 0.5 }
        });
        bracket.before + shares.fold(1.0, f64::min) * bracket.width()
    }
}

/// The first event lies between these lengths of a step; at the first of them nothing has happened yet.
#[derive(Clone, Copy)]
struct Bracket {
    before: f64,
    after: f64,
}

impl Bracket {
    fn width(self) -> f64 {
        self.after - self.before
    }
}

impl<S: System> Run<'_, S> {
    /// Steps to the first event of the pair made last.
    pub(super) fn cross(&mut self, target: Target) -> Result<(), DdeError> {
        let begin = self.start.time;
        let Some(bracket) = self.bracket(target)? else { return Ok(()) };
        let steps = bracket.before > 0.0;
        if steps {
            let time = begin + bracket.before;
            if let Err(refusal) = self.pair.attempt(&self.field, &self.start, Target { time, seen: time }) {
                return self.refuse(bracket.before, refusal);
            }
            if !self.passes() {
                return Ok(());
            }
        } else {
            self.pair.end.copy_from(&self.start);
        }
        self.pair.end.drift(begin + bracket.after);
        self.leave_surfaces(bracket)?;
        let order = self.meet_bounds();
        if steps {
            self.take_middle();
        }
        self.take_end();
        self.switch_sides();
        self.arrive(Some(order))?;
        self.guard()
    }

    /// Locates the first event of the pair made last, by steps of other lengths from the same start: their ends meet
    /// a bound or a surface more exactly than the cubics do. The method is that of false positions (Illinois), with
    /// bisection where it is slow. Nothing if a step could not be made.
    fn bracket(&mut self, target: Target) -> Result<Option<Bracket>, DdeError> {
        let begin = self.start.time;
        let mut bracket = Bracket { before: 0.0, after: target.time - begin };
        let sharp = (SHARPNESS * bracket.after).max(4.0 * f64::EPSILON * begin);
        self.crossings.after.copy_from_slice(&self.watch.values);
        self.crossings.hits.copy_from_slice(&self.watch.hits);
        self.watch.read_point(&self.field, &self.start)?;
        self.crossings.before.copy_from_slice(&self.watch.values);
        let (mut width_before, mut was_hit) = (f64::INFINITY, None);
        while bracket.width() > sharp {
            let slow = bracket.width() > 0.5 * width_before;
            width_before = bracket.width();
            let guess =
                if slow { bracket.before + 0.5 * bracket.width() } else { self.crossings.guess(&bracket) };
            let guess = guess.clamp(bracket.before + 0.5 * sharp, bracket.after - 0.5 * sharp);
            let time = begin + guess;
            match self.try_until(Target { time, seen: time }) {
                Ok(hit) => {
                    self.narrow(&mut bracket, guess, hit, was_hit == Some(hit));
                    was_hit = Some(hit);
                }
                Err(refusal) => return self.refuse(guess, refusal).map(|()| None),
            }
        }
        Ok(Some(bracket))
    }

    /// Moves one end of the bracket; the other counts half if it stays twice (Illinois).
    fn narrow(&mut self, bracket: &mut Bracket, guess: f64, hit: bool, again: bool) {
        let crossings = &mut self.crossings;
        let (moved, stays) = if hit {
            bracket.after = guess;
            crossings.hits.copy_from_slice(&self.watch.hits);
            (&mut crossings.after, &mut crossings.before)
        } else {
            bracket.before = guess;
            (&mut crossings.before, &mut crossings.after)
        };
        moved.copy_from_slice(&self.watch.values);
        if again {
            stays.iter_mut().for_each(|value| *value *= 0.5);
        }
    }

    /// Moves on by hairs until the functions that switch are on their new sides, so that the right-hand side is, too.
    fn leave_surfaces(&mut self, bracket: Bracket) -> Result<(), DdeError> {
        let mut gap = bracket.width();
        for _ in 0..DOUBLINGS {
            if !self.is_on_surface()? {
                break;
            }
            let time = self.pair.end.time + gap.max(4.0 * f64::EPSILON * self.pair.end.time);
            self.pair.end.drift(time);
            gap *= 2.0;
        }
        Ok(())
    }

    fn is_on_surface(&mut self) -> Result<bool, DdeError> {
        let end = &mut self.pair.end;
        end.seen = just_after(end.time);
        for (index, &side) in self.field.sides.iter().enumerate() {
            let hit = self.crossings.hits[self.watch.channel_of(index)];
            if hit && Side::of(self.field.switch(index, &self.pair.end)?) == side {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Sets components that reached a bound exactly there, and tells which derivative jumps.
    fn meet_bounds(&mut self) -> u32 {
        let mut order = 2;
        for (index, &(component, bounds)) in self.watch.bounded.iter().enumerate() {
            if self.field.holds[component].is_some() {
                continue;
            }
            for (channel, limit) in [(2 * index, bounds.least), (2 * index + 1, bounds.most)] {
                if self.crossings.hits[channel] {
                    self.pair.end.state[component] = limit;
                    order = 1;
                }
            }
        }
        let switched =
            (0..self.field.sides.len()).any(|index| self.crossings.hits[self.watch.channel_of(index)]);
        if switched { 1 } else { order }
    }

    fn switch_sides(&mut self) {
        for index in 0..self.field.sides.len() {
            if self.crossings.hits[self.watch.channel_of(index)] {
                let old = self.field.sides[index];
                let value = self.field.switch(index, &self.start).unwrap_or(0.0);
                self.set_side(index, other_side(old, Side::of(value)));
            }
        }
    }

    /// Refuses crossings without end.
    fn guard(&mut self) -> Result<(), DdeError> {
        let crossings = &mut self.crossings;
        let oldest = std::mem::replace(&mut crossings.recent[crossings.count % ENDLESS], self.start.time);
        crossings.count += 1;
        if self.start.time - oldest < INSTANT * self.options.until {
            return Err(self.endless());
        }
        Ok(())
    }

    /// Notices sliding that makes no events: where the right-hand side branches on the sign of the state of now, the
    /// stages of a short step can hop over the surface and back while its ends stay on one side. A straight line along
    /// the slope at the start of such a step crosses the surface, the step does not.
    pub(super) fn notice_hovering(&mut self) -> Result<(), DdeError> {
        // The end of the pair has become the start of the next, and the start of the pair is in its place.
        let (time, begun) = (self.start.time, &mut self.pair.end);
        if self.field.sides.is_empty() || time - begun.time > SHORT * self.options.until {
            self.crossings.hovering = 0;
            return Ok(());
        }
        begun.drift(time);
        for (switch, &side) in self.field.sides.iter().enumerate() {
            if Side::of(self.field.switch(switch, &self.pair.end)?) != side {
                self.crossings.hovering += 1;
                if self.crossings.hovering > HOVERING {
                    return Err(DdeError::Sliding { switch, time });
                }
            }
        }
        Ok(())
    }

    /// What crosses without end, if the step must be very short shortly after a crossing.
    pub(super) fn is_stuck_after_crossing(&self) -> bool {
        let latest = self.crossings.recent.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        self.start.time - latest < INSTANT * self.options.until
    }

    pub(super) fn endless(&self) -> DdeError {
        let (time, hits) = (self.start.time, &self.crossings.hits);
        let switch = (0..self.field.sides.len()).find(|&index| hits[self.watch.channel_of(index)]);
        let bound = hits.iter().position(|&hit| hit).map_or(0, |channel| channel / 2);
        match switch {
            Some(switch) => DdeError::Sliding { switch, time },
            None => DdeError::Chattering { component: self.watch.bounded[bound].0, time },
        }
    }
}

/// The side after a crossing: the one that is seen, or the opposite one where rounding hides it.
fn other_side(old: Side, seen: Side) -> Side {
    match (old, seen) {
        (Side::Above, Side::Above) => Side::Below,
        (Side::Below, Side::Below) => Side::Above,
        (_, seen) => seen,
    }
}
