//! Applies inputs one at a time.

use setpoint_control::{
    Answer as _, BridgeNeeds, CongestionPoint, Feedback, NotificationPoint, Observe, React, ReactionPoint,
    ReactionPointParams, Reply, Update,
};
use setpoint_random::{Purpose, RandomStream};
use setpoint_units::Time;

use super::answer::{Answer, Outcome, Reaction, SentReply, Snapshot};
use super::draws::Draws;
use super::input::{CONGESTION_POINT, Event, Input, Start};
use super::problem::Problem;
use super::read::{self, Defaults};
use super::setup::{Point, Setup};

/// The points of an algorithm, driven one input at a time.
///
/// Time never runs backwards. Random numbers are those that the simulator gives to its first congestion point and
/// its first reaction point, unless an input provides its own.
#[derive(Clone, Debug)]
pub struct Stepper {
    base: Setup,
    only: Option<Point>,
    /// Inputs since the last start.
    steps: u64,
    now: Time,
    points: Points,
}

#[derive(Clone, Debug)]
struct Points {
    here: Option<Point>,
    congestion: CongestionPoint,
    /// Whether the congestion point marks frames that enter or leave the queue.
    needs: BridgeNeeds,
    /// None if the receivers of the algorithm do not reply.
    notification: Option<NotificationPoint>,
    reaction: ReactionPoint,
    /// The parameters of the reaction point, which determine how notifications are interpreted.
    reads: ReactionPointParams,
    random: [RandomStream; 2],
}

impl Stepper {
    /// Creates the points of a setup in their initial state. If `only` is given, inputs for other points are
    /// refused.
    ///
    /// # Errors
    /// Returns an error if the parameters are incompatible.
    pub fn new(base: Setup, only: Option<Point>) -> Result<Self, Problem> {
        let points = Points::new(&base, only)?;
        Ok(Self { base, only, steps: 0, now: Time::ZERO, points })
    }

    /// Parses and applies a line.
    ///
    /// # Errors
    /// Returns an error if the line is not an input or is not allowed at this time.
    pub fn step(&mut self, line: &str) -> Result<Answer, Problem> {
        let (reply_due, due) = (self.reply_due(), self.points.reaction.timer());
        let input = read::input(line, &Defaults { now: self.now, reply_due, due, base: &self.base })?;
        self.apply(input)
    }

    /// Applies an input.
    ///
    /// # Errors
    /// Returns an error if the input is for the wrong point, is out of order, or provides too few random numbers.
    pub fn apply(&mut self, input: Input) -> Result<Answer, Problem> {
        self.check(&input)?;
        if let Event::Start(start) = &input.event {
            self.begin(start)?;
        } else {
            self.steps += 1;
            self.now = input.event.time().unwrap_or(self.now);
        }
        let random = input.random.as_deref();
        let (outcome, drawn) = self.points.apply(&input.event, random);
        match random {
            Some(given) if given.len() < drawn.len() => {
                Err(Problem::TooFewRandom { given: given.len(), drawn: drawn.len() })
            }
            _ => Ok(self.answer(input, outcome, drawn)),
        }
    }

    /// The reaction point.
    #[must_use]
    pub fn reaction_point(&self) -> &ReactionPoint {
        &self.points.reaction
    }

    /// The expiry time of the notification point's timer, if it runs.
    #[must_use]
    pub fn reply_due(&self) -> Option<Time> {
        self.points.notification.as_ref()?.timer()
    }

    /// The time of the last input.
    #[must_use]
    pub fn now(&self) -> Time {
        self.now
    }

    fn check(&self, input: &Input) -> Result<(), Problem> {
        let starts = matches!(input.event, Event::Start(_));
        let here = if starts { self.only } else { self.points.here };
        match (input.event.point(), here) {
            (Some(there), Some(here)) if there != here => {
                return Err(Problem::OtherPoint { input: input.event.name(), there, here });
            }
            (Some(Point::Notification), _) if !starts && self.points.notification.is_none() => {
                return Err(Problem::NoReceiver { input: input.event.name() });
            }
            _ if matches!(input.event, Event::Dequeue(_)) && !self.points.needs.departures => {
                return Err(Problem::NoDepartures { input: input.event.name() });
            }
            _ => {}
        }
        match input.event.time() {
            Some(given) if given < self.now => {
                Err(Problem::Backwards { given: given.as_picos(), last: self.now.as_picos() })
            }
            _ => Ok(()),
        }
    }

