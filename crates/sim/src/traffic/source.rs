//! The state of a flow's traffic. Arrivals are not events: when the station polls the source, the source
//! computes what has arrived.
//!
//! A flow's memory use does not depend on the number of messages that wait: they are only counted. When a message
//! begins, a second copy of the flow's random stream, which lags behind the first, draws its size and arrival time
//! again. The number of independent messages in progress is bounded; each has its own source.

mod dependent;

use std::collections::VecDeque;
use std::sync::Arc;

use setpoint_random::RandomStream;
use setpoint_units::{Bytes, Rate, Time, TimeDelta};

use super::{Arrival, Silence, SizeDistribution, Traffic};
use crate::traffic::MessageOrder;
use dependent::Dependents;

pub(crate) use dependent::Release;

/// Whether a frame is available. Lengths have as many bits as times, so that a value is passed in two registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Supply {
    /// A frame of this length.
    Frame(Bytes),
    /// An independent message, which gets its own source.
    Message,
    /// No frame before this time.
    NotBefore(Time),
    /// No frame at all, unless the flow starts again.
    None,
}

/// A message that has begun to be sent.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Message {
    pub(crate) size: u64,
    pub(crate) offered: Time,
    /// Bytes of the flow up to and including this message, if messages are sent in order.
    pub(crate) end: u64,
    /// The time that it waited for earlier messages of its flow.
    pub(crate) waited: TimeDelta,
    /// The time at which its first frame was sent, if it has been sent.
    pub(crate) begun: Time,
    /// Its number in the list of its flow, if other messages may wait for it.
    pub(crate) number: Option<u32>,
}

/// The data that a flow still has to send.
#[derive(Clone, Debug)]
#[repr(C)]
pub(crate) struct Source {
    frame: u16,
    running: bool,
    /// Traffic that arrives over time; `None` for a backlogged flow.
    chunks: Option<Chunks>,
}

/// Traffic that arrives in chunks: frames, bursts, messages.
#[derive(Clone, Debug)]
#[repr(C)]
struct Chunks {
    /// Remaining bytes of the chunk being sent.
    left: u64,
    /// The time at which the next chunk arrives.
    next_at: Time,
    entropy: RandomStream,
    kind: Kind,
}

/// For chunks of equal size, `waiting` is the number of complete chunks queued in addition to the one being sent.
#[derive(Clone, Debug)]
enum Kind {
    /// Chunks separated by `size / rate`, without drift: the remainder of the division is carried over.
    Even {
        size: u64,
        waiting: u64,
        rate: u64,
        remainder: u64,
    },
    /// Chunks separated by the duration of a burst at line rate plus an exponential silence.
    Random {
        size: u64,
        waiting: u64,
        burst: TimeDelta,
        silence: TimeDelta,
    },
    Messages(Box<Messages>),
    /// Messages that wait for other messages.
    Dependent(Box<Dependents>),
    /// A single independent message. It is stored until its first frame is sent.
    Single {
        beginning: Option<Box<Message>>,
        number: Option<u32>,
    },
}

/// Messages, which arrive at random or at listed times.
#[derive(Clone, Debug)]
struct Messages {
    plan: Plan,
    /// The position of the next arrival.
    next: Place,
    order: MessageOrder,
    /// The last time at which the end of an earlier message allowed a waiting message to begin.
    made_way: Time,
    /// Independent messages that have begun and are not completely sent.
    active: u32,
    /// Messages that have arrived since the last start and are waiting.
    waiting: Waiting,
    /// Messages from earlier starts, if the flow is started again while it runs.
    earlier: VecDeque<Waiting>,
    /// Messages that were waiting when the flow stopped, with the time of the stop.
    cut: Vec<(Waiting, Time)>,
    /// Messages that had begun but had not sent a frame when the flow stopped.
    cut_early: Vec<Message>,
    /// The message that begins with the next frame, if any.
    beginning: Option<Message>,
    /// Bytes of all messages that have begun so far.
    begun: u64,
}

