//! Raw sockets that receive and send whole frames.

mod arrivals;
mod checksum;
mod options;
mod outgoing;

use std::fmt;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::thread;
use std::time::{Duration, Instant};

use rustix::io::Errno;
use rustix::net::sockopt::{
    set_socket_recv_buffer_size, set_socket_recv_buffer_size_force, set_socket_send_buffer_size,
    set_socket_send_buffer_size_force,
};
use rustix::net::{AddressFamily, SocketFlags, SocketType, socket_with};
use setpoint_wire::MacAddress;

pub use self::arrivals::LONGEST_FRAME;
use self::arrivals::{Arrival, Arrivals, Checksum};
use super::interface::check_name;
use super::request::Interface;
use super::sent::is_link_loss;
use super::{LinkState, Sent, SentAll, SysError, request};

/// Size of the receive buffer. The kernel also counts its own overhead, about 800 octets per frame.
const RECEIVE_BUFFER: usize = 16 << 20;
const SEND_BUFFER: usize = 4 << 20;
/// Maximum time to wait for a link. The kernel reports a new link as up within about a second.
const LINK_PATIENCE: Duration = Duration::from_secs(5);

/// A raw socket on one interface. It receives every frame that arrives, but none that this machine sends, and sends frames
/// as given. Frames have no frame check sequence.
///
/// The socket survives the interface going down and up. When the interface is deleted and created again, the next call to
/// [`PacketSocket::link`] binds the socket to the new interface.
///
/// The kernel processes received frames too: an interface with an IP address answers by itself.
pub struct PacketSocket {
    socket: OwnedFd,
    interface: String,
    address: MacAddress,
    arrivals: Arrivals,
    statistics: Statistics,
}

/// Frames that a socket received and lost since it was opened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Frames that the kernel put into the socket's buffer.
    pub received: u64,
    /// Frames that the kernel dropped because the buffer was full.
    pub dropped: u64,
    /// Received frames that were not passed on, because they are longer than [`LONGEST_FRAME`].
    pub oversized: u64,
    /// Received frames whose sender left the checksum of TCP or UDP to hardware, and for which it was computed here.
    pub finished: u64,
    /// Received frames that were passed on with a wrong checksum, because their sender left it to hardware and this program
    /// could not locate it: the packet is neither TCP nor UDP, is a fragment, or is encapsulated in another packet.
    /// [`quiet`](super::quiet) on the sender's interface prevents this.
    pub unfinished: u64,
}

impl PacketSocket {
    /// Opens a socket on an interface, which may be down.
    ///
    /// # Errors
    /// Returns an error if there is no such interface, if it does not carry Ethernet frames, or if the process lacks
    /// CAP_NET_RAW.
    pub fn open(interface: &str) -> Result<Self, SysError> {
        check_name(interface)?;
        let refused = |error: io::Error| {
            SysError::refused(format!("opening a raw socket on {interface}"), interface, &error)
        };
        let socket = configured_socket().map_err(refused)?;
        let place = Interface::new(&socket, interface);
        let index = place.index().ok_or_else(|| SysError::no_interface(interface))?;
        let address = place.ethernet()?.address;
        attach(socket.as_fd(), index).map_err(refused)?;
        let (arrivals, statistics) = (Arrivals::new(), Statistics::default());
        Ok(Self { socket, interface: interface.to_owned(), address, arrivals, statistics })
    }

    /// Receives the waiting frames, at most 32 of them, with their VLAN tags. Returns the number of frames taken from
    /// the socket, including oversized ones; 0 if none are waiting, or if the interface is down.
    ///
    /// # Errors
    /// Returns an error if the kernel is out of memory.
    pub fn receive(&mut self, take: &mut dyn FnMut(&[u8])) -> io::Result<usize> {
        let count = match self.arrivals.fill(self.socket.as_fd()) {
            Ok(count) => count,
            Err(Errno::AGAIN | Errno::INTR) => 0,
            Err(error) if is_link_loss(error) => 0,
            Err(error) => return Err(error.into()),
        };
        for number in 0..count {
            self.pass(number, take);
        }
        Ok(count)
    }

    fn pass(&mut self, number: usize, take: &mut dyn FnMut(&[u8])) {
        match self.arrivals.get(number) {
            Arrival::Frame { octets, checksum } => {
                if checksum == Checksum::Unfinished {
                    match checksum::finish(octets) {
                        true => self.statistics.finished += 1,
                        false => self.statistics.unfinished += 1,
                    }
                }
                take(octets);
            }
            Arrival::Oversized => self.statistics.oversized += 1,
        }
    }

