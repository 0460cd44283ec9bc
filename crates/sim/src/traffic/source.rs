//! The state of a flow's traffic. Arrivals are not events: when the station polls the source, the source
//! works out what has arrived.
//!
//! A flow's memory use does not depend on how far its traffic runs ahead of the network. Waiting
//! messages are only counted. When one begins, a second copy of the flow's random stream, which
//! trails the first, draws its size and arrival time again.

use std::collections::VecDeque;

use setpoint_units::{Bytes, Rate, Time, TimeDelta};

use super::{Silence, SizeDistribution, Traffic};
use crate::random::RandomStream;

/// Whether a frame is available.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Supply {
    /// A frame of this length in bytes.
    Frame(u16),
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
    /// Bytes of the flow up to and including this message.
    pub(crate) end: u64,
    /// Whether it has lost a frame.
    pub(crate) damaged: bool,
}

/// The data that a flow has left to send.
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
    /// When the next chunk arrives.
    next_at: Time,
    entropy: RandomStream,
    kind: Kind,
}

/// Of equal chunks, `waiting` complete ones are queued in addition to the one being sent.
#[derive(Clone, Debug)]
enum Kind {
    /// A chunk every `size / rate`, without drift: the remainder of the division is carried over.
    Even {
        size: u64,
        waiting: u64,
        rate: u64,
        remainder: u64,
    },
    /// A chunk after the duration of a burst at line rate plus an exponential silence.
    Random {
        size: u64,
        waiting: u64,
        burst: TimeDelta,
        silence: TimeDelta,
    },
    Messages(Box<Messages>),
}

/// Messages that arrive at random.
#[derive(Clone, Debug)]
struct Messages {
    /// The mean time between messages; `None` if a start offers only one.
    gap: Option<TimeDelta>,
    sizes: SizeDistribution,
    /// Messages that have arrived since the last start and are waiting.
    waiting: Waiting,
    /// Messages from earlier starts, if the flow is started again while it runs.
    earlier: VecDeque<Waiting>,
    /// The message that begins with the next frame, if one does.
    beginning: Option<Message>,
    /// Bytes of all messages that have begun so far.
    begun: u64,
}

/// Messages that arrived since a start and have not begun.
#[derive(Clone, Debug)]
struct Waiting {
    count: u64,
    /// The flow's random stream before it drew the size of the first of these messages.
    entropy: RandomStream,
    /// When the first of these messages arrived.
    at: Time,
}

impl Source {
    pub(crate) fn new(traffic: &Traffic, frame: Bytes, line: Rate, entropy: RandomStream) -> Self {
        let kind = Kind::new(traffic, frame, line, &entropy);
        let chunks = kind.map(|kind| Chunks { left: 0, next_at: Time::MAX, entropy, kind });
        Self { frame: frame.get() as u16, running: false, chunks }
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

    /// Stops offering frames once the flow has sent `sent` bytes in total, and discards data offered but not
    /// sent. Calls `cut` for each message cut off.
    pub(crate) fn stop(&mut self, sent: u64, now: Time, cut: impl FnMut(&Message)) {
        self.running = false;
        if let Some(chunks) = &mut self.chunks {
            chunks.stop(sent, now, cut);
        }
    }

    /// The frame that can be sent now, if any.
    #[inline]
    pub(crate) fn supply(&mut self, now: Time) -> Supply {
        match &mut self.chunks {
            None if self.running => Supply::Frame(self.frame),
            None => Supply::None,
            Some(chunks) => chunks.supply(self.frame, now),
        }
    }

    /// Consumes the frame that [`Source::supply`] offered. Returns the message that begins with it, if one does.
    #[inline]
    pub(crate) fn take(&mut self, bytes: u16) -> Option<Message> {
        let chunks = self.chunks.as_mut()?;
        chunks.left -= u64::from(bytes);
        match &mut chunks.kind {
            Kind::Messages(messages) => messages.beginning.take(),
            Kind::Even { .. } | Kind::Random { .. } => None,
        }
    }

    /// Whether it has a frame to send at any time until it stops.
    pub(crate) fn is_backlogged(&self) -> bool {
        self.running && self.chunks.is_none()
    }

    /// Removes the messages that were offered by now and have sent nothing, and calls `visit` for each.
    pub(crate) fn take_waiting(&mut self, now: Time, visit: impl FnMut(&Message)) {
        let Some(chunks) = &mut self.chunks else { return };
        chunks.arrive_until(now);
        chunks.kind.take_waiting(visit);
    }

    /// The number of heap bytes that a flow's traffic needs.
    pub(crate) fn heap_bytes_of(traffic: &Traffic) -> usize {
        if traffic.sends_messages() { size_of::<Messages>() } else { 0 }
    }

    /// Bytes on the heap.
    pub(crate) fn heap_bytes(&self) -> usize {
        let sends_messages = |chunks: &Chunks| matches!(chunks.kind, Kind::Messages(_));
        if self.chunks.as_ref().is_some_and(sends_messages) { size_of::<Messages>() } else { 0 }
    }
}

impl Chunks {
    fn start(&mut self, now: Time) {
        self.next_at = now;
        if let Kind::Messages(messages) = &mut self.kind {
            if messages.gap.is_some() {
                // A Poisson process has no arrival at its start.
                self.next_at = next_arrival(now, messages.gap, &mut self.entropy);
            }
            let begin = Waiting { count: 0, entropy: self.entropy.clone(), at: self.next_at };
            let before = std::mem::replace(&mut messages.waiting, begin);
            if before.count > 0 {
                messages.earlier.push_back(before);
            }
        }
    }

