//! What every link under PAUSE or PFC needs so that no frame is lost: the one computation behind `headroom = "auto"`,
//! validation, the checks of a scenario and the advice after a loss.
//!
//! `docs/flow-control.md` derives the rule. In short, from the frame that crosses XOFF until the sender is silent a link
//! can deliver
//!
//! * that frame itself (`crossing`),
//! * what the sender transmits while the pause frame waits for the longest frame on the way back (`waiting`), is
//!   transmitted itself (`pause_frame`) and travels the cable, with what is already on the cable (`propagation`),
//! * the frame that the sender has just begun when the pause arrives (`begun`),
//! * and, where a renewal can come too late, what the sender transmits between two pauses (`lapses`; [`Renewal`]).
//!
//! The sender transmits at the highest and the bridge answers at the lowest rate that each has at any time of the run
//! ([`RateRange`]). Frames that take whole units of an input buffer, and frames that are copied, count as the room they
//! take ([`frames`]).

mod cycle;
mod frames;
mod rates;
mod renewal;

use setpoint_units::{Bytes, Rate, TimeDelta};

use crate::error::SpecError;
use crate::ids::{PortId, PrioritySet};
use crate::routing::{Route, routes};
use crate::spec::{Bridges, Headroom, PauseParams, Spec};
use crate::topology::NodeKind;
use frames::{Carried, Density, carried};

pub use cycle::{BufferCycle, buffer_cycle};
pub use rates::RateRange;
pub(crate) use rates::rate_ranges;
pub use renewal::Renewal;
pub(crate) use renewal::{PAUSE_FRAME, pause_bytes, pause_time};

/// What one link under flow control needs, and what it is given, at the bridge that it feeds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LinkBudget {
    /// The port whose frames arrive over the link.
    pub port: PortId,
    /// The threshold above which the bridge pauses the sender (XOFF).
    pub threshold: Bytes,
    /// Room above the threshold. In a bridge with input buffers, all that the buffer has.
    pub given: Bytes,
    /// What the room must be so that no frame is lost in this run.
    pub needed: HeadroomParts,
    /// When pauses of the link are renewed, and whether they can lapse.
    pub renewal: Renewal,
    /// Priorities of the link that flow control protects.
    pub priorities: PrioritySet,
    /// How many counters have a threshold and headroom of their own: one for each protected priority under PFC, one in
    /// all under PAUSE.
    pub counters: u32,
}

/// The headroom that a link needs, by cause.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HeadroomParts {
    /// The frame that crosses the threshold.
    pub crossing: Bytes,
    /// Arrivals while the pause frame waits for the longest frame on the way back.
    pub waiting: Bytes,
    /// Arrivals while the pause frame is transmitted.
    pub pause_frame: Bytes,
    /// Arrivals during the propagation delay, both ways.
    pub propagation: Bytes,
    /// The frame that the sender has just begun when the pause arrives.
    pub begun: Bytes,
    /// Arrivals between pauses that run out before they are renewed, over the whole run.
    pub lapses: Bytes,
}

impl HeadroomParts {
    /// All of it.
    #[must_use]
    pub fn total(&self) -> Bytes {
        let parts =
            [self.crossing, self.waiting, self.pause_frame, self.propagation, self.begun, self.lapses];
        Bytes::new(parts.iter().fold(0u64, |sum, part| sum.saturating_add(part.get())))
    }
}

impl LinkBudget {
    /// The threshold and the room above it, of one counter.
    #[must_use]
    pub fn room(&self) -> Bytes {
        Bytes::new(self.threshold.get().saturating_add(self.given.get()))
    }

    /// The buffer that the bridge has to set aside for the link: thresholds and headroom of all counters.
    #[must_use]
    pub fn buffer(&self) -> Bytes {
        Bytes::new(self.room().get().saturating_mul(u64::from(self.counters)))
    }

    /// Whether a frame may find no room.
    #[must_use]
    pub fn is_short(&self) -> bool {
        self.given < self.needed.total()
    }
}

/// The budget of every link that carries frames which flow control protects to a bridge, in the order of ports.
///
/// # Errors
/// If a flow has no way to its destination.
pub fn link_budgets(spec: &Spec) -> Result<Vec<LinkBudget>, SpecError> {
    Ok(budgets(spec, &routes(spec)?))
}

/// The same, where the routes are known.
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
            delay: spec.topology.link_at(port.link()).delay,
        };
        link.budget(port)
    };
    spec.topology.ports().filter(protected).map(budget).collect()
}

/// A link, as far as its headroom depends on it.
struct Link<'a> {
    spec: &'a Spec,
    params: PauseParams,
    forward: &'a Carried,
    /// The longest frame that a pause frame may have to wait for.
    back_longest: Bytes,
    /// The highest rate of the sender.
    rate: Rate,
    /// Rates of the port that sends pause frames.
    back: RateRange,
    delay: TimeDelta,
}

impl Link<'_> {
    fn budget(&self, port: PortId) -> LinkBudget {
        let wait = (self.back_longest + self.spec.overhead) / self.back.slowest;
        let pause = Bytes::new(u64::from(PAUSE_FRAME)) + self.spec.overhead;
        let renewal = Renewal::new(self.params.quanta, self.rate, wait, pause, self.back);
        let needed = HeadroomParts {
            crossing: self.copied(self.forward.largest),
            waiting: self.arriving(wait),
            pause_frame: self.arriving(pause / self.back.slowest),
            propagation: self.arriving(self.delay * 2),
            begun: self.copied(self.forward.largest),
            lapses: self.lapses(&renewal),
        };
        let given = match (self.spec.bridges, self.params.headroom) {
            (Bridges::Cioq(cioq), _) => cioq.whole_units(cioq.input_buffer).saturating_sub(self.params.xoff),
            (Bridges::OutputQueued, Headroom::Fixed(bytes)) => bytes,
            (Bridges::OutputQueued, Headroom::Automatic) => needed.total(),
        };
        let (priorities, threshold) = (self.forward.priorities, self.params.xoff);
        let counters = self.spec.flow_control.counters(priorities);
        LinkBudget { port, threshold, given, needed, renewal, priorities, counters }
    }

    /// The most room that frames take which begin within a span one after another, without the last of them.
    fn arriving(&self, span: TimeDelta) -> Bytes {
        self.copied(self.forward.density.room_in(self.rate, span))
    }

    /// A frame that is copied takes room for every copy.
    fn copied(&self, bytes: Bytes) -> Bytes {
        Bytes::new(bytes.get().saturating_mul(self.forward.copies))
    }

    /// What arrives between pauses over the whole run, if its end is all that ends them.
    ///
    /// Of a lapse of length g − P, where g is the time between the arrivals of two pause frames and P that of a pause,
    /// at most l(g) = R (g − P) + F arrives. The run has room for any number of gaps that last no longer than itself,
    /// and the most arrives where l(g) / g is largest: with the longest gap if a pause outlasts a frame, else with
    /// pauses that hardly interrupt the sender.
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
