//! The destination of outgoing frames.

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
