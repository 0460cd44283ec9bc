//! The pcapng format (draft-ietf-opsawg-pcapng): a section header, interfaces and packets with comments.
//!
//! Every block begins with its type and length and ends with its length again; its length is a multiple of four octets.
//! The file is little-endian on every machine.

use std::io::{self, Write};

const SECTION_HEADER: u32 = 0x0a0d_0d0a;
const INTERFACE: u32 = 1;
const NAMES: u32 = 4;
const PACKET: u32 = 6;

const BYTE_ORDER: u32 = 0x1a2b_3c4d;
const ETHERNET: u16 = 1;

const END_OF_RECORDS: u16 = 0;
const IPV4_RECORD: u16 = 1;
const EUI48_RECORD: u16 = 3;

const END_OF_OPTIONS: u16 = 0;
const COMMENT: u16 = 1;
const USER_APPLICATION: u16 = 4;
const INTERFACE_NAME: u16 = 2;
const INTERFACE_DESCRIPTION: u16 = 3;
const INTERFACE_SPEED: u16 = 8;
const TIME_RESOLUTION: u16 = 9;
const FCS_LENGTH: u16 = 13;

/// The octets of a section header before its options.
pub const SECTION_START: usize = 24;

/// The description of a file.
#[derive(Clone, Copy, Debug)]
pub struct Section<'a> {
    /// The program that writes it.
    pub program: &'a str,
    /// A description of its content.
    pub comment: &'a str,
}

/// An interface. Frames refer to it by its number, from 0, in the order in which the interfaces are described.
#[derive(Clone, Copy, Debug)]
pub struct Interface<'a> {
    /// Its name.
    pub name: &'a str,
    /// A short description.
    pub description: &'a str,
    /// Its speed.
    pub bits_per_second: u64,
    /// Maximum number of octets kept per frame.
    pub snap_length: u32,
}

/// The name of a station.
#[derive(Clone, Copy, Debug)]
pub struct Name<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its MAC address.
    pub address: [u8; 6],
    /// Its IPv4 address.
    pub ipv4: [u8; 4],
}

/// A captured frame.
#[derive(Clone, Copy, Debug)]
pub struct Packet<'a> {
    /// The number of its interface.
    pub interface: u32,
    /// Its time since the beginning of the capture.
    pub nanoseconds: u64,
    /// Its first octets.
    pub kept: &'a [u8],
    /// Its total length in octets, without the frame check sequence.
    pub length: u32,
    /// A comment; empty for none.
    pub comment: &'a str,
}

/// A pcapng file that is being written.
#[derive(Debug)]
pub struct Pcapng<W: Write> {
    to: W,
    /// The block that is being built; kept to reuse its memory.
    block: Vec<u8>,
}