    fn stop(&mut self, sent: u64, now: Time, cut: impl FnMut(&Message)) {
        self.arrive_until(now);
        self.left = 0;
        self.next_at = Time::MAX;
        if let Kind::Messages(messages) = &mut self.kind {
            messages.begun = sent;
        }
        self.kind.take_waiting(cut);
    }

    fn supply(&mut self, frame: u16, now: Time) -> Supply {
        self.arrive_until(now);
        if self.left == 0 {
            self.begin_next();
        }
        match self.left {
            0 if self.next_at == Time::MAX => Supply::None,
            0 => Supply::NotBefore(self.next_at),
            left => Supply::Frame(left.min(u64::from(frame)) as u16),
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
                let work = u128::from(*size) * u128::from(Rate::BYTE_PICOS) + u128::from(*remainder);
                *remainder = (work % u128::from(*rate)) as u64;
                self.next_at = at.saturating_add(TimeDelta::from_picos((work / u128::from(*rate)) as u64));
            }
            Kind::Random { waiting, burst, silence, .. } => {
                *waiting += 1;
                let silence = scaled(*silence, self.entropy.exponential());
                let gap = TimeDelta::from_picos(burst.as_picos().saturating_add(silence.as_picos()));
                self.next_at = at.saturating_add(gap);
            }
            Kind::Messages(messages) => {
                messages.waiting.count += 1;
                // Its size is drawn when it begins.
                self.entropy.unit();
                self.next_at = next_arrival(at, messages.gap, &mut self.entropy);
            }
        }
    }

    /// Begins to send the first waiting chunk, if any.
    fn begin_next(&mut self) {
        match &mut self.kind {
            Kind::Even { waiting: 0, .. } | Kind::Random { waiting: 0, .. } => {}
            Kind::Even { size, waiting, .. } | Kind::Random { size, waiting, .. } => {
                *waiting -= 1;
                self.left = *size;
            }
            Kind::Messages(messages) => {
                let Some((size, offered)) = messages.next() else { return };
                self.left = size;
                messages.begun += size;
                messages.beginning = Some(Message { size, offered, end: messages.begun, damaged: false });
            }
        }
    }
}

impl Messages {
    /// Removes the first waiting message; returns its size and arrival time.
    fn next(&mut self) -> Option<(u64, Time)> {
        while self.earlier.front().is_some_and(|start| start.count == 0) {
            self.earlier.pop_front();
        }
        self.earlier.front_mut().unwrap_or(&mut self.waiting).next(self.gap, &self.sizes)
    }
}

impl Waiting {
    /// Draws the size and arrival time of the first message again, and removes it from the waiting
    /// messages.
    fn next(&mut self, gap: Option<TimeDelta>, sizes: &SizeDistribution) -> Option<(u64, Time)> {
        self.count = self.count.checked_sub(1)?;
        let size = sizes.quantile(self.entropy.unit()).get();
        let after = next_arrival(self.at, gap, &mut self.entropy);
        Some((size, std::mem::replace(&mut self.at, after)))
    }
}

impl Kind {
    /// `None` for a backlogged flow.
    fn new(traffic: &Traffic, frame: Bytes, line: Rate, entropy: &RandomStream) -> Option<Self> {
        let even = |size: Bytes, rate: Rate| Self::Even {
            size: size.get(),
            waiting: 0,
            rate: rate.bits_per_second(),
            remainder: 0,
        };
        let messages = |gap, sizes| {
            let waiting = Waiting { count: 0, entropy: entropy.clone(), at: Time::MAX };
            let earlier = VecDeque::new();
            Self::Messages(Box::new(Messages { gap, sizes, waiting, earlier, beginning: None, begun: 0 }))
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
            Traffic::Poisson { mean_gap, sizes } => messages(Some(*mean_gap), sizes.clone()),
            Traffic::Message { size } => messages(None, SizeDistribution::Fixed(*size)),
        };
        Some(kind)
    }

