//! Frames of congestion-managed Ethernet, parsed and encoded without allocation or I/O.
//!
//! Each module describes one format: [`ethernet`] (Ethernet II with its tags), [`vlan`] (the 802.1Q tag), [`cn_tag`]
//! and [`cnm`] (802.1Qau), [`pause`] and [`pfc`] (MAC control), and [`lldp`] with the TLVs that announce congestion
//! notification and PFC. [`Frame`] combines them: it parses a received frame and encodes one to be sent.
//! [`ipv4`], [`ecn`], [`udp`] and [`roce`] describe RoCEv2, whose frames [`RoceFrame`] parses and encodes.
//!
//! Lengths exclude the frame check sequence, which network cards add and remove.
//!
//! ```
//! use setpoint_wire::{Content, Conventions, Frame, Pause};
//!
//! let frame = Frame::pause("02:00:00:00:00:01".parse().unwrap(), Pause { quanta: 0xffff });
//! let mut buffer = [0; 64];
//! let bytes = frame.encode(&Conventions::default(), &mut buffer).unwrap();
//! assert_eq!(bytes.len(), 60);
//! let parsed = Frame::parse(bytes, &Conventions::default()).unwrap();
//! assert!(matches!(parsed.content, Content::Pause(Pause { quanta: 0xffff })));
//! ```

#![no_std]

mod address;
mod checksum;
pub mod cn_tag;
pub mod cnm;
mod codepoint;
mod cursor;
pub mod ecn;
mod error;
pub mod ethernet;
mod frame;
pub mod ipv4;
pub mod lldp;
pub mod pause;
pub mod pfc;
mod priority;
pub mod roce;
pub mod udp;
pub mod vlan;

pub use address::{MacAddress, ParseAddressError};
pub use cn_tag::CnTag;
pub use cnm::{Cnm, Conventions, OffsetSign, PriorityPlace, QueueUnit};
pub use codepoint::Ecn;
pub use error::WireError;
pub use ethernet::{EtherType, Header};
pub use frame::{Content, Frame, MIN_FRAME};
pub use ipv4::{Dscp, Ipv4Header, Protocol};
pub use lldp::Announcement;
pub use pause::Pause;
pub use pfc::Pfc;
pub use priority::{Priority, PrioritySet};
pub use roce::RoceFrame;
pub use udp::UdpHeader;
pub use vlan::VlanTag;

/// A dissector for Wireshark, in Lua, which decodes CN-TAGs and congestion notification messages.
pub const DISSECTOR: &str = include_str!("setpoint.lua");