/// When messages arrive, and their sizes.
#[derive(Clone, Debug)]
enum Plan {
    /// One message at each start.
    Once(Bytes),
    Poisson {
        gap: TimeDelta,
        sizes: SizeDistribution,
    },
    Listed(Arc<[Arrival]>),
}

/// A position in a plan's list, if the plan has one.
#[derive(Clone, Copy, Debug)]
struct Place {
    start: Time,
    index: usize,
}

/// Messages that arrived since a start and have not begun.
#[derive(Clone, Debug)]
struct Waiting {
    count: u64,
    /// The flow's random stream before it drew the size of the first of these messages.
    entropy: RandomStream,
    /// The time at which the first of these messages arrived.
    at: Time,
    /// The position of the first of these messages.
    place: Place,
}

impl Source {
    pub(crate) fn new(
        traffic: &Traffic,
        order: MessageOrder,
        frame: Bytes,
        line: Rate,
        entropy: RandomStream,
    ) -> Self {
        let kind = Kind::new(traffic, order, frame, line, &entropy);
        let chunks = kind.map(|kind| Chunks { left: 0, next_at: Time::MAX, entropy, kind });
        Self { frame: frame.get() as u16, running: false, chunks }
    }

    /// Whether its messages are independent, so that they are sent elsewhere.
    pub(crate) fn begins_messages(&self) -> bool {
        let kind = self.chunks.as_ref().map(|chunks| &chunks.kind);
        matches!(kind, Some(Kind::Messages(messages)) if messages.are_independent())
    }

    /// Starts the first waiting message, if messages are independent and one is waiting. Returns its source.
    pub(crate) fn begin_message(&mut self) -> Option<Self> {
        let Chunks { entropy, kind, .. } = self.chunks.as_mut()?;
        let (message, active) = match kind {
            Kind::Messages(messages) => (messages.begin()?, &mut messages.active),
            Kind::Dependent(messages) => (messages.begin()?, &mut messages.active),
            Kind::Even { .. } | Kind::Random { .. } | Kind::Single { .. } => return None,
        };
        *active += 1;
        let kind = Kind::Single { number: message.number, beginning: Some(Box::new(message)) };
        let chunks = Chunks { left: message.size, next_at: Time::MAX, entropy: entropy.clone(), kind };
        Some(Self { frame: self.frame, running: false, chunks: Some(chunks) })
    }

    /// Records that an independent message has been sent completely or was cut off.
    pub(crate) fn end_message(&mut self, now: Time) {
        let Some(chunks) = &mut self.chunks else { return };
        let (active, made_way) = match &mut chunks.kind {
            Kind::Messages(messages) => (&mut messages.active, &mut messages.made_way),
            Kind::Dependent(messages) => (&mut messages.active, &mut messages.made_way),
            Kind::Even { .. } | Kind::Random { .. } | Kind::Single { .. } => return,
        };
        if *active == MessageOrder::MOST_AT_ONCE {
            *made_way = now;
        }
        *active -= 1;
    }

    /// Whether it is an independent message that has been sent completely or was cut off.
    #[inline]
    pub(crate) fn is_exhausted(&self) -> bool {
        matches!(&self.chunks, Some(Chunks { left: 0, kind: Kind::Single { .. }, .. }))
    }

    /// Length of a full frame.
    pub(crate) fn frame_bytes(&self) -> u16 {
        self.frame
    }

    /// Starts offering frames.
    pub(crate) fn start(&mut self, now: Time) {
        self.running = true;
        if let Some(chunks) = &mut self.chunks {
            chunks.start(now);
        }
    }

    /// Stops offering frames when the flow has sent `sent` bytes in total, and discards data offered but not
    /// sent. Messages that have not begun are kept for [`Source::take_waiting`].
    pub(crate) fn stop(&mut self, sent: u64, now: Time) {
        self.running = false;
        if let Some(chunks) = &mut self.chunks {
            chunks.stop(sent, now);
        }
    }

