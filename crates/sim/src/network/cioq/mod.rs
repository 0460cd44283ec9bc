//! Bridges with combined input and output queues (CIOQ), as crossbars and as distributed fabrics of leaves and spines.
//!
//! A frame that arrives is stored in the buffer of its input, in the virtual output queue for its output, and a request
//! goes to the arbiter of that output ([`input`]). The arbiter gives out the room of the output's buffer to the queues
//! that ask for it, one frame each in turn ([`arbiter`]). A frame with a grant is sent inside: over the crossbar
//! ([`crossing`]), or in cells over all links of its leaf, through the spines, to the leaf of its output ([`cells`]).
//! There it is put together, brought into order, and queued at its output ([`output`]). Room at the output is its own
//! from the grant to its departure, so nothing inside can be lost, and cells never wait for room at the far end.
//!
//! * Source: Chrysos and others, "Unbiased QCN for scalable server-fabrics" (IBM RZ 3880, 2014), section II-A.
//! * Buffers are dedicated to a port and a priority, and given out in units. Occupancy is counted in units for room and
//!   for PAUSE, in bytes for congestion points.
//! * An input holds a frame until all of it has reached the next stage: the output over a crossbar, spines for cells; a
//!   link inside can thus repeat what it garbled. With [`Delivery::Reliable`](crate::Delivery) it holds it until it
//!   has heard that the frame has left its output.
//! * Frames between ports of one leaf cross its own crossbar and do not see spines.
//! * Requests, grants, acknowledgements and notifications of outputs take [`Cioq::control_delay`](crate::Cioq) each and
//!   no bandwidth. Notifications that pass through do not wait in virtual output queues; those that wait at an output
//!   take room of its buffer, without a grant, and are dropped if there is none.
//! * Cells of all priorities share the buffers of spines, whose outputs take them in the order of their arrival. They
//!   never stay, since the far end has room for them.

mod arbiter;
mod backlog;
mod books;
mod build;
mod cells;
mod crossing;
mod input;
mod interior;
mod memory;
mod output;
mod slots;

use setpoint_control::{CulpritArray, Marking};
use setpoint_units::{Bytes, Rate, Time, TimeDelta};

use crate::events::Event;
use crate::frame::Frame;
use crate::outcome::FabricOutcome;
use crate::random::RandomStream;
use crate::ring::Ring;
use crate::spec::Delivery;

use arbiter::Arbiter;
use interior::Interior;
pub(super) use memory::{SLOT_BYTES, fixed_bytes, keeps_culprits};
use slots::{Slots, Voq};

/// All bridges with input buffers of a network.
#[derive(Clone, Debug)]
pub(super) struct Cioq {
    rules: Rules,
    slots: Slots,
    /// An input has one for each output of its bridge and each class, from [`Edge::voqs`] on.
    voqs: Vec<Voq>,
    /// By port: what is at the bridge that the port feeds.
    inputs: Vec<Edge>,
    /// By port: its number among the outputs of its bridge.
    ranks: Vec<u32>,
    /// By output port and class.
    arbiters: Vec<Arbiter>,
    /// The slots and queues of a frame's copies while they are lined up.
    asking: Vec<(u32, u32)>,
    /// What is on its way between inputs and outputs; all of it takes equally long.
    messages: Ring<(Time, Message)>,
    /// Whether an [`Event::Control`] is pending for the first of them.
    control_armed: bool,
    /// Leaves and spines, where there are any.
    interior: Option<Interior>,
    pub(super) counters: FabricOutcome,
}

#[derive(Clone, Copy, Debug)]
struct Rules {
    unit: u64,
    /// Units of an input's buffer for each class, and of an output's.
    input_units: u32,
    output_units: u32,
    control_delay: TimeDelta,
    delivery: Delivery,
    marking: Marking,
    keep_alive: Option<Bytes>,
}

/// An input of a bridge.
#[derive(Clone, Debug)]
struct Edge {
    /// Where its virtual output queues begin.
    voqs: u32,
    /// Units in use, by class.
    used: [u32; 8],
    /// Who uses them, where that decides who is told.
    culprits: Option<Box<CulpritArray>>,
    entropy: RandomStream,
    /// At which it sends into the crossbar.
    crossbar_rate: Rate,
    /// When the crossbar has taken what it was given.
    crossbar_free: Time,
    /// Frames in the crossbar, and when all of each has reached its output.
    crossing: Ring<(Time, u32)>,
    /// When the congestion points of a pause sample by the clock next, by class.
    clock: [Time; 8],
}

/// What inputs and outputs tell each other.
#[derive(Clone, Copy, Debug)]
enum Message {
    /// A virtual output queue has one more frame.
    Request(u32),
    /// A virtual output queue may send a frame.
    Grant(u32),
    /// A frame has left its output.
    Acknowledge(u32),
    /// A congestion point at an output has something to say.
    Notify(Frame),
}

impl Default for Message {
    fn default() -> Self {
        Self::Request(0)
    }
}

impl Cioq {
    /// The virtual output queue of an input for an output, in a network with that many classes.
    #[inline]
    fn voq(&self, input: u32, output: u32, class: u8, classes: usize) -> u32 {
        let edge = &self.inputs[input as usize];
        (edge.voqs + self.ranks[output as usize]) * classes as u32 + u32::from(class)
    }
}

impl Rules {
    #[inline]
    fn units(&self, bytes: u16) -> u32 {
        u64::from(bytes).div_ceil(self.unit) as u32
    }
}

impl super::Network {
    /// The state of bridges with input buffers, in a network that has them.
    #[inline]
    fn cioq(&mut self) -> &mut Cioq {
        self.cioq.as_mut().expect("only called where bridges have input buffers")
    }

    /// How long a frame takes from its arrival at an input to its arrival at an output when nothing else is there.
    pub(super) fn idle_crossing(&self, input: u32, output: u32, bytes: u16) -> TimeDelta {
        let Some(cioq) = &self.cioq else { return TimeDelta::ZERO };
        let inside = match &cioq.interior {
            Some(interior) if interior.joins(input, output) => interior.idle_time(&self.ports, input, bytes),
            _ => cioq.inputs[input as usize].crossbar_rate.time_to_send(Bytes::new(u64::from(bytes))),
        };
        cioq.rules.control_delay * 2 + inside
    }

    /// Sends a message between an input and an output.
    #[inline]
    fn send_message(&mut self, message: Message) {
        let cioq = self.cioq.as_mut().expect("only called where bridges have input buffers");
        if cioq.rules.control_delay.is_zero() {
            self.receive_message(message);
            return;
        }
        let at = self.now + cioq.rules.control_delay;
        if !std::mem::replace(&mut cioq.control_armed, true) {
            self.events.push(at, Event::Control);
        }
        cioq.messages.push_back((at, message));
    }

    /// Messages have arrived.
    #[inline]
    pub(super) fn control(&mut self) {
        let now = self.now;
        while let Some(&(at, message)) = self.cioq().messages.front()
            && at <= now
        {
            self.cioq().messages.pop_front();
            self.receive_message(message);
        }
        match self.cioq().messages.front() {
            Some(&(at, _)) => self.events.push(at, Event::Control),
            None => self.cioq().control_armed = false,
        }
    }

    #[inline]
    fn receive_message(&mut self, message: Message) {
        match message {
            Message::Request(voq) => self.request(voq),
            Message::Grant(voq) => self.inject(voq),
            Message::Acknowledge(slot) => self.forget_copy(slot),
            Message::Notify(frame) => self.send_notification(frame),
        }
    }
}
