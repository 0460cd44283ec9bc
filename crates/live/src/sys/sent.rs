//! The outcome of sending frames.

use std::io;

use rustix::io::Errno;

/// The outcome of sending a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sent {
    /// The kernel accepted the frame.
    Done,
    /// The kernel has no buffer space, or the link has no carrier: try again later.
    Full,
    /// The interface is down or absent: try again when it is up.
    Down,
    /// The frame is longer than the interface allows, and will never be accepted.
    TooLong,
}

impl Sent {
    /// Separates outcomes of a system call that a sender encounters in normal operation from errors.
    pub(super) fn from_call(result: Result<usize, Errno>) -> io::Result<Self> {
        match result {
            Ok(_) => Ok(Self::Done),
            Err(Errno::AGAIN | Errno::NOBUFS | Errno::INTR) => Ok(Self::Full),
            Err(Errno::MSGSIZE) => Ok(Self::TooLong),
            Err(error) if is_link_loss(error) => Ok(Self::Down),
            Err(error) => Err(error.into()),
        }
    }
}

/// The outcome of sending several frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SentAll {
    /// The number of frames that the kernel accepted, counted from the first one.
    pub accepted: usize,
    /// [`Sent::Done`] if the kernel accepted all frames, or the outcome of the first that it did not accept.
    pub end: Sent,
}

/// Whether an error means that the interface is down or absent. A TAP interface that is down answers with `EIO`.
pub(super) fn is_link_loss(error: Errno) -> bool {
    matches!(error, Errno::NETDOWN | Errno::NXIO | Errno::NODEV | Errno::IO)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operation_and_errors_are_told_apart() {
        assert_eq!(Sent::from_call(Ok(60)).unwrap(), Sent::Done);
        assert_eq!(Sent::from_call(Err(Errno::NOBUFS)).unwrap(), Sent::Full);
        assert_eq!(Sent::from_call(Err(Errno::NODEV)).unwrap(), Sent::Down);
        assert_eq!(Sent::from_call(Err(Errno::MSGSIZE)).unwrap(), Sent::TooLong);
        assert!(Sent::from_call(Err(Errno::BADF)).is_err());
    }
}