    /// The frame that can be sent now, if any.
    #[inline]
    pub(crate) fn supply(&mut self, now: Time) -> Supply {
        match &mut self.chunks {
            None if self.running => Supply::Frame(Bytes::new(u64::from(self.frame))),
            None => Supply::None,
            Some(chunks) => chunks.supply(self.frame, now),
        }
    }

    /// Consumes the frame that [`Source::supply`] offered. Returns whether it belongs to a message.
    #[inline]
    pub(crate) fn take(&mut self, bytes: Bytes) -> bool {
        let Some(chunks) = &mut self.chunks else { return false };
        chunks.left -= bytes.get();
        matches!(chunks.kind, Kind::Messages(_) | Kind::Dependent(_) | Kind::Single { .. })
    }

    /// The number of the message whose last frame has just been taken, if other messages may wait for it.
    pub(crate) fn message_sent(&self) -> Option<u32> {
        match self.chunks.as_ref()? {
            Chunks { left: 0, kind: Kind::Dependent(messages), .. } => Some(messages.current),
            Chunks { left: 0, kind: Kind::Single { number, .. }, .. } => *number,
            _ => None,
        }
    }

    /// Whether other messages may wait for its messages.
    pub(crate) fn has_numbers(&self) -> bool {
        let kind = self.chunks.as_ref().map(|chunks| &chunks.kind);
        matches!(kind, Some(Kind::Dependent(_) | Kind::Single { number: Some(_), .. }))
    }

    /// The number of its messages that wait for other messages.
    pub(crate) fn dependents(&self) -> u32 {
        match &self.chunks {
            Some(Chunks { kind: Kind::Dependent(messages), .. }) => messages.len(),
            _ => 0,
        }
    }

    /// Records that a message no longer waits for one of its conditions, which is met at the given time. Returns the release
    /// of the message if that was its last condition.
    pub(crate) fn satisfy(&mut self, number: u32, at: Time) -> Option<Release> {
        let Chunks { kind: Kind::Dependent(messages), next_at, .. } = self.chunks.as_mut()? else {
            return None;
        };
        let release = messages.satisfy(number, at);
        *next_at = messages.next_at();
        release
    }

    /// Whether it always has a frame while it runs.
    #[inline]
    pub(crate) fn is_endless(&self) -> bool {
        self.chunks.is_none()
    }

    /// The message that began with the frame just taken, if any.
    pub(crate) fn begun_message(&mut self, now: Time) -> Option<Message> {
        let chunks = self.chunks.as_mut()?;
        let message = match &mut chunks.kind {
            Kind::Messages(messages) => {
                if chunks.left == 0 {
                    messages.made_way = now;
                }
                messages.beginning.take()
            }
            Kind::Dependent(messages) => {
                if chunks.left == 0 {
                    messages.made_way = now;
                }
                messages.beginning.take()
            }
            Kind::Single { beginning, .. } => beginning.take().map(|message| *message),
            Kind::Even { .. } | Kind::Random { .. } => None,
        };
        message.map(|message| Message { begun: now, ..message })
    }

    /// Whether it always has a frame to send until it stops.
    pub(crate) fn is_backlogged(&self) -> bool {
        self.running && self.chunks.is_none()
    }

    /// Removes the messages that have been offered by now but have sent nothing, and calls `visit` for each. Includes
    /// messages that were cut off because the flow stopped.
    pub(crate) fn take_waiting(&mut self, now: Time, visit: impl FnMut(&Message)) {
        let Some(chunks) = &mut self.chunks else { return };
        chunks.arrive_until(now);
        chunks.kind.take_waiting(now, visit);
    }

    /// The number of heap bytes that a flow's traffic needs.
    pub(crate) fn heap_bytes_of(traffic: &Traffic) -> usize {
        match traffic {
            Traffic::Dependent(list) => Dependents::heap_bytes_of(list),
            _ if traffic.sends_messages() => size_of::<Messages>(),
            _ => 0,
        }
    }

