//! The notification point: reports marked frames of a flow to its source.
//!
//! Time is divided into intervals from the last report or, if the point polls, from the first frame of the flow. A mark
//! at the very end of an interval belongs to the next one.

use setpoint_units::Time;

use super::{NpParams, Reports};
use crate::scheme::ReceiverPart;
use crate::{Answer, Answers, Counters, Delivery, Mark, Reading, Replies, Reply, Show};

/// A DCQCN notification point.
#[derive(Clone, Debug)]
pub struct NotificationPoint {
    params: NpParams,
    /// The beginning of an interval: the last CNP or, if the point polls, the first frame. None before that.
    start: Option<Time>,
    /// When marks that were held back are reported.
    due: Option<Time>,
    marks: u64,
    reports: u64,
}

impl NotificationPoint {
    /// Creates a notification point that has not received a frame.
    pub const fn new(params: NpParams) -> Self {
        Self { params, start: None, due: None, marks: 0, reports: 0 }
    }

    fn report(&mut self) -> Option<Reply<'static>> {
        self.reports += 1;
        Some(Reply::Congestion)
    }

    /// Handles a marked frame if marks are reported at once but no more often than the interval allows.
    fn paced(&mut self, now: Time) -> Option<Reply<'static>> {
        let free = self.start.map_or(now, |last| last + self.params.interval);
        if now >= free && self.due.is_none() {
            self.start = Some(now);
            return self.report();
        }
        if self.params.reports == Reports::Deferred {
            self.due = Some(free);
        }
        None
    }

    /// Handles a frame if the receiver polls. A marked first frame is reported at once.
    fn polled(&mut self, now: Time, mark: Mark) -> Option<Reply<'static>> {
        let marked = mark == Mark::Congested;
        let Some(start) = self.start else {
            self.start = Some(now);
            return if marked { self.report() } else { None };
        };
        if marked && self.due.is_none() {
            let interval = self.params.interval.as_picos().max(1);
            let polls = now.saturating_since(start).as_picos() / interval + 1;
            self.due =
                Some(Time::from_picos(start.as_picos().saturating_add(polls.saturating_mul(interval))));
        }
        None
    }
}

impl ReceiverPart for NotificationPoint {
    type Params = NpParams;

    fn answers(params: &NpParams) -> Answers {
        match params.reports {
            Reports::Paced | Reports::Deferred => Answers::MarkedFrames,
            Reports::Polled | Reports::Acknowledged => Answers::EveryFrame,
        }
    }

    fn replies(params: &NpParams) -> Replies {
        let acknowledges = params.reports == Reports::Acknowledged;
        Replies { acknowledged_frames: acknowledges.then_some(1), reports: params.reports.name() }
    }

    fn create(params: NpParams) -> Self {
        Self::new(params)
    }
}

impl Answer for NotificationPoint {
    fn on_delivery<'a>(&mut self, delivery: &Delivery<'a>) -> Option<Reply<'a>> {
        self.marks += u64::from(delivery.mark == Mark::Congested);
        match self.params.reports {
            Reports::Acknowledged => {
                self.reports += 1;
                Some(Reply::to(delivery))
            }
            Reports::Polled => self.polled(delivery.now, delivery.mark),
            Reports::Paced | Reports::Deferred if delivery.mark == Mark::Congested => {
                self.paced(delivery.now)
            }
            Reports::Paced | Reports::Deferred => None,
        }
    }

    fn on_timer(&mut self, now: Time) -> Option<Reply<'static>> {
        self.due.filter(|due| *due <= now)?;
        self.due = None;
        if self.params.reports == Reports::Deferred {
            self.start = Some(now);
        }
        self.report()
    }

    fn timer(&self) -> Option<Time> {
        self.due
    }

    fn counters(&self) -> Counters {
        [("marked_frames", self.marks), ("reports", self.reports)].into()
    }

    fn state(&self, show: &mut dyn Show) {
        show.show("marked_frames", Reading::Number(self.marks as i64));
        show.show("reports", Reading::Number(self.reports as i64));
        show.show("interval_start", Reading::time(self.start));
        show.show("timer", Reading::time(self.due));
    }
}
