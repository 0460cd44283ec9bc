//! The headroom that every link under PAUSE or PFC needs so that no frame is lost. This single computation is
//! used for `headroom = "auto"`, validation, scenario checks and the advice after a loss.
//!
//! `docs/flow-control.md` derives the rule. In short, from the frame that crosses XOFF until the sender is
//! silent, a link can deliver
//!
//! * that frame itself (`crossing`),
//! * the frames sent while the pause frame waits for the longest frame in the reverse direction (`waiting`),
//!   is transmitted (`pause_frame`) and propagates, including the frames already on the cable
//!   (`propagation`),
//! * the frames sent while the pause frame and these frames pass through the MAC and PHY at both ends (`interface`), and
//!   before the sender responds to the pause (`response`),
//! * the frame that the sender has just begun when the pause takes effect (`begun`),
//! * and, if a renewal can arrive too late, the frames sent between two pauses (`lapses`; [`Renewal`]).
//!
//! The computation assumes the sender's highest rate and the bridge's lowest rate at any time in
//! the run ([`RateRange`]). Frames that occupy whole units of an input buffer, and frames that are copied, are
//! counted by the buffer space that they occupy ([`frames`]).

mod cycle;
mod frames;
mod rates;
mod renewal;
mod response;
mod shared;

use setpoint_units::{Bytes, Rate, TimeDelta};

use crate::error::SpecError;
use crate::ids::{PortId, PrioritySet};
use crate::routing::{Route, routes};
use crate::spec::{Bridges, Headroom, PauseParams, Spec};
use crate::topology::{self, NodeKind};
use frames::{Carried, Density, carried};

pub use cycle::{BufferCycle, buffer_cycle};
pub use rates::RateRange;
pub(crate) use rates::rate_ranges;
pub use renewal::Renewal;
pub(crate) use renewal::{PAUSE_FRAME, pause_bytes, pause_time};
pub use response::largest_interface_delay;
pub(crate) use response::response_on;
pub use shared::{SharedBudget, check_shared_buffers, shared_budgets};
pub(crate) use shared::{check_shared, shared_of};

/// The headroom that a link under flow control needs and has at the bridge that it feeds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LinkBudget {
    /// The port that sends over the link.
    pub port: PortId,
    /// The threshold above which the bridge pauses the sender (XOFF). In a bridge with a shared buffer, the reserve of an
    /// input, above which the threshold depends on the free space.
    pub threshold: Bytes,
    /// Buffer space above the threshold. In a bridge with input buffers, this is the rest of the buffer; in a bridge with a
    /// shared buffer, the maximum that one input may take from the headroom pool.
    pub given: Bytes,
    /// Buffer space needed so that no frame is lost in this run.
    pub needed: HeadroomParts,
    /// When the link's pauses are renewed, and whether they can lapse.
    pub renewal: Renewal,
    /// The time that the sender takes to obey a pause frame.
    pub response: TimeDelta,
    /// Priorities on the link that flow control protects.
    pub priorities: PrioritySet,
    /// The number of counters, each with its own threshold and headroom: one per protected priority under PFC,
    /// a single one under PAUSE.
    pub counters: u32,
}

/// The headroom that a link needs, broken down by cause.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HeadroomParts {
    /// The frame that crosses the threshold.
    pub crossing: Bytes,
    /// Arrivals while the pause frame waits for the longest frame in the reverse direction.
    pub waiting: Bytes,
    /// Arrivals while the pause frame is transmitted.
    pub pause_frame: Bytes,
    /// Arrivals during the propagation delay of the cable, both ways.
    pub propagation: Bytes,
    /// Arrivals during the delay of the MAC and PHY at both ends, both ways.
    pub interface: Bytes,
    /// Arrivals during the time that the sender takes to obey the pause.
    pub response: Bytes,
    /// The frame that the sender has just begun when the pause takes effect.
    pub begun: Bytes,
    /// Arrivals between pauses that expire before they are renewed, over the whole run.
    pub lapses: Bytes,
}

impl HeadroomParts {
    /// The sum of all parts.
    pub fn total(&self) -> Bytes {
        Bytes::new(self.named().iter().fold(0u64, |sum, (_, part)| sum.saturating_add(part.get())))
    }

    /// All parts, each with its cause in a few words.
    pub fn named(&self) -> [(&'static str, Bytes); 8] {
        [
            ("frame that crosses the threshold", self.crossing),
            ("pause frame waiting for the port", self.waiting),
            ("transmission of the pause frame", self.pause_frame),
            ("cable, both ways", self.propagation),
            ("MAC and PHY, both ways", self.interface),
            ("response of the sender", self.response),
            ("frame that the sender has begun", self.begun),
            ("pauses that lapse", self.lapses),
        ]
    }
}

impl LinkBudget {
    /// The threshold plus the buffer space above it, for one counter.
    pub fn room(&self) -> Bytes {
        Bytes::new(self.threshold.get().saturating_add(self.given.get()))
    }

    /// The buffer space that the bridge must reserve for the link: the thresholds and headroom of all counters.
    pub fn buffer(&self) -> Bytes {
        Bytes::new(self.room().get().saturating_mul(u64::from(self.counters)))
    }

