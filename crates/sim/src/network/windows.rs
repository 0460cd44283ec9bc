//! Running a network from one time to another: a single partition at a stretch, or several in windows.
//!
//! Within a window, no partition can affect another. A window begins with the earliest event and is as long as the lookahead.
//! Under flow control, no window crosses a tick, at which observers read the notes of all partitions.

use setpoint_units::Time;

use super::notes::tick_after;
use super::parcel::Parcel;
use super::partition::Partition;
use super::{Network, after};
use crate::error::SimError;
use crate::index::PartNo;
use crate::monitor::Monitor;

impl Network {
    /// Processes all events before a time, and shows observers what they need to see.
    pub(super) fn run_until(&mut self, time: Time, monitor: &mut dyn Monitor) -> Result<(), SimError> {
        if self.parts.len() == 1 { self.run_alone(time, monitor) } else { self.run_windows(time, monitor) }
    }

    fn run_alone(&mut self, time: Time, monitor: &mut dyn Monitor) -> Result<(), SimError> {
        loop {
            let only = &mut self.parts[PartNo(0)];
            only.cx.until = only.cx.tick().map_or(time, |tick| tick.min(time));
            only.process();
            let cx = &mut only.cx;
            self.now = cx.now;
            if let Some(error) = cx.violation.take() {
                self.pass_on(after(self.now), monitor);
                return Err(error);
            }
            if cx.was_interrupted() {
                self.pass_on(self.now, monitor);
                continue;
            }
            cx.now = cx.until;
            self.now = cx.now;
            self.read_notes();
            if self.now == time {
                return Ok(());
            }
        }
    }

    fn run_windows(&mut self, time: Time, monitor: &mut dyn Monitor) -> Result<(), SimError> {
        loop {
            // What partitions have sent each other since the last window, or when the network was changed.
            self.exchange();
            let next = self.parts.iter_mut().filter_map(Partition::next_time).min();
            let begin = next.unwrap_or(Time::MAX);
            let first_note = self.parts.iter().filter_map(|part| part.cx.tick()).min();
            if let Some(tick) = first_note.map(|tick| tick.min(time))
                && begin >= tick
            {
                self.reach(tick);
                self.read_notes();
            }
            if begin >= time {
                self.reach(time);
                return Ok(());
            }
            let mut end = begin.saturating_add(self.lookahead).min(time);
            if self.rules.lossless {
                end = end.min(tick_after(begin));
            }
            self.parts.iter_mut().for_each(|part| part.run_window(end));
            self.check_violations(monitor)?;
            self.pass_on(end, monitor);
        }
    }

    /// Sets the clocks of all partitions, which have no earlier events.
    fn reach(&mut self, time: Time) {
        self.now = time;
        self.parts.iter_mut().for_each(|part| part.cx.now = time);
    }

    /// Delivers the parcels of all partitions.
    fn exchange(&mut self) {
        for from in self.parts.numbers() {
            for to in self.parts.numbers() {
                let mut parcels: Vec<Parcel> = std::mem::take(self.parts[from].cx.outbox.parcels_for(to));
                self.parts[to].receive(parcels.drain(..));
                *self.parts[from].cx.outbox.parcels_for(to) = parcels;
            }
        }
    }

    /// Ends the run if something is wrong in a partition: with what happened first.
    fn check_violations(&mut self, monitor: &mut dyn Monitor) -> Result<(), SimError> {
        let violated = self.parts.numbers().filter(|part| self.parts[*part].cx.violation.is_some());
        let Some(first) = violated.min_by_key(|part| self.parts[*part].cx.now) else { return Ok(()) };
        self.now = self.parts[first].cx.now;
        self.pass_on(after(self.now), monitor);
        self.parts[first].cx.violation.take().map_or(Ok(()), Err)
    }
}