    /// Bytes on the heap.
    pub(crate) fn heap_bytes(&self) -> usize {
        let of_kind = |kind: &Kind| match kind {
            Kind::Messages(_) => size_of::<Messages>(),
            Kind::Dependent(messages) => messages.heap_bytes(),
            Kind::Single { beginning: Some(_), .. } => size_of::<Message>(),
            Kind::Even { .. } | Kind::Random { .. } | Kind::Single { beginning: None, .. } => 0,
        };
        self.chunks.as_ref().map_or(0, |chunks| of_kind(&chunks.kind))
    }
}

impl Chunks {
    fn start(&mut self, now: Time) {
        self.next_at = now;
        if let Kind::Dependent(messages) = &self.kind {
            self.next_at = messages.next_at();
        }
        if let Kind::Messages(messages) = &mut self.kind {
            messages.next = Place { start: now, index: 0 };
            self.next_at = messages.plan.first(now, &mut self.entropy);
            let begin =
                Waiting { count: 0, entropy: self.entropy.clone(), at: self.next_at, place: messages.next };
            let before = std::mem::replace(&mut messages.waiting, begin);
            if before.count > 0 {
                messages.earlier.push_back(before);
            }
        }
    }

    fn stop(&mut self, sent: u64, now: Time) {
        self.arrive_until(now);
        self.left = 0;
        self.next_at = Time::MAX;
        match &mut self.kind {
            Kind::Even { waiting, .. } | Kind::Random { waiting, .. } => *waiting = 0,
            Kind::Messages(messages) => {
                messages.begun = sent;
                messages.cut_off(now);
            }
            Kind::Dependent(messages) => messages.discard(),
            Kind::Single { .. } => {}
        }
    }

    fn supply(&mut self, frame: u16, now: Time) -> Supply {
        self.arrive_until(now);
        if self.left == 0 {
            self.begin_next();
        }
        match self.left {
            0 => self.supply_later(),
            left => Supply::Frame(Bytes::new(left.min(u64::from(frame)))),
        }
    }

    /// The supply when no chunk has begun: waiting independent messages, or else the next arrival.
    fn supply_later(&self) -> Supply {
        match &self.kind {
            Kind::Messages(messages) if messages.are_independent() && messages.is_waiting() => {
                messages.supply()
            }
            Kind::Dependent(messages) if messages.is_waiting() => messages.supply(),
            _ if self.next_at == Time::MAX => Supply::None,
            _ => Supply::NotBefore(self.next_at),
        }
    }

    /// Records all arrivals up to now.
    #[inline]
    fn arrive_until(&mut self, now: Time) {
        while self.next_at <= now {
            self.arrive();
        }
    }

    /// Records the arrival of a chunk at `next_at` and schedules the next.
    fn arrive(&mut self) {
        let at = self.next_at;
        match &mut self.kind {
            Kind::Even { size, waiting, rate, remainder } => {
                *waiting += 1;
                // For a chunk of less than 2 MB, the dividend fits into 64 bits, where division is much faster.
                let work = size.checked_mul(Rate::BYTE_PICOS).and_then(|work| work.checked_add(*remainder));
                let (picos, left) = match work {
                    Some(work) => (work / *rate, work % *rate),
                    None => wide_division(*size, *remainder, *rate),
                };
                *remainder = left;
                self.next_at = at.saturating_add(TimeDelta::from_picos(picos));
            }
            Kind::Random { waiting, burst, silence, .. } => {
                *waiting += 1;
                let silence = scaled(*silence, self.entropy.exponential());
                let gap = TimeDelta::from_picos(burst.as_picos().saturating_add(silence.as_picos()));
                self.next_at = at.saturating_add(gap);
            }
            Kind::Messages(messages) => {
                messages.waiting.count += 1;
                // The message's size is drawn when it begins.
                self.entropy.unit();
                self.next_at = messages.plan.after(at, &mut messages.next, &mut self.entropy);
            }
            Kind::Dependent(messages) => {
                messages.offer();
                self.next_at = messages.next_at();
            }
            // The message has already arrived.
            Kind::Single { .. } => self.next_at = Time::MAX,
        }
    }