impl<W: Write> Pcapng<W> {
    /// Begins a file.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn begin(to: W, section: &Section<'_>) -> io::Result<Self> {
        let mut file = Self { to, block: Vec::with_capacity(512) };
        file.start(SECTION_HEADER);
        file.word(BYTE_ORDER);
        file.half(1); // version 1.0
        file.half(0);
        file.block.extend((-1i64).to_le_bytes()); // a section of unknown length
        debug_assert_eq!(file.block.len(), SECTION_START);
        file.option(USER_APPLICATION, section.program.as_bytes());
        file.option(COMMENT, section.comment.as_bytes());
        file.option(END_OF_OPTIONS, &[]);
        file.end()?;
        Ok(file)
    }

    /// Adds an Ethernet interface.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn interface(&mut self, interface: &Interface<'_>) -> io::Result<()> {
        self.start(INTERFACE);
        self.half(ETHERNET);
        self.half(0);
        self.word(interface.snap_length);
        self.option(INTERFACE_NAME, interface.name.as_bytes());
        self.option(INTERFACE_DESCRIPTION, interface.description.as_bytes());
        self.option(INTERFACE_SPEED, &interface.bits_per_second.to_le_bytes());
        self.option(TIME_RESOLUTION, &[9]);
        self.option(FCS_LENGTH, &[0]);
        self.option(END_OF_OPTIONS, &[]);
        self.end()
    }

    /// Adds the name of a station, which readers show instead of its addresses.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn name(&mut self, name: &Name<'_>) -> io::Result<()> {
        self.start(NAMES);
        let record = |address: &[u8]| [address, name.name.as_bytes(), &[0]].concat();
        self.option(IPV4_RECORD, &record(&name.ipv4));
        self.option(EUI48_RECORD, &record(&name.address));
        self.option(END_OF_RECORDS, &[]);
        self.end()
    }

    /// Adds a frame.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn packet(&mut self, packet: &Packet<'_>) -> io::Result<()> {
        self.start(PACKET);
        self.word(packet.interface);
        self.word((packet.nanoseconds >> 32) as u32);
        self.word(packet.nanoseconds as u32);
        self.word(packet.kept.len() as u32);
        self.word(packet.length);
        self.padded(packet.kept);
        if !packet.comment.is_empty() {
            self.option(COMMENT, packet.comment.as_bytes());
            self.option(END_OF_OPTIONS, &[]);
        }
        self.end()
    }

    /// Ends the file.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn finish(mut self) -> io::Result<W> {
        self.to.flush()?;
        Ok(self.to)
    }

    fn start(&mut self, kind: u32) {
        self.block.clear();
        self.word(kind);
        self.word(0); // the length, once it is known
    }

    fn end(&mut self) -> io::Result<()> {
        let length = self.block.len() as u32 + 4;
        self.block[4..8].copy_from_slice(&length.to_le_bytes());
        self.word(length);
        self.to.write_all(&self.block)
    }

    /// Adds an option, or a record, which has the same layout; a value longer than its length field allows is
    /// truncated.
    fn option(&mut self, code: u16, value: &[u8]) {
        let value = &value[..value.len().min(usize::from(u16::MAX))];
        self.half(code);
        self.half(value.len() as u16);
        self.padded(value);
    }

    fn padded(&mut self, octets: &[u8]) {
        self.block.extend_from_slice(octets);
        self.block.resize(self.block.len().next_multiple_of(4), 0);
    }

    fn half(&mut self, value: u16) {
        self.block.extend(value.to_le_bytes());
    }

    fn word(&mut self, value: u32) {
        self.block.extend(value.to_le_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One block of each type, octet by octet.
    #[test]
    fn blocks_are_laid_out_as_the_format_says() {
        let mut file = Pcapng::begin(Vec::new(), &Section { program: "ab", comment: "c" }).unwrap();
        let interface =
            Interface { name: "h1->b", description: "d", bits_per_second: 0x0102, snap_length: 128 };
        file.interface(&interface).unwrap();
        let packet =
            Packet { interface: 0, nanoseconds: 0x1_0000_0002, kept: &[7, 8, 9], length: 60, comment: "why" };
        file.packet(&packet).unwrap();
        let octets = file.finish().unwrap();
        let blocks: &[&[u8]] = &[
            b"\x0a\x0d\x0d\x0a\x30\0\0\0\x4d\x3c\x2b\x1a\x01\0\0\0",
            b"\xff\xff\xff\xff\xff\xff\xff\xff",
            b"\x04\0\x02\0ab\0\0\x01\0\x01\0c\0\0\0\0\0\0\0\x30\0\0\0",
            b"\x01\0\0\0\x48\0\0\0\x01\0\0\0\x80\0\0\0",
            b"\x02\0\x05\0h1->b\0\0\0\x03\0\x01\0d\0\0\0",
            b"\x08\0\x08\0\x02\x01\0\0\0\0\0\0\x09\0\x01\0\x09\0\0\0\x0d\0\x01\0\0\0\0\0",
            b"\0\0\0\0\x48\0\0\0",
            b"\x06\0\0\0\x30\0\0\0\0\0\0\0\x01\0\0\0\x02\0\0\0\x03\0\0\0\x3c\0\0\0",
            b"\x07\x08\x09\0\x01\0\x03\0why\0\0\0\0\0\x30\0\0\0",
        ];
        assert_eq!(octets, blocks.concat());
    }
}
