//! The state of a flow's traffic. Nothing here is an event: what has arrived by now is worked out
//! when the station looks.

use setpoint_units::{Bytes, Rate, Time, TimeDelta};

use super::{Silence, SizeDistribution, Traffic};
use crate::random::RandomStream;
use crate::ring::Ring;

/// Whether there is a frame to send.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Supply {
    /// A frame of this many bytes.
    Frame(u16),
    /// None before this time.
    NotBefore(Time),
    /// None at all, unless the flow is started again.
    None,
}

/// A message that was offered, in the order of a flow's messages.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Message {
    pub(crate) size: u64,
    pub(crate) offered: Time,
    /// Bytes of the flow up to and with this message's last.
    pub(crate) end: u64,
    /// Whether it has lost a frame.
    pub(crate) damaged: bool,
}

/// What a flow has left to send. Small: stations touch it for every frame.
#[derive(Clone, Debug)]
pub(crate) struct Source {
    frame: u16,
    running: bool,
    /// What arrives bit by bit; none for a flow that is always backlogged.
    chunks: Option<Box<Chunks>>,
}

/// Traffic that arrives in chunks: frames, bursts, messages.
#[derive(Clone, Debug)]
struct Chunks {
    kind: Kind,
    /// Bytes left of the chunk being sent.
    left: u64,
    /// When the next chunk comes.
    next_at: Time,
    entropy: RandomStream,
    /// Messages not yet delivered in full; empty for other kinds of traffic.
    outstanding: Ring<Message>,
    /// Bytes of all messages so far.
    offered: u64,
}

#[derive(Clone, Debug)]
enum Kind {
    /// Chunks of one size at intervals; `waiting` whole ones are there besides the one being sent.
    Periodic {
        size: u64,
        waiting: u64,
        pace: Pace,
    },
    Messages {
        gap: Option<TimeDelta>,
        sizes: SizeDistribution,
        waiting: Ring<u64>,
    },
}

/// The time from one chunk to the next.
#[derive(Clone, Debug)]
enum Pace {
    /// Every `work / rate`, without drift: the remainder of the division is carried.
    Even { work: u128, rate: u64, remainder: u64 },
    /// The time of a burst at line rate, and an exponential silence.
    Random { burst: TimeDelta, silence: TimeDelta },
}

impl Source {
    pub(crate) fn new(traffic: &Traffic, frame: Bytes, line: Rate, entropy: RandomStream) -> Self {
        let chunks = Kind::new(traffic, frame, line).map(|kind| {
            let next_at = Time::MAX;
            Box::new(Chunks { kind, left: 0, next_at, entropy, outstanding: Ring::default(), offered: 0 })
        });
        Self { frame: frame.get() as u16, running: false, chunks }
    }

    /// Length of a full frame.
    pub(crate) fn frame_bytes(&self) -> u16 {
        self.frame
    }

    /// Begins to offer frames.
    pub(crate) fn start(&mut self, now: Time) {
        self.running = true;
        if let Some(chunks) = &mut self.chunks {
            chunks.start(now);
        }
    }

    /// Ceases to offer frames when the flow has sent `sent` bytes in all; what was offered and not
    /// sent is gone. Returns the messages that this cuts off.
    pub(crate) fn stop(&mut self, sent: u64, now: Time) -> Vec<Message> {
        self.running = false;
        self.chunks.as_mut().map_or_else(Vec::new, |chunks| chunks.stop(sent, now))
    }

    /// What there is to send now.
    #[inline]
    pub(crate) fn supply(&mut self, now: Time) -> Supply {
        match &mut self.chunks {
            None if self.running => Supply::Frame(self.frame),
            None => Supply::None,
            Some(chunks) => chunks.supply(self.frame, now),
        }
    }

    /// Takes the frame that [`Source::supply`] offered.
    #[inline]
    pub(crate) fn take(&mut self, bytes: u16) {
        if let Some(chunks) = &mut self.chunks {
            chunks.left -= u64::from(bytes);
        }
    }

    /// Takes out the first message if all its bytes are among the first `settled` of the flow.
    #[inline]
    pub(crate) fn complete(&mut self, settled: u64) -> Option<Message> {
        let outstanding = &mut self.chunks.as_mut()?.outstanding;
        if outstanding.front()?.end <= settled { outstanding.pop_front() } else { None }
    }

    /// Byte `settled` of the flow is lost, and those before it are settled: the first message is damaged,
    /// unless the byte was of one that was cut off before it.
    pub(crate) fn damage(&mut self, settled: u64) {
        let outstanding = self.chunks.as_mut().and_then(|chunks| chunks.outstanding.front_mut());
        if let Some(message) = outstanding {
            message.damaged |= settled > message.end - message.size;
        }
    }

    /// Whether it sends messages, whose completion somebody waits for.
    pub(crate) fn sends_messages(&self) -> bool {
        self.chunks.as_ref().is_some_and(|chunks| matches!(chunks.kind, Kind::Messages { .. }))
    }

