//! RoCEv2: InfiniBand transport over UDP and IPv4, with ECN marks and congestion notification packets (CNP).
//!
//! | part | octets |
//! |---|---|
//! | Ethernet header with its tags | 14–22 |
//! | IPv4 header | 20 |
//! | UDP header, to port 4791 | 8 |
//! | base transport header (BTH) | 12 |
//! | extended header: RETH, AETH, or the reserved octets of a CNP | 0–16 |
//! | payload | any |
//! | zeros up to a multiple of four octets | 0–3 |
//! | invariant CRC (ICRC) | 4 |
//!
//! Sources: the InfiniBand architecture specification, volume 1, with annex A17 (RoCEv2); RFC 791, 768 and 3168 for IPv4,
//! UDP and ECN; `drivers/infiniband/sw/rxe` in Linux for the position of FECN and BECN and for the ICRC. The tests decode
//! published packets, one of them captured from a network card.
//!
//! [`Frame`](crate::Frame) does not parse IPv4; [`RoceFrame`] is a second way to parse the same octets.
//!
//! ```
//! use setpoint_wire::roce::{Connection, End, Operation, RoceFrame, SendPart, U24};
//! use setpoint_wire::{Dscp, Ecn, ecn};
//!
//! let end = |number: u8| End {
//!     address: setpoint_wire::MacAddress([2, 0, 0, 0, 0, number]),
//!     ipv4: [10, 0, 0, number].into(),
//!     queue_pair: U24::wrapping(100 + u64::from(number)),
//! };
//! let connection = Connection {
//!     source: end(1),
//!     destination: end(2),
//!     vlan: None,
//!     dscp: Dscp::new(26).unwrap(),
//!     ecn: Ecn::Ect0,
//!     source_port: 49_153,
//! };
//!
//! // A source sends a message, and a congested bridge marks the frame.
//! let message = Operation::Send(SendPart::Only, b"hello");
//! let mut buffer = [0; 100];
//! let length = RoceFrame::data(&connection, U24::wrapping(7), message).encode(&mut buffer).unwrap().len();
//! ecn::mark(&mut buffer[..length]).unwrap();
//!
//! // The receiver sends a CNP to the source.
//! let received = RoceFrame::parse(&buffer[..length]).unwrap();
//! assert_eq!((received.ip.ecn, received.operation), (Ecn::Ce, message));
//! let cnp = RoceFrame::cnp(&connection.reversed());
//! assert_eq!((cnp.bth.queue_pair.get(), cnp.bth.becn), (101, true));
//! ```

pub mod bth;
mod connection;
mod extension;
mod icrc;
mod operation;
mod u24;

use crate::cursor::{Reader, Writer};
use crate::{EtherType, Header, Ipv4Header, MIN_FRAME, Protocol, UdpHeader, WireError, ipv4, udp};

pub use bth::Bth;
pub use connection::{Connection, End};
pub use extension::{Aeth, Reth, Syndrome};
pub use operation::{Operation, SendPart, WritePart};
pub use u24::U24;

/// A RoCEv2 frame.
#[must_use]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RoceFrame<'a> {
    /// The Ethernet header.
    pub header: Header,
    /// The IPv4 header.
    pub ip: Ipv4Header,
    /// The UDP source port, which differs between connections so that their packets can take different paths.
    pub source_port: u16,
    /// The base transport header.
    pub bth: Bth,
    /// The extended header and the payload.
    pub operation: Operation<'a>,
}

impl<'a> RoceFrame<'a> {
    /// A packet of a SEND or an RDMA WRITE. The packet that completes a message requests an acknowledgement.
    pub const fn data(connection: &Connection, sequence: U24, operation: Operation<'a>) -> Self {
        Self::new(connection, sequence, operation)
    }

    /// An acknowledgement of all packets up to a sequence number.
    pub const fn acknowledgement(connection: &Connection, sequence: U24, aeth: Aeth) -> Self {
        Self::new(connection, sequence, Operation::Acknowledge(aeth))
    }

    /// A congestion notification packet: BECN is set, and the sequence number is 0.
    pub const fn cnp(connection: &Connection) -> Self {
        let mut frame = Self::new(connection, U24::wrapping(0), Operation::Cnp);
        frame.bth.becn = true;
        frame.bth.migrated = false;
        frame
    }

    const fn new(connection: &Connection, sequence: U24, operation: Operation<'a>) -> Self {
        let Connection { source, destination, vlan, dscp, ecn, source_port } = *connection;
        let header = Header {
            destination: destination.address,
            source: source.address,
            vlan,
            cn_tag: None,
            ether_type: EtherType::IPV4,
        };
        let ip = Ipv4Header { dscp, ecn, ..Ipv4Header::of_udp(source.ipv4, destination.ipv4) };
        let bth = Bth {
            solicited_event: false,
            migrated: true,
            partition: Bth::DEFAULT_PARTITION,
            fecn: false,
            becn: false,
            queue_pair: destination.queue_pair,
            acknowledge_request: operation.completes_message(),
            sequence,
        };
        Self { header, ip, source_port, bth, operation }
    }

    /// The length of all headers and of the ICRC: the length of the frame without the payload, its pad octets and the
    /// padding of a short frame.
    pub const fn overhead(&self) -> usize {
        self.header.length() + ipv4::LENGTH + udp::LENGTH + self.fixed()
    }

