//! The interfaces of a node.

use std::io;
use std::os::fd::{AsFd, BorrowedFd};
use std::thread;

use crate::node::{Egress, LinkState};
use crate::sys::{self, PacketSocket, Sent, Statistics, Tap};

/// Number of attempts to send a frame while the kernel's buffers are full, after which it counts as lost.
const ATTEMPTS: u32 = 1_000;

/// An interface.
pub enum Port {
    /// A link to a neighbour.
    Link(Box<PacketSocket>),
    /// The programs on this machine.
    Programs(Tap),
}

impl AsFd for Port {
    fn as_fd(&self) -> BorrowedFd<'_> {
        match self {
            Self::Link(socket) => socket.as_fd(),
            Self::Programs(tap) => tap.as_fd(),
        }
    }
}

impl Port {
    fn receive(&mut self, frames: &mut Frames) -> io::Result<usize> {
        let mut take = |octets: &[u8]| frames.push(octets);
        match self {
            Self::Link(socket) => socket.receive(&mut take),
            Self::Programs(tap) => tap.receive(&mut take),
        }
    }

    fn send(&mut self, octets: &[u8]) -> io::Result<Sent> {
        match self {
            Self::Link(socket) => socket.send(octets),
            Self::Programs(tap) => tap.send(octets),
        }
    }

    fn link(&mut self) -> LinkState {
        let state = match self {
            Self::Link(socket) => socket.link(),
            Self::Programs(tap) => tap.link(),
        };
        if state == sys::LinkState::Up { LinkState::Up } else { LinkState::Down }
    }
}

/// Frames that were lost between a node and its neighbours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Losses {
    /// Frames that the kernel dropped because this program did not read them in time.
    pub not_read: u64,
    /// Frames that the kernel did not accept.
    pub not_sent: u64,
    /// Frames sent while a link was down.
    pub no_link: u64,
    /// Frames longer than the supported maximum.
    pub oversized: u64,
}

impl Losses {
    /// The frames that were lost although all links were up.
    pub fn total(&self) -> u64 {
        self.not_read + self.not_sent
    }
}

/// The interfaces of a node, in the order in which the node numbers them.
pub struct Attached {
    ports: Vec<Port>,
    links: Vec<LinkState>,
    losses: Losses,
    /// Memory for received frames, for reuse.
    spare: Frames,
}

impl Attached {
    pub(super) fn new(ports: Vec<Port>) -> Self {
        let links = vec![LinkState::Up; ports.len()];
        Self { ports, links, losses: Losses::default(), spare: Frames::default() }
    }

    pub(super) fn len(&self) -> usize {
        self.ports.len()
    }

    /// Whether all links were up at the last check.
    pub(super) fn are_up(&self) -> bool {
        self.links.iter().all(|link| *link == LinkState::Up)
    }

    /// The frames waiting at a port, at most one batch.
    pub(super) fn take_frames(&mut self, port: usize) -> io::Result<Frames> {
        let mut frames = std::mem::take(&mut self.spare);
        self.ports[port].receive(&mut frames)?;
        Ok(frames)
    }

    pub(super) fn give_back(&mut self, frames: Frames) {
        self.spare = frames;
    }

    /// The state of a link, if it has changed since the last check.
    pub(super) fn changed_link(&mut self, port: usize) -> Option<LinkState> {
        let link = self.ports[port].link();
        (std::mem::replace(&mut self.links[port], link) != link).then_some(link)
    }

    pub(super) fn statistics(&mut self) -> io::Result<Vec<(&str, Statistics)>> {
        let mut found = Vec::new();
        for port in &mut self.ports {
            if let Port::Link(socket) = port {
                let statistics = socket.statistics()?;
                found.push((socket.interface(), statistics));
            }
        }
        Ok(found)
    }

    pub(super) fn losses(&mut self) -> io::Result<Losses> {
        let mut losses = self.losses;
        for port in &mut self.ports {
            if let Port::Link(socket) = port {
                let statistics = socket.statistics()?;
                losses.not_read += statistics.dropped;
                losses.oversized += statistics.oversized;
            }
        }
        Ok(losses)
    }
}

impl Egress for Attached {
    fn send(&mut self, port: usize, octets: &[u8]) {
        for _ in 0..ATTEMPTS {
            match self.ports[port].send(octets) {
                Ok(Sent::Done) => return,
                Ok(Sent::Full) => thread::yield_now(),
                Ok(Sent::Down) => {
                    self.losses.no_link += 1;
                    return;
                }
                Ok(Sent::TooLong) => {
                    self.losses.oversized += 1;
                    return;
                }
                Err(_) => break,
            }
        }
        self.losses.not_sent += 1;
    }
}

/// Received frames, one after another in one buffer.
#[derive(Default)]
pub(super) struct Frames {
    octets: Vec<u8>,
    ends: Vec<usize>,
}

impl Frames {
    fn push(&mut self, octets: &[u8]) {
        self.octets.extend_from_slice(octets);
        self.ends.push(self.octets.len());
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &[u8]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, end)| &self.octets[start..*end])
    }

    pub(super) fn clear(&mut self) {
        self.octets.clear();
        self.ends.clear();
    }
}
