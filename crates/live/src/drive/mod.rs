//! Connects a bridge or a station to the interfaces of this machine.

mod ports;

use std::io;

use setpoint_units::{Time, TimeDelta};

use crate::bridge::{Bridge, LinkState};
use crate::egress::Egress;
use crate::station::Station;
use crate::sys::{Clock, Poller, Token};

pub use ports::{Attached, Losses, Port};

/// How often links are looked at. A link that goes down also shows when a frame cannot be sent.
const LOOK_EVERY: TimeDelta = TimeDelta::from_millis(100);
/// How often links are looked at while one of them is down. Frames for it are dropped until it is seen to be up, and the
/// kernel reports a new link late.
const LOOK_AGAIN: TimeDelta = TimeDelta::from_millis(1);

/// A bridge or a station.
pub trait Node {
    /// Handles a frame that has arrived at a port.
    fn receive(&mut self, now: Time, port: usize, octets: &[u8], egress: &mut impl Egress);
    /// Sends everything that is due.
    fn poll(&mut self, now: Time, egress: &mut impl Egress);
    /// When it must be polled next.
    fn deadline(&self) -> Option<Time>;
    /// Handles the change of a link.
    fn set_link(&mut self, now: Time, port: usize, link: LinkState, egress: &mut impl Egress);
}

impl Node for Bridge {
    fn receive(&mut self, now: Time, port: usize, octets: &[u8], egress: &mut impl Egress) {
        self.receive(now, port, octets, egress);
    }

    fn poll(&mut self, now: Time, egress: &mut impl Egress) {
        self.poll(now, egress);
    }

    fn deadline(&self) -> Option<Time> {
        self.deadline()
    }

    fn set_link(&mut self, now: Time, port: usize, link: LinkState, egress: &mut impl Egress) {
        self.set_link(now, port, link, egress);
    }
}

impl Node for Station {
    fn receive(&mut self, now: Time, port: usize, octets: &[u8], egress: &mut impl Egress) {
        self.receive(now, port, octets, egress);
    }

    fn poll(&mut self, now: Time, egress: &mut impl Egress) {
        self.poll(now, egress);
    }

    fn deadline(&self) -> Option<Time> {
        self.deadline()
    }

    // Frames that a station sends while its link is down are lost, as on any machine.
    fn set_link(&mut self, _: Time, _: usize, _: LinkState, _: &mut impl Egress) {}
}

/// Passes frames between a node and its interfaces.
pub struct Driver {
    clock: Clock,
    poller: Poller,
    ports: Attached,
    /// When the links are looked at next.
    look: Time,
    /// The longest time by which the machine was late.
    stall: TimeDelta,
    /// The tokens of readable ports, kept for their memory.
    ready: Vec<Token>,
}

impl Driver {
    /// A driver for ports, in the order in which the node numbers them.
    ///
    /// # Errors
    /// If the kernel refuses to watch them.
    pub fn new(clock: Clock, ports: Vec<Port>) -> io::Result<Self> {
        let mut poller = Poller::new(clock)?;
        for (number, port) in ports.iter().enumerate() {
            poller.add(port, Token(number as u32))?;
        }
        Ok(Self {
            clock,
            poller,
            ports: Attached::new(ports),
            look: Time::ZERO,
            stall: TimeDelta::ZERO,
            ready: Vec::new(),
        })
    }

    /// The time.
    #[must_use]
    pub fn now(&self) -> Time {
        self.clock.now()
    }

    /// The longest time by which the machine woke this program too late. Frames that arrived meanwhile count as if they
    /// had arrived together, so a long stall disturbs the measurement.
    #[must_use]
    pub fn stall(&self) -> TimeDelta {
        self.stall
    }

    /// Frames that were lost outside of the node.
    ///
    /// # Errors
    /// If the kernel does not tell.
    pub fn losses(&mut self) -> io::Result<Losses> {
        self.ports.losses()
    }

    /// Runs a node until a time.
    ///
    /// # Errors
    /// If an interface fails for another reason than a link that is down.
    pub fn run_until(&mut self, node: &mut impl Node, until: Time) -> io::Result<()> {
        loop {
            let now = self.clock.now();
            node.poll(now, &mut self.ports);
            if now >= self.look {
                self.look_at_links(now, node);
                self.look = now + if self.ports.are_up() { LOOK_EVERY } else { LOOK_AGAIN };
            }
            if now >= until {
                return Ok(());
            }
            let wake = node.deadline().unwrap_or(Time::MAX).min(until).min(self.look);
            self.poller.wait(Some(wake), &mut self.ready)?;
            self.stall = self.stall.max(self.clock.now().saturating_since(wake));
            for place in 0..self.ready.len() {
                let port = self.ready[place].0 as usize;
                self.receive(node, port)?;
            }
        }
    }

    /// Hands the frames that wait at a port to the node.
    fn receive(&mut self, node: &mut impl Node, port: usize) -> io::Result<()> {
        let mut frames = self.ports.take_frames(port)?;
        for octets in frames.iter() {
            node.receive(self.clock.now(), port, octets, &mut self.ports);
        }
        frames.clear();
        self.ports.give_back(frames);
        Ok(())
    }

    fn look_at_links(&mut self, now: Time, node: &mut impl Node) {
        for port in 0..self.ports.len() {
            if let Some(link) = self.ports.changed_link(port) {
                node.set_link(now, port, link, &mut self.ports);
            }
        }
    }
}