    /// The length of the frame.
    pub const fn length(&self) -> usize {
        let length = self.overhead() + self.padded_payload();
        if length < MIN_FRAME { MIN_FRAME } else { length }
    }

    /// The length of the transport headers and the ICRC.
    const fn fixed(&self) -> usize {
        bth::LENGTH + self.operation.extension() + icrc::LENGTH
    }

    const fn padded_payload(&self) -> usize {
        self.operation.payload().len() + self.operation.pad()
    }

    /// Parses a frame. Reserved bits and octets are ignored.
    ///
    /// # Errors
    /// If the frame is truncated, is not RoCEv2, has a field with a value that its format does not allow, or has an
    /// incorrect checksum or ICRC.
    pub fn parse(frame: &'a [u8]) -> Result<Self, WireError> {
        let (header, packet) = Header::parse(frame)?;
        ipv4::check_type(header.ether_type)?;
        let (ip, datagram) = Ipv4Header::parse(packet)?;
        check_protocol(ip.protocol)?;
        let (udp, payload) = UdpHeader::parse(&ip, datagram)?;
        check_port(udp.destination_port)?;
        let from = &mut Reader::new(payload);
        let (bth, kind) = Bth::read(from)?;
        let octets = from.bytes("ICRC", from.rest().len().saturating_sub(icrc::LENGTH))?;
        check_icrc(from.array("ICRC")?, &packet[..ipv4::LENGTH + datagram.len() - icrc::LENGTH])?;
        let operation = Operation::read(kind, octets)?;
        Ok(Self { header, ip, source_port: udp.source_port, bth, operation })
    }

    /// Encodes the frame at the start of a buffer, padded to the minimum length. Returns the octets of the frame.
    ///
    /// # Errors
    /// If the buffer is too short, or if a field has a value that its format does not allow.
    pub fn encode<'b>(&self, buffer: &'b mut [u8]) -> Result<&'b [u8], WireError> {
        if buffer.len() < self.length() {
            return Err(WireError::NoRoom { field: "RoCEv2 packet" });
        }
        self.encode_start(buffer)
    }

    /// Encodes the beginning of the frame, up to the end of the buffer, as in a capture with a snap length. The ICRC,
    /// which depends on the whole payload, is computed only if it begins within the buffer. Returns the octets.
    ///
    /// # Errors
    /// If the buffer is too short for the headers, or if a field has a value that its format does not allow.
    pub fn encode_start<'b>(&self, buffer: &'b mut [u8]) -> Result<&'b [u8], WireError> {
        let mut to = Writer::new(buffer);
        self.write_headers(&mut to)?;
        to.fitting(self.operation.payload());
        to.fitting(&[0; 3][..self.operation.pad()]);
        if to.room() > 0 {
            let icrc = icrc::of(&to.written()[self.header.length()..])?;
            to.fitting(&icrc);
        }
        to.pad_to(MIN_FRAME.min(to.room() + to.written().len()))?;
        Ok(to.finish())
    }

    fn write_headers(&self, to: &mut Writer<'_>) -> Result<(), WireError> {
        ipv4::check_type(self.header.ether_type)?;
        check_protocol(self.ip.protocol)?;
        let payload = self.fixed() + self.padded_payload();
        self.header.write(to)?;
        self.ip.write(udp::LENGTH + payload, to)?;
        let udp = UdpHeader { source_port: self.source_port, destination_port: udp::ROCE_PORT };
        udp.write(payload, to)?;
        self.bth.write(self.operation.kind(), to)?;
        self.operation.write_extension(to)
    }
}

/// Whether a frame is addressed like a CNP: a UDP datagram over IPv4 to the port of RoCEv2, with the opcode of a CNP.
/// Checksums and the ICRC are not checked.
pub fn is_cnp(frame: &[u8]) -> bool {
    let Ok((Header { ether_type: EtherType::IPV4, .. }, packet)) = Header::parse(frame) else { return false };
    let Some((ip, datagram)) = packet.split_at_checked(ipv4::LENGTH) else { return false };
    let is_udp = ip[0] == ipv4::START && ip[9] == Protocol::UDP.0 && !ipv4::is_fragment([ip[6], ip[7]]);
    is_udp
        && datagram.get(2..4) == Some(&udp::ROCE_PORT.to_be_bytes())
        && datagram.get(udp::LENGTH) == Some(&Operation::Cnp.opcode())
}

fn check_protocol(Protocol(found): Protocol) -> Result<(), WireError> {
    if Protocol(found) == Protocol::UDP {
        return Ok(());
    }
    Err(WireError::Invalid { field: "IPv4 protocol", value: found.into(), expected: "17 (UDP)" })
}

fn check_port(found: u16) -> Result<(), WireError> {
    if found == udp::ROCE_PORT {
        return Ok(());
    }
    let expected = "4791 (RoCEv2)";
    Err(WireError::Invalid { field: "UDP destination port", value: found.into(), expected })
}

fn check_icrc(found: [u8; icrc::LENGTH], packet: &[u8]) -> Result<(), WireError> {
    let computed = icrc::of(packet)?;
    if found == computed {
        return Ok(());
    }
    let [found, computed] = [found, computed].map(u32::from_be_bytes);
    Err(WireError::Corrupt { field: "ICRC", found, computed })
}