    /// Begins to send the first waiting chunk, if any. Independent messages begin elsewhere.
    fn begin_next(&mut self) {
        match &mut self.kind {
            Kind::Even { waiting: 0, .. } | Kind::Random { waiting: 0, .. } | Kind::Single { .. } => {}
            Kind::Even { size, waiting, .. } | Kind::Random { size, waiting, .. } => {
                *waiting -= 1;
                self.left = *size;
            }
            Kind::Messages(messages) if messages.are_independent() => {}
            Kind::Messages(messages) => {
                messages.beginning = messages.begin();
                self.left = messages.beginning.map_or(0, |message| message.size);
            }
            Kind::Dependent(messages) if messages.are_independent() => {}
            Kind::Dependent(messages) => {
                messages.beginning = messages.begin();
                self.left = messages.beginning.map_or(0, |message| message.size);
            }
        }
    }
}

impl Messages {
    fn are_independent(&self) -> bool {
        self.order == MessageOrder::Independent
    }

    /// Starts the first waiting message.
    fn begin(&mut self) -> Option<Message> {
        let (size, offered) = self.next()?;
        self.begun += size;
        let waited = self.made_way.saturating_since(offered);
        Some(Message { size, offered, end: self.begun, waited, begun: Time::ZERO, number: None })
    }

    /// Cuts off all messages that have sent nothing.
    fn cut_off(&mut self, now: Time) {
        self.cut_early.extend(self.beginning.take());
        let nothing = Waiting { count: 0, ..self.waiting.clone() };
        let last = std::mem::replace(&mut self.waiting, nothing);
        let cut = self.earlier.drain(..).chain([last]).filter(|waiting| waiting.count > 0);
        self.cut.extend(cut.map(|waiting| (waiting, now)));
    }

    /// Removes all messages that have sent nothing, and calls `visit` for each.
    fn take_all(&mut self, now: Time, mut visit: impl FnMut(&Message)) {
        self.cut_off(now);
        std::mem::take(&mut self.cut_early).iter().for_each(&mut visit);
        for (mut waiting, until) in std::mem::take(&mut self.cut) {
            while let Some((size, offered)) = waiting.next(&self.plan) {
                let waited = until.saturating_since(offered);
                visit(&Message { size, offered, end: 0, waited, begun: Time::ZERO, number: None });
            }
        }
    }

    /// Whether a message is waiting.
    fn is_waiting(&self) -> bool {
        self.waiting.count > 0 || self.earlier.iter().any(|start| start.count > 0)
    }

    /// The supply of a flow with independent messages while some of them are waiting.
    fn supply(&self) -> Supply {
        if self.active < MessageOrder::MOST_AT_ONCE { Supply::Message } else { Supply::None }
    }

    /// Removes the first waiting message; returns its size and arrival time.
    fn next(&mut self) -> Option<(u64, Time)> {
        while self.earlier.front().is_some_and(|start| start.count == 0) {
            self.earlier.pop_front();
        }
        self.earlier.front_mut().unwrap_or(&mut self.waiting).next(&self.plan)
    }
}

impl Waiting {
    /// Draws the size and arrival time of the first message again, and removes it from the waiting
    /// messages.
    fn next(&mut self, plan: &Plan) -> Option<(u64, Time)> {
        self.count = self.count.checked_sub(1)?;
        let size = plan.size(self.place, self.entropy.unit()).get();
        let after = plan.after(self.at, &mut self.place, &mut self.entropy);
        Some((size, std::mem::replace(&mut self.at, after)))
    }
}