    /// The messages that were offered by now and are not complete.
    pub(crate) fn outstanding(&mut self, now: Time) -> impl Iterator<Item = &Message> {
        self.chunks.iter_mut().flat_map(move |chunks| {
            chunks.arrive_until(now);
            chunks.outstanding.iter()
        })
    }
}

impl Chunks {
    fn start(&mut self, now: Time) {
        self.next_at = now;
        if let Kind::Messages { gap: Some(gap), .. } = self.kind {
            // A Poisson process has no arrival at its start.
            self.next_at = now.saturating_add(scaled(gap, self.entropy.exponential()));
        }
    }

    fn stop(&mut self, sent: u64, now: Time) -> Vec<Message> {
        self.arrive_until(now);
        self.left = 0;
        self.next_at = Time::MAX;
        match &mut self.kind {
            Kind::Periodic { waiting, .. } => *waiting = 0,
            Kind::Messages { waiting, .. } => *waiting = Ring::default(),
        }
        self.offered = sent;
        let mut cut = Vec::new();
        for message in std::mem::take(&mut self.outstanding).iter() {
            if message.end <= sent {
                self.outstanding.push_back(*message);
            } else {
                cut.push(*message);
            }
        }
        cut
    }

    fn supply(&mut self, frame: u16, now: Time) -> Supply {
        self.arrive_until(now);
        if self.left == 0 {
            self.left = self.kind.next_chunk();
        }
        match self.left {
            0 if self.next_at == Time::MAX => Supply::None,
            0 => Supply::NotBefore(self.next_at),
            left => Supply::Frame(left.min(u64::from(frame)) as u16),
        }
    }

    /// Takes in all that has arrived by now.
    #[inline]
    fn arrive_until(&mut self, now: Time) {
        while self.next_at <= now {
            self.arrive();
        }
    }

    /// A chunk arrives at `next_at`, and the time of the one after it is set.
    fn arrive(&mut self) {
        let at = self.next_at;
        match &mut self.kind {
            Kind::Periodic { waiting, pace, .. } => {
                *waiting += 1;
                self.next_at = at.saturating_add(pace.next(&mut self.entropy));
            }
            Kind::Messages { gap, sizes, waiting } => {
                let size = sizes.quantile(self.entropy.unit()).get();
                waiting.push_back(size);
                self.offered += size;
                self.outstanding.push_back(Message { size, offered: at, end: self.offered, damaged: false });
                self.next_at = match gap {
                    Some(gap) => at.saturating_add(scaled(*gap, self.entropy.exponential())),
                    None => Time::MAX,
                };
            }
        }
    }
}

impl Kind {
    /// None for a flow that is always backlogged.
    fn new(traffic: &Traffic, frame: Bytes, line: Rate) -> Option<Self> {
        let even = |size: Bytes, rate: Rate| Pace::Even {
            work: u128::from(size.get()) * u128::from(Rate::BYTE_PICOS),
            rate: rate.bits_per_second(),
            remainder: 0,
        };
        let periodic = |size: Bytes, pace| Self::Periodic { size: size.get(), waiting: 0, pace };
        let kind = match traffic {
            Traffic::Backlogged => return None,
            Traffic::Constant { rate } => periodic(frame, even(frame, *rate)),
            Traffic::OnOff { burst, offered, silence: Silence::Fixed } => {
                periodic(*burst, even(*burst, *offered))
            }
            Traffic::OnOff { burst, offered, silence: Silence::Exponential } => {
                let (period, on) = (*burst / *offered, *burst / line);
                periodic(*burst, Pace::Random { burst: on, silence: period.saturating_sub(on) })
            }
            Traffic::Poisson { mean_gap, sizes } => {
                Self::Messages { gap: Some(*mean_gap), sizes: sizes.clone(), waiting: Ring::default() }
            }
            Traffic::Message { size } => {
                let sizes = SizeDistribution::Fixed(*size);
                Self::Messages { gap: None, sizes, waiting: Ring::default() }
            }
        };
        Some(kind)
    }

    /// The size of the next chunk that has arrived, or zero.
    fn next_chunk(&mut self) -> u64 {
        match self {
            Self::Periodic { waiting: 0, .. } => 0,
            Self::Periodic { size, waiting, .. } => {
                *waiting -= 1;
                *size
            }
            Self::Messages { waiting, .. } => waiting.pop_front().unwrap_or(0),
        }
    }
}

impl Pace {
    fn next(&mut self, entropy: &mut RandomStream) -> TimeDelta {
        match self {
            Self::Even { work, rate, remainder } => {
                let total = *work + u128::from(*remainder);
                *remainder = (total % u128::from(*rate)) as u64;
                TimeDelta::from_picos((total / u128::from(*rate)) as u64)
            }
            Self::Random { burst, silence } => {
                let silence = scaled(*silence, entropy.exponential());
                TimeDelta::from_picos(burst.as_picos().saturating_add(silence.as_picos()))
            }
        }
    }
}

/// A span times a random factor, rounded to the picosecond. At least one, so that time moves on.
fn scaled(span: TimeDelta, factor: f64) -> TimeDelta {
    TimeDelta::from_picos((libm::round(span.as_picos() as f64 * factor) as u64).max(1))
}