    /// Sends a frame.
    ///
    /// # Errors
    /// Returns an error if the frame has no complete Ethernet header, or if the kernel is out of memory.
    pub fn send(&mut self, frame: &[u8]) -> io::Result<Sent> {
        outgoing::send_one(self.socket.as_fd(), frame)
    }

    /// Sends frames in order, until the kernel does not accept one.
    ///
    /// # Errors
    /// Returns an error like [`PacketSocket::send`] for the first frame that the kernel does not accept.
    pub fn send_all(&mut self, frames: &[impl AsRef<[u8]>]) -> io::Result<SentAll> {
        outgoing::send_all(self.socket.as_fd(), frames)
    }

    /// The frames received and lost since the socket was opened.
    ///
    /// # Errors
    /// Returns an error only if the kernel provides no statistics.
    pub fn statistics(&mut self) -> io::Result<Statistics> {
        let counts = options::counts(self.socket.as_fd())?;
        self.statistics.received += u64::from(counts.received);
        self.statistics.dropped += u64::from(counts.dropped);
        Ok(self.statistics)
    }

    /// The state of the interface. If the interface has been created again, binds the socket to the new one.
    pub fn link(&mut self) -> LinkState {
        let place = Interface::new(&self.socket, &self.interface);
        let Some(index) = place.index() else { return LinkState::Absent };
        let is_bound = options::bound_index(self.socket.as_fd()).is_ok_and(|bound| bound == Some(index));
        if !is_bound && attach(self.socket.as_fd(), index).is_err() {
            return LinkState::Absent;
        }
        if let Ok(hardware) = place.ethernet() {
            self.address = hardware.address;
        }
        place.link()
    }

    /// Waits until the link is up: the kernel reports a new link as up only some time after both ends are switched on.
    ///
    /// # Errors
    /// Returns an error if the link is not up after five seconds.
    pub fn await_link(&mut self) -> Result<(), SysError> {
        let begin = Instant::now();
        while self.link() != LinkState::Up {
            if begin.elapsed() > LINK_PATIENCE {
                return Err(SysError::NoLink { name: self.interface.clone() });
            }
            thread::sleep(Duration::from_millis(1));
        }
        Ok(())
    }

    /// The longest payload of a frame in octets. A VLAN tag does not count, but a CN-TAG does.
    ///
    /// # Errors
    /// Returns an error if the interface is absent.
    pub fn mtu(&self) -> io::Result<usize> {
        request::mtu(Interface::new(&self.socket, &self.interface))
    }

    /// The address of the interface when the socket was opened or [`PacketSocket::link`] was last called.
    pub fn address(&self) -> MacAddress {
        self.address
    }

    /// The kernel's index of the interface, unless the interface was deleted.
    pub fn index(&self) -> Option<u32> {
        options::bound_index(self.socket.as_fd()).ok().flatten()
    }

    /// The name of the interface.
    pub fn interface(&self) -> &str {
        &self.interface
    }
}

impl AsFd for PacketSocket {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.socket.as_fd()
    }
}

impl fmt::Debug for PacketSocket {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = f.debug_struct("PacketSocket");
        text.field("interface", &self.interface).field("address", &self.address).finish_non_exhaustive()
    }
}

/// A socket that receives nothing yet: with a protocol, it would receive the frames of all interfaces until it is bound.
fn configured_socket() -> io::Result<OwnedFd> {
    let flags = SocketFlags::CLOEXEC | SocketFlags::NONBLOCK;
    let socket = socket_with(AddressFamily::PACKET, SocketType::RAW, flags, None)?;
    options::keep_tags(socket.as_fd())?;
    options::ignore_outgoing(socket.as_fd())?;
    options::bypass_queue(socket.as_fd())?;
    // Without CAP_NET_ADMIN, the kernel grants at most net.core.rmem_max and net.core.wmem_max.
    set_socket_recv_buffer_size_force(&socket, RECEIVE_BUFFER)
        .or_else(|_| set_socket_recv_buffer_size(&socket, RECEIVE_BUFFER))?;
    set_socket_send_buffer_size_force(&socket, SEND_BUFFER)
        .or_else(|_| set_socket_send_buffer_size(&socket, SEND_BUFFER))?;
    Ok(socket)
}

fn attach(socket: BorrowedFd<'_>, index: u32) -> io::Result<()> {
    options::bind(socket, index)?;
    options::promiscuous(socket, index)
}