    fn begin(&mut self, start: &Start) -> Result<(), Problem> {
        self.points = Points::new(&start.setup, start.point.or(self.only))?;
        (self.steps, self.now) = (0, Time::ZERO);
        Ok(())
    }

    fn answer(&self, input: Input, outcome: Outcome, drawn: Vec<u32>) -> Answer {
        let point = input.event.point().or(self.points.here);
        let is_shown = |one: &Point| point.is_none_or(|point| point == *one);
        let snapshots = Point::ALL.into_iter().filter(is_shown);
        let snapshots = snapshots.filter_map(|point| self.points.snapshot(point)).collect();
        Answer { step: self.steps, input, outcome, drawn, snapshots }
    }
}

impl Points {
    fn new(setup: &Setup, here: Option<Point>) -> Result<Self, Problem> {
        setup.check()?;
        if here.is_some_and(|point| !point.is_part_of(setup)) {
            return Err(Problem::NoNotificationPoint { algorithm: setup.algorithm.name() });
        }
        let (congestion, reaction) = setup.algorithm.points(&setup.params);
        Ok(Self {
            notification: Point::Notification
                .is_part_of(setup)
                .then(|| NotificationPoint::new(&setup.receiver())),
            here,
            congestion: CongestionPoint::new(&congestion, CONGESTION_POINT),
            needs: congestion.needs(),
            reaction: ReactionPoint::new(&reaction, &setup.path()),
            reads: reaction,
            random: [Purpose::CongestionPoint, Purpose::ReactionPoint]
                .map(|purpose| RandomStream::new(setup.seed, purpose, CONGESTION_POINT.0)),
        })
    }

    fn snapshot(&self, point: Point) -> Option<Snapshot> {
        Some(match point {
            Point::Congestion => Snapshot::of_congestion_point(&self.congestion),
            Point::Notification => Snapshot::of_notification_point(self.notification.as_ref()?),
            Point::Reaction => Snapshot::of_reaction_point(&self.reaction),
        })
    }

    fn apply(&mut self, event: &Event, random: Option<&[u32]>) -> (Outcome, Vec<u32>) {
        let Self { congestion, needs, notification, reaction, reads, random: [at_queue, at_source], .. } =
            self;
        let stream = if event.point() == Some(Point::Congestion) { at_queue } else { at_source };
        let mut draws = Draws::new(random, stream);
        let reacted = |point: &ReactionPoint, update| Outcome::Reacted(Reaction::of(point, update));
        let outcome = match event {
            Event::Start(_) => Outcome::Started,
            Event::Enqueue(arrival) => {
                let mark = needs.marks.then(|| congestion.mark(arrival, &mut draws));
                let mut notifications = Vec::new();
                congestion.on_enqueue(arrival, &mut draws, &mut notifications);
                Outcome::Enqueued { notifications, mark }
            }
            Event::Dequeue(departure) => Outcome::Dequeued(congestion.on_dequeue(departure, &mut draws)),
            Event::Admit(arrival) => Outcome::Judged(congestion.admit(arrival, &mut draws)),
            Event::Delivery(delivered) => {
                let delivery = delivered.content();
                answered(notification, delivered.time, |point| point.on_delivery(&delivery))
            }
            Event::NpTimer(now) => answered(notification, *now, |point| point.on_timer(*now)),
            Event::Notification(received) => {
                let feedback = reads.signal(received.notification).sent_by(received.from);
                let update = reaction.on_feedback(received.time, &feedback, &mut draws);
                reacted(reaction, update)
            }
            Event::Acknowledgement(received) => {
                let feedback = Feedback::Acknowledgement(received.content());
                let update = reaction.on_feedback(received.time, &feedback, &mut draws);
                reacted(reaction, update)
            }
            Event::Sent(frame) => {
                let update = reaction.on_sent(*frame, &mut draws);
                reacted(reaction, update)
            }
            Event::Timer(now) => {
                // A point must not be called before its timer is due.
                let due = reaction.timer().is_some_and(|due| due <= *now);
                let update = if due { reaction.on_timer(*now, &mut draws) } else { Update::Unchanged };
                reacted(reaction, update)
            }
        };
        (outcome, draws.into_drawn())
    }
}

/// The reply of a notification point, which exists because inputs for a missing one are refused.
fn answered<'a>(
    point: &mut Option<NotificationPoint>,
    now: Time,
    act: impl FnOnce(&mut NotificationPoint) -> Option<Reply<'a>>,
) -> Outcome {
    let reply = point.as_mut().and_then(act).map(|reply| SentReply::of(reply, now));
    Outcome::Answered { reply, timer: point.as_ref().and_then(NotificationPoint::timer) }
}
