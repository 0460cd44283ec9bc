//! The kernel's side of the message exchange, behind a trait so that tests can replace it.

use std::io;

/// Answers netlink requests about network interfaces.
pub trait Kernel {
    /// Sends a request and returns the datagram with the answer.
    ///
    /// # Errors
    /// Returns an error if the request cannot be sent or no answer arrives.
    fn ask(&mut self, request: &[u8]) -> io::Result<Vec<u8>>;

    /// Whether there is an interface with this name or alternative name.
    fn has_interface(&self, name: &str) -> bool;

    /// The names of all interfaces, for suggestions.
    fn interfaces(&self) -> Vec<String>;
}
