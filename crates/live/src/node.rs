//! The common interface of bridges and stations: frames and times come in, frames go out.

use setpoint_units::Time;

/// A bridge or a station.
pub trait Node {
    /// Handles a frame that has arrived at a port.
    fn receive(&mut self, now: Time, port: usize, octets: &[u8], egress: &mut impl Egress);

    /// Sends everything that is due.
    fn poll(&mut self, now: Time, egress: &mut impl Egress);

    /// The time at which it must be polled next.
    fn deadline(&self) -> Option<Time>;

    /// Handles a change in the state of a link.
    fn set_link(&mut self, now: Time, port: usize, link: LinkState, egress: &mut impl Egress);

    /// Ends a sample interval.
    fn sample(&mut self, now: Time);

    /// Begins the measurement: statistics ignore everything before it.
    fn measure_from(&mut self, now: Time);

    /// Halves the number of samples: from now on, samples are taken half as often.
    fn thin(&mut self);
}

/// Whether the link of a port is up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkState {
    /// It is up.
    Up,
    /// It is down: nothing can be sent.
    Down,
}

/// Takes the frames that a bridge or a station sends.
pub trait Egress {
    /// Sends a frame through a port.
    fn send(&mut self, port: usize, octets: &[u8]);
}

/// Collects frames with their ports.
impl Egress for Vec<(usize, Vec<u8>)> {
    fn send(&mut self, port: usize, octets: &[u8]) {
        self.push((port, octets.to_vec()));
    }
}
