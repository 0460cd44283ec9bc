//! The end of a step: processing the breakpoints there and continuing beyond them.

use super::DdeError;
use super::breakpoints::Cause;
use super::field::just_after;
use super::run::Run;
use super::solution::{Bound, Event, EventKind};
use super::system::{Side, System};

impl<S: System> Run<'_, S> {
    /// Processes the end of a step: the breakpoints reached there, and the event, if any,
    /// given as the order of the derivative that jumps.
    pub(super) fn arrive(&mut self, event: Option<u32>) -> Result<(), DdeError> {
        let time = self.start.time;
        let mut order = event.or_else(|| self.is_at_wall().then_some(1));
        while let Some(breakpoint) = self.breakpoints.take(time) {
            order = Some(order.map_or(breakpoint.order, |order| order.min(breakpoint.order)));
            if breakpoint.cause == Cause::Jump {
                self.events.push(Event { time, kind: EventKind::Jump });
            }
        }
        let Some(order) = order else { return Ok(()) };
        self.breakpoints.spread(time, order, self.field.delays);
        self.start.seen = just_after(time);
        if event.is_none() {
            self.refresh_sides()?;
        }
        self.depart()
    }

    /// Whether a free component ended a step exactly at a wall, with its slope pointing outwards or zero.
    fn is_at_wall(&self) -> bool {
        let holds = &self.field.holds;
        self.watch.walls.iter().any(|wall| holds[wall.component].is_none() && wall.keeps(holds, &self.start))
    }

    /// Determines the sides of all switching functions again, since a jump may have changed them.
    pub(super) fn refresh_sides(&mut self) -> Result<(), DdeError> {
        for index in 0..self.field.sides.len() {
            // A value of zero is on neither side: the next step shows whether it stays zero.
            match Side::of(self.field.switch(index, &self.start)?) {
                Side::On => {}
                side => self.set_side(index, side),
            }
        }
        Ok(())
    }

    pub(super) fn set_side(&mut self, index: usize, side: Side) {
        if self.field.sides[index] != side {
            self.field.sides[index] = side;
            self.events.push(Event { time: self.start.time, kind: EventKind::Switched { index } });
        }
    }

    /// Continues from a breakpoint with new slopes, holding or releasing components accordingly.
    pub(super) fn depart(&mut self) -> Result<(), DdeError> {
        self.field.evaluate(&mut self.start)?;
        for index in 0..self.watch.walls.len() {
            let wall = self.watch.walls[index];
            let keeps = wall.keeps(&self.field.holds, &self.start);
            match self.field.holds[wall.component] {
                None if keeps => self.hold(wall.component, wall.bound),
                Some(bound) if bound == wall.bound && !keeps => self.release(wall.component, bound),
                _ => {}
            }
        }
        self.start.slope.copy_from_slice(&self.start.raw);
        self.field.hold(&mut self.start.slope);
        self.field.record.track.depart(&self.start.slope);
        self.field.record.forget();
        Ok(())
    }

    fn hold(&mut self, component: usize, bound: Bound) {
        self.field.holds[component] = Some(bound);
        let kind = EventKind::Reached { component, bound };
        self.events.push(Event { time: self.start.time, kind });
    }

    fn release(&mut self, component: usize, bound: Bound) {
        self.field.holds[component] = None;
        let kind = EventKind::Released { component, bound };
        self.events.push(Event { time: self.start.time, kind });
    }
}