impl Kind {
    /// Converts a traffic model; returns `None` for a backlogged flow.
    fn new(
        traffic: &Traffic,
        order: MessageOrder,
        frame: Bytes,
        line: Rate,
        entropy: &RandomStream,
    ) -> Option<Self> {
        let even = |size: Bytes, rate: Rate| Self::Even {
            size: size.get(),
            waiting: 0,
            rate: rate.bits_per_second(),
            remainder: 0,
        };
        let messages = |plan| {
            let next = Place { start: Time::MAX, index: 0 };
            let waiting = Waiting { count: 0, entropy: entropy.clone(), at: Time::MAX, place: next };
            let earlier = VecDeque::new();
            Self::Messages(Box::new(Messages {
                plan,
                next,
                order,
                made_way: Time::ZERO,
                active: 0,
                waiting,
                earlier,
                cut: Vec::new(),
                cut_early: Vec::new(),
                beginning: None,
                begun: 0,
            }))
        };
        let kind = match traffic {
            Traffic::Backlogged => return None,
            Traffic::Constant { rate } => even(frame, *rate),
            Traffic::OnOff { burst, offered, silence: Silence::Fixed } => even(*burst, *offered),
            Traffic::OnOff { burst, offered, silence: Silence::Exponential } => {
                let (period, on) = (*burst / *offered, *burst / line);
                let silence = period.saturating_sub(on);
                Self::Random { size: burst.get(), waiting: 0, burst: on, silence }
            }
            Traffic::Poisson { mean_gap, sizes } => {
                messages(Plan::Poisson { gap: *mean_gap, sizes: sizes.clone() })
            }
            Traffic::Message { size } => messages(Plan::Once(*size)),
            Traffic::Schedule(arrivals) => messages(Plan::Listed(Arc::clone(arrivals))),
            Traffic::Dependent(list) => Self::Dependent(Box::new(Dependents::new(Arc::clone(list), order))),
        };
        Some(kind)
    }

    /// Removes all messages that have arrived but sent nothing, and calls `visit` for each.
    fn take_waiting(&mut self, now: Time, mut visit: impl FnMut(&Message)) {
        match self {
            Self::Even { waiting, .. } | Self::Random { waiting, .. } => *waiting = 0,
            Self::Messages(messages) => messages.take_all(now, visit),
            Self::Dependent(messages) => messages.take_waiting(now, visit),
            Self::Single { beginning, .. } => beginning.take().iter().for_each(|message| visit(message)),
        }
    }
}

impl Plan {
    /// The arrival time of the first message after a start.
    fn first(&self, start: Time, entropy: &mut RandomStream) -> Time {
        match self {
            Self::Once(_) => start,
            // A Poisson process has no arrival at its start.
            Self::Poisson { gap, .. } => start.saturating_add(scaled(*gap, entropy.exponential())),
            Self::Listed(arrivals) => listed_at(arrivals, Place { start, index: 0 }),
        }
    }

    /// Moves from the position of a message that arrived at `at` to that of the next message, and returns the arrival time
    /// of the next.
    fn after(&self, at: Time, place: &mut Place, entropy: &mut RandomStream) -> Time {
        place.index += 1;
        match self {
            Self::Once(_) => Time::MAX,
            Self::Poisson { gap, .. } => at.saturating_add(scaled(*gap, entropy.exponential())),
            Self::Listed(arrivals) => listed_at(arrivals, *place),
        }
    }

    /// The size of the message at a position; `probability` is a random number below 1.
    fn size(&self, place: Place, probability: f64) -> Bytes {
        match self {
            Self::Once(size) => *size,
            Self::Poisson { sizes, .. } => sizes.quantile(probability),
            Self::Listed(arrivals) => arrivals[place.index].size,
        }
    }
}

/// The time that a chunk takes at the given rate, in picoseconds, and the remainder of the division.
#[cold]
fn wide_division(size: u64, remainder: u64, rate: u64) -> (u64, u64) {
    let work = u128::from(size) * u128::from(Rate::BYTE_PICOS) + u128::from(remainder);
    ((work / u128::from(rate)) as u64, (work % u128::from(rate)) as u64)
}

fn listed_at(arrivals: &[Arrival], place: Place) -> Time {
    arrivals.get(place.index).map_or(Time::MAX, |arrival| place.start.saturating_add(arrival.after))
}

/// A time span times a random factor, rounded to the picosecond; at least one picosecond, so that time
/// advances.
fn scaled(span: TimeDelta, factor: f64) -> TimeDelta {
    TimeDelta::from_picos((libm::round(span.as_picos() as f64 * factor) as u64).max(1))
}

#[cfg(test)]
mod tests;