    /// Whether the headroom is too small, so that a frame may be lost.
    pub fn is_short(&self) -> bool {
        self.given < self.needed.total()
    }
}

/// The budget of every link that carries protected frames to a bridge, in port order.
///
/// # Errors
/// Returns an error if a flow has no path to its destination.
pub fn link_budgets(spec: &Spec) -> Result<Vec<LinkBudget>, SpecError> {
    Ok(budgets(spec, &routes(spec)?))
}

/// Like [`link_budgets`], but takes routes that have already been computed.
pub(crate) fn budgets(spec: &Spec, routes: &[Route]) -> Vec<LinkBudget> {
    let Some(params) = spec.flow_control.params() else { return Vec::new() };
    let (carried, rates) = (carried(spec, routes), rate_ranges(spec));
    let protected = |port: &PortId| {
        carried[port.index()].priorities != PrioritySet::NONE
            && spec.topology.node_at(spec.topology.target(*port)).kind == NodeKind::Bridge
    };
    let budget = |port: PortId| {
        let link = Link {
            spec,
            params,
            forward: &carried[port.index()],
            back_longest: carried[port.peer().index()].longest,
            rate: rates[port.index()].fastest,
            back: rates[port.peer().index()],
            cable: *spec.topology.link_at(port.link()),
        };
        link.budget(port)
    };
    spec.topology.ports().filter(protected).map(budget).collect()
}

/// The properties of a link that determine its headroom.
struct Link<'a> {
    spec: &'a Spec,
    params: PauseParams,
    forward: &'a Carried,
    /// The longest frame that can delay a pause frame.
    back_longest: Bytes,
    /// The sender's highest rate.
    rate: Rate,
    /// The rates of the port that sends pause frames.
    back: RateRange,
    /// Both directions of the cable.
    cable: topology::Link,
}

impl Link<'_> {
    fn budget(&self, port: PortId) -> LinkBudget {
        let wait = (self.back_longest + self.spec.overhead) / self.back.slowest;
        let pause = Bytes::new(u64::from(PAUSE_FRAME)) + self.spec.overhead;
        let renewal = Renewal::new(self.params.quanta, self.rate, wait, pause, self.back);
        let response = self.params.response.on(&self.cable);
        let needed = HeadroomParts {
            crossing: self.copied(self.forward.largest),
            waiting: self.arriving(wait),
            pause_frame: self.arriving(pause / self.back.slowest),
            propagation: self.arriving((self.cable.delay - self.cable.interface) * 2),
            interface: self.arriving(self.cable.interface * 2),
            response: self.arriving(response),
            begun: self.copied(self.forward.largest),
            lapses: self.lapses(&renewal),
        };
        let given = match (self.spec.bridges, self.params.headroom) {
            (Bridges::Cioq(cioq), _) => cioq.whole_units(cioq.input_buffer).saturating_sub(self.params.xoff),
            (Bridges::OutputQueued | Bridges::SharedBuffer(_), Headroom::Fixed(bytes)) => bytes,
            (Bridges::OutputQueued | Bridges::SharedBuffer(_), Headroom::Automatic) => needed.total(),
        };
        let threshold = self.spec.shared_buffer().map_or(self.params.xoff, |shared| shared.reserve);
        let priorities = self.forward.priorities;
        let counters = self.spec.flow_control.counters(priorities);
        LinkBudget { port, threshold, given, needed, renewal, response, priorities, counters }
    }

    /// The maximum buffer space occupied by frames sent back to back that begin within a time span,
    /// excluding the last.
    fn arriving(&self, span: TimeDelta) -> Bytes {
        self.copied(self.forward.density.room_in(self.rate, span))
    }

    /// Buffer space for a frame and its copies.
    fn copied(&self, bytes: Bytes) -> Bytes {
        Bytes::new(bytes.get().saturating_mul(self.forward.copies))
    }

    /// Arrivals between pauses over the whole run, limited only by the end of the run.
    ///
    /// Let g be the time between the arrivals of two pause frames and P the duration of a pause. During a lapse
    /// of length g − P, at most l(g) = R (g − P) + F arrives. The gaps of a run add up to at most its duration,
    /// so the total of arrivals is greatest where l(g) / g is largest: at the longest gap if a pause outlasts a frame, and
    /// otherwise when pauses hardly interrupt the sender.
    fn lapses(&self, renewal: &Renewal) -> Bytes {
        if !renewal.lapses() {
            return Bytes::ZERO;
        }
        let density: &Density = &self.forward.density;
        let everything = density.room_in(self.rate, self.spec.duration);
        let frame = self.forward.largest;
        if density.room_in(self.rate, renewal.pause) <= frame {
            return self.copied(everything);
        }
        let one = u128::from((density.room_in(self.rate, renewal.lapse) + frame).get());
        let span = u128::from(self.spec.duration.as_picos());
        let all = (one * span).div_ceil(u128::from(renewal.longest_gap.as_picos())) + one;
        let all = u64::try_from(all).unwrap_or(u64::MAX);
        self.copied(Bytes::new(all).min(everything))
    }
}
