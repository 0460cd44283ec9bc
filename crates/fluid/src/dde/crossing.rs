//! Events within a step: locating the first one and processing it.

use super::DdeError;
use super::crossings::Bracket;
use super::field::just_after;
use super::pair::StepEnd;
use super::run::Run;
use super::system::{Side, System};
use super::watch::Found;

/// Events are located to this fraction of the step.
const SHARPNESS: f64 = 1e-13;

/// If a switching function is still on its old side after this many doublings of the gap, it counts as being on
/// the other side.
const DOUBLINGS: u32 = 16;

impl<S: System> Run<'_, S> {
    /// Advances to the first event within the last pair.
    pub(super) fn cross(&mut self, target: StepEnd) -> Result<(), DdeError> {
        let begin = self.start.time;
        let Some(bracket) = self.bracket(target)? else { return Ok(()) };
        let steps = bracket.before > 0.0;
        if steps {
            let time = begin + bracket.before;
            if let Err(refusal) = self.pair.attempt(&self.field, &self.start, StepEnd { time, seen: time }) {
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
        self.switch_sides()?;
        self.arrive(Some(order))?;
        self.guard()
    }

    /// Locates the first event within the last pair by taking steps of other lengths from the same start, whose
    /// ends meet a bound or surface more accurately than the cubics do. Uses the false position method
    /// (Illinois), with bisection if it converges slowly. Returns `None` if a step could not be computed.
    fn bracket(&mut self, target: StepEnd) -> Result<Option<Bracket>, DdeError> {
        let begin = self.start.time;
        let mut bracket = Bracket { before: 0.0, after: target.time - begin, last: None };
        let sharp = (SHARPNESS * bracket.after).max(4.0 * f64::EPSILON * begin);
        self.crossings.after.copy_from_slice(&self.watch.values);
        self.crossings.hits.copy_from_slice(&self.watch.hits);
        self.watch.read_point(&self.field, &self.start)?;
        self.crossings.before.copy_from_slice(&self.watch.values);
        let mut width_before = f64::INFINITY;
        while bracket.width() > sharp {
            let slow = bracket.width() > 0.5 * width_before;
            width_before = bracket.width();
            let middle = bracket.before + 0.5 * bracket.width();
            let guess = if slow { middle } else { self.crossings.guess(&bracket) };
            let guess = guess.clamp(bracket.before + 0.5 * sharp, bracket.after - 0.5 * sharp);
            let time = begin + guess;
            match self.try_until(StepEnd { time, seen: time }) {
                Ok(found) => self.narrow(&mut bracket, guess, found),
                Err(refusal) => return self.refuse(guess, refusal).map(|()| None),
            }
        }
        Ok(Some(bracket))
    }

    /// Moves one end of the bracket; the value at the other end is halved if that end stays in
    /// place twice in a row (Illinois).
    fn narrow(&mut self, bracket: &mut Bracket, guess: f64, found: Found) {
        let crossings = &mut self.crossings;
        let (moved, stays) = match found {
            Found::Event => {
                bracket.after = guess;
                crossings.hits.copy_from_slice(&self.watch.hits);
                (&mut crossings.after, &mut crossings.before)
            }
            Found::Nothing => {
                bracket.before = guess;
                (&mut crossings.before, &mut crossings.after)
            }
        };
        moved.copy_from_slice(&self.watch.values);
        if bracket.last.replace(found) == Some(found) {
            stays.iter_mut().for_each(|value| *value *= 0.5);
        }
    }

    /// Advances in tiny steps until the changed functions have visibly changed sign, so that the right-hand side also
    /// sees the change: rounding of the state may hide the change that the bracket found.
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

    /// Whether a changed switching function is still on its old side, or a component to be released is still
    /// held.
    fn is_on_surface(&mut self) -> Result<bool, DdeError> {
        self.pair.end.seen = just_after(self.pair.end.time);
        let (walls, switches) = self.crossings.hits.split_at(self.watch.walls.len());
        let holds = &self.field.holds;
        let mut released =
            self.watch.walls.iter().zip(walls).filter(|(wall, hit)| **hit && wall.holds(holds));
        if released.clone().next().is_some() {
            self.field.evaluate_raw(&mut self.pair.end)?;
            if released.any(|(wall, _)| wall.keeps(holds, &self.pair.end)) {
                return Ok(true);
            }
        }
        for ((index, &side), _) in self.field.sides.iter().enumerate().zip(switches).filter(|(_, hit)| **hit)
        {
            if Side::of(self.field.switch(index, &self.pair.end)?) == side {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Sets components that reached a bound exactly to that bound, and returns the order of the derivative
    /// that jumps.
    fn meet_bounds(&mut self) -> u32 {
        let (walls, switches) = self.crossings.hits.split_at(self.watch.walls.len());
        let mut order = if switches.contains(&true) { 1 } else { 2 };
        for (wall, _) in self.watch.walls.iter().zip(walls).filter(|(_, hit)| **hit) {
            if self.field.holds[wall.component].is_none() {
                self.pair.end.state[wall.component] = wall.limit;
                order = 1;
            }
        }
        order
    }

    fn switch_sides(&mut self) -> Result<(), DdeError> {
        for index in 0..self.field.sides.len() {
            if self.crossings.hits[self.watch.walls.len() + index] {
                let seen = Side::of(self.field.switch(index, &self.start)?);
                self.set_side(index, other_side(self.field.sides[index], seen));
            }
        }
        Ok(())
    }
}

/// The side after a crossing: the observed one, or the opposite of the old one if rounding hides it.
fn other_side(old: Side, seen: Side) -> Side {
    match (old, seen) {
        (Side::Above, Side::Above) => Side::Below,
        (Side::Below, Side::Below) => Side::Above,
        (_, seen) => seen,
    }
}