    /// Removes everything that has arrived but sent nothing, and calls `visit` for each message in it.
    fn take_waiting(&mut self, mut visit: impl FnMut(&Message)) {
        match self {
            Self::Even { waiting, .. } | Self::Random { waiting, .. } => *waiting = 0,
            Self::Messages(messages) => {
                messages.beginning.take().iter().for_each(&mut visit);
                while let Some((size, offered)) = messages.next() {
                    visit(&Message { size, offered, end: 0, damaged: false });
                }
            }
        }
    }
}

/// The arrival time of the message after one that arrived at `at`.
fn next_arrival(at: Time, gap: Option<TimeDelta>, entropy: &mut RandomStream) -> Time {
    gap.map_or(Time::MAX, |gap| at.saturating_add(scaled(gap, entropy.exponential())))
}

/// A time span times a random factor, rounded to the picosecond; at least one picosecond, so that time
/// advances.
fn scaled(span: TimeDelta, factor: f64) -> TimeDelta {
    TimeDelta::from_picos((libm::round(span.as_picos() as f64 * factor) as u64).max(1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Purpose;

    #[test]
    fn a_source_leaves_room_in_two_cache_lines() {
        assert_eq!(size_of::<Source>(), 80);
    }

    const GAP: TimeDelta = TimeDelta::from_micros(3);

    fn at(micros: u64) -> Time {
        Time::ZERO + TimeDelta::from_micros(micros)
    }

    fn sizes() -> SizeDistribution {
        SizeDistribution::Uniform(Bytes::new(1), Bytes::new(9_000))
    }

    fn source() -> Source {
        let traffic = Traffic::Poisson { mean_gap: GAP, sizes: sizes() };
        Source::new(&traffic, Bytes::new(1_000), Rate::from_gbps(10), stream())
    }

    fn stream() -> RandomStream {
        RandomStream::new(7, Purpose::Traffic, 3)
    }

    /// The size and time of each message that arrives from a start until `end`, drawn directly.
    fn arrivals(entropy: &mut RandomStream, start: Time, end: Time) -> Vec<(u64, Time)> {
        let mut messages = Vec::new();
        let mut next = start + scaled(GAP, entropy.exponential());
        while next <= end {
            messages.push((sizes().quantile(entropy.unit()).get(), next));
            next += scaled(GAP, entropy.exponential());
        }
        messages
    }

    /// Sends everything that is waiting at `now`, and returns the messages in order.
    fn send_all(source: &mut Source, now: Time, sent: &mut u64) -> Vec<(u64, Time)> {
        let mut begun = Vec::new();
        while let Supply::Frame(bytes) = source.supply(now) {
            begun.extend(source.take(bytes));
            *sent += u64::from(bytes);
        }
        assert_eq!(begun.last().map(|message| message.end), Some(*sent), "messages are sent completely");
        begun.iter().map(|message| (message.size, message.offered)).collect()
    }

    /// The messages that have sent nothing at `now`.
    fn waiting(source: &Source, now: Time) -> Vec<(u64, Time)> {
        let mut messages = Vec::new();
        source.clone().take_waiting(now, |message| messages.push((message.size, message.offered)));
        messages
    }

    #[test]
    fn messages_that_waited_are_those_that_arrived() {
        let (mut source, mut sent) = (source(), 0);
        source.start(at(1));
        assert!(matches!(source.supply(at(500)), Supply::Frame(_)));
        let expected = arrivals(&mut stream(), at(1), at(500));
        assert_eq!(waiting(&source, at(500)), expected);
        assert!(expected.len() > 100);
        assert_eq!(send_all(&mut source, at(500), &mut sent), expected);
        assert_eq!(waiting(&source, at(500)), []);
    }

    #[test]
    fn a_start_while_messages_wait_keeps_them() {
        let (mut source, mut sent, mut entropy) = (source(), 0, stream());
        let mut expected = Vec::new();
        for (start, end) in [(0, 100), (100, 150), (200, 260)] {
            source.start(at(start));
            source.supply(at(end));
            expected.extend(arrivals(&mut entropy, at(start), at(end)));
        }
        assert_eq!(send_all(&mut source, at(260), &mut sent), expected);
    }

    #[test]
    fn a_stop_cuts_off_all_that_waits() {
        let (mut source, mut entropy) = (source(), stream());
        source.start(at(0));
        let Supply::Frame(bytes) = source.supply(at(100)) else { panic!("some have arrived") };
        let begun = source.take(bytes);
        let arrived = arrivals(&mut entropy, at(0), at(100));
        assert!(u64::from(bytes) < arrived[0].0, "the first message has several frames");
        let mut cut = Vec::new();
        source.stop(u64::from(bytes), at(100), |message| cut.push((message.size, message.offered)));
        assert_eq!(begun.map(|message| (message.size, message.offered)), Some(arrived[0]));
        assert_eq!(cut, arrived[1..]);
        assert_eq!(waiting(&source, at(100)), []);
        let mut sent = u64::from(bytes);
        source.start(at(200));
        assert_eq!(send_all(&mut source, at(300), &mut sent), arrivals(&mut entropy, at(200), at(300)));
    }
}
