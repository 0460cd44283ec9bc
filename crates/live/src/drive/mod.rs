//! Connects a bridge or a station to the interfaces of this machine.

mod ports;
mod samples;

use std::io;

use setpoint_units::{Time, TimeDelta};

use crate::node::Node;
use crate::sys::{Clock, Poller, Statistics, Token};

pub use ports::{Attached, Losses, Port};
pub use samples::Samples;

/// Interval between checks of the links. A link that goes down is also noticed when a frame cannot be sent.
const LOOK_EVERY: TimeDelta = TimeDelta::from_millis(100);
/// Interval between checks of the links while one of them is down. Frames for that link are dropped until it is known
/// to be up, and the kernel reports a new link late.
const LOOK_AGAIN: TimeDelta = TimeDelta::from_millis(1);

/// Passes frames between a node and its interfaces.
pub struct Driver {
    clock: Clock,
    poller: Poller,
    ports: Attached,
    /// The time at which the links are checked next.
    look: Time,
    /// The longest delay before the machine woke this program.
    stall: TimeDelta,
    /// The tokens of readable ports, kept so that their memory is reused.
    ready: Vec<Token>,
}

impl Driver {
    /// A driver for the given ports, in the order in which the node numbers them.
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

    /// The current time.
    pub fn now(&self) -> Time {
        self.clock.now()
    }

    /// The longest delay before the machine woke this program. Frames that arrived meanwhile count as if they had
    /// arrived together, so a long stall disturbs the measurement.
    pub fn stall(&self) -> TimeDelta {
        self.stall
    }

    /// Frames that were lost outside the node.
    ///
    /// # Errors
    /// If the kernel does not report them.
    pub fn losses(&mut self) -> io::Result<Losses> {
        self.ports.losses()
    }

    /// The counters of each link, with the name of its interface.
    ///
    /// # Errors
    /// If the kernel does not report them.
    pub fn statistics(&mut self) -> io::Result<Vec<(&str, Statistics)>> {
        self.ports.statistics()
    }

    /// Runs a node until `until`. Returns the time up to which it has run, which is later than `until` if the machine
    /// was late.
    ///
    /// # Errors
    /// If an interface fails for a reason other than a link that is down.
    pub fn run_until(&mut self, node: &mut impl Node, until: Time) -> io::Result<Time> {
        loop {
            let now = self.clock.now();
            node.poll(now, &mut self.ports);
            if now >= self.look {
                self.look_at_links(now, node);
                self.look = now + if self.ports.are_up() { LOOK_EVERY } else { LOOK_AGAIN };
            }
            if now >= until {
                return Ok(now);
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

    /// Runs a node until its next sample, and takes it. Returns whether there was one.
    ///
    /// # Errors
    /// The same as for [`Driver::run_until`].
    pub fn run_to_sample(&mut self, node: &mut impl Node, samples: &mut Samples) -> io::Result<bool> {
        let Some(next) = samples.next() else { return Ok(false) };
        // A measurement uses the time up to which the node has run, not the current time, at which waiting frames may
        // already be due.
        if let Some(begin) = samples.measurement_begins() {
            let now = self.run_until(node, begin)?;
            node.measure_from(now);
        }
        let now = self.run_until(node, next)?;
        node.sample(now);
        if samples.are_too_many() {
            node.thin();
        }
        Ok(true)
    }

    /// Passes the frames waiting at a port to the node.
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

#[cfg(test)]
mod tests {
    use std::thread;
    use std::time::Duration;

    use super::*;
    use crate::node::{Egress, LinkState};

    /// A node on a machine that stalls after every poll.
    #[derive(Default)]
    struct Stalled {
        polled: Time,
        measured: Vec<(Time, Time)>,
    }

    impl Node for Stalled {
        fn receive(&mut self, _: Time, _: usize, _: &[u8], _: &mut impl Egress) {}

        fn poll(&mut self, now: Time, _: &mut impl Egress) {
            self.polled = now;
            thread::sleep(Duration::from_millis(1));
        }

        fn deadline(&self) -> Option<Time> {
            None
        }

        fn set_link(&mut self, _: Time, _: usize, _: LinkState, _: &mut impl Egress) {}

        fn sample(&mut self, now: Time) {
            self.measured.push((self.polled, now));
        }

        fn measure_from(&mut self, now: Time) {
            self.measured.push((self.polled, now));
        }

        fn thin(&mut self) {}
    }

    #[test]
    fn measurements_are_of_the_time_up_to_which_the_node_has_run() {
        let mut driver = Driver::new(Clock::start(), Vec::new()).unwrap();
        let millis = |count| Time::ZERO + TimeDelta::from_millis(count);
        let mut samples = Samples::every(TimeDelta::from_millis(4), millis(6), millis(10));
        let mut node = Stalled::default();
        while driver.run_to_sample(&mut node, &mut samples).unwrap() {}
        assert_eq!(node.measured.len(), 4);
        for (polled, measured) in node.measured {
            assert_eq!(polled, measured);
        }
    }
}
