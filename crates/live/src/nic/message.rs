//! The messages of Linux's DCB interface, which is part of rtnetlink: `linux/netlink.h`, `linux/rtnetlink.h` and
//! `linux/dcbnl.h`.
//!
//! A message is a netlink header, a DCB header and attributes. The attribute `DCB_ATTR_IEEE` contains the IEEE settings,
//! among them `struct ieee_qcn`. All numbers are in the byte order of the machine.
//!
//! Encoding and decoding are pure functions. Decoding accepts any octets and never panics.

use super::attribute::{find, push};
use super::{Malformed, Qcn, Statistics};

const NETLINK_HEADER: usize = 16;
const DCB_HEADER: usize = 4;

const NLMSG_ERROR: u16 = 2;
const NLM_F_REQUEST: u16 = 1;
pub(super) const RTM_GETDCB: u16 = 78;
pub(super) const RTM_SETDCB: u16 = 79;

pub(super) const IEEE_SET: u8 = 20;
pub(super) const IEEE_GET: u8 = 21;

pub(super) const ATTRIBUTE_INTERFACE: u16 = 1;
pub(super) const ATTRIBUTE_IEEE: u16 = 13;
pub(super) const ATTRIBUTE_QCN: u16 = 8;
pub(super) const ATTRIBUTE_QCN_STATISTICS: u16 = 9;

/// A decoded answer from the kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The kernel refused the request with this error number.
    Refused(i32),
    /// The settings of an interface; a driver reports only what it supports.
    Settings {
        /// The QCN parameters.
        qcn: Option<Box<Qcn>>,
        /// The QCN statistics.
        statistics: Option<Box<Statistics>>,
    },
    /// The driver's reply to new settings: 0, or an error number.
    Written(i32),
}

/// A request for the settings of an interface.
pub fn get_request(sequence: u32, interface: &str) -> Vec<u8> {
    message(RTM_GETDCB, IEEE_GET, sequence, &interface_attribute(interface))
}

/// A request for settings that names no interface. A kernel with DCB rejects it as invalid, and a kernel without DCB
/// as unsupported. With an interface, the answer "unsupported" may come from the kernel or from the driver.
pub fn probe_request(sequence: u32) -> Vec<u8> {
    message(RTM_GETDCB, IEEE_GET, sequence, &[])
}

/// A request to write the QCN parameters of an interface.
pub fn set_request(sequence: u32, interface: &str, qcn: &Qcn) -> Vec<u8> {
    let (mut attributes, mut ieee) = (interface_attribute(interface), Vec::new());
    push(&mut ieee, ATTRIBUTE_QCN, &qcn.encode());
    push(&mut attributes, ATTRIBUTE_IEEE, &ieee);
    message(RTM_SETDCB, IEEE_SET, sequence, &attributes)
}

/// Decodes the answer to the request with this sequence number.
///
/// # Errors
/// Returns an error if the octets are malformed or contain no answer to this request.
pub fn decode(datagram: &[u8], sequence: u32) -> Result<Answer, Malformed> {
    let mut rest = datagram;
    while !rest.is_empty() {
        let message = Message::decode(rest)?;
        if message.sequence == sequence {
            return answer(&message);
        }
        rest = rest.get(message.length.next_multiple_of(4)..).unwrap_or(&[]);
    }
    Err(Malformed::Unrelated)
}

/// A message, split into its parts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Message<'a> {
    pub(super) kind: u16,
    pub(super) sequence: u32,
    /// The length in octets, without padding.
    length: usize,
    body: &'a [u8],
}

impl<'a> Message<'a> {
    pub(super) fn decode(octets: &'a [u8]) -> Result<Self, Malformed> {
        let (header, _) = octets.split_first_chunk::<NETLINK_HEADER>().ok_or(Malformed::truncated(
            "message header",
            NETLINK_HEADER,
            octets.len(),
        ))?;
        let &[a, b, c, d, e, f, _, _, g, h, i, j, ..] = header;
        let length = u32::from_ne_bytes([a, b, c, d]) as usize;
        let body = octets.get(NETLINK_HEADER..length).ok_or_else(|| match length {
            0..NETLINK_HEADER => Malformed::Length { part: "message", length, least: NETLINK_HEADER },
            _ => Malformed::truncated("message", length, octets.len()),
        })?;
        let (kind, sequence) = (u16::from_ne_bytes([e, f]), u32::from_ne_bytes([g, h, i, j]));
        Ok(Self { kind, sequence, length, body })
    }

    /// The command of the DCB header, and the attributes that follow it.
    pub(super) fn dcb(&self) -> Result<(u8, &'a [u8]), Malformed> {
        let (&[_, command, _, _], attributes) = self
            .body
            .split_first_chunk::<DCB_HEADER>()
            .ok_or(Malformed::truncated("DCB header", DCB_HEADER, self.body.len()))?;
        Ok((command, attributes))
    }
}

fn answer(message: &Message<'_>) -> Result<Answer, Malformed> {
    match message.kind {
        NLMSG_ERROR => {
            let (code, _) = message.body.split_first_chunk().ok_or(Malformed::truncated(
                "error number",
                4,
                message.body.len(),
            ))?;
            Ok(Answer::Refused(i32::from_ne_bytes(*code).saturating_neg()))
        }
        RTM_GETDCB | RTM_SETDCB => match message.dcb()? {
            (IEEE_GET, attributes) => settings(attributes),
            (IEEE_SET, attributes) => written(attributes),
            _ => Err(Malformed::Unrelated),
        },
        _ => Err(Malformed::Unrelated),
    }
}

fn settings(attributes: &[u8]) -> Result<Answer, Malformed> {
    let ieee = find(attributes, ATTRIBUTE_IEEE)?.unwrap_or(&[]);
    let qcn = find(ieee, ATTRIBUTE_QCN)?.map(Qcn::decode).transpose()?;
    let statistics = find(ieee, ATTRIBUTE_QCN_STATISTICS)?.map(Statistics::decode).transpose()?;
    Ok(Answer::Settings { qcn: qcn.map(Box::new), statistics: statistics.map(Box::new) })
}

/// Decodes the driver's reply to new settings. The kernel stores the driver's negative error number in one octet.
fn written(attributes: &[u8]) -> Result<Answer, Malformed> {
    let status = find(attributes, ATTRIBUTE_IEEE)?.unwrap_or(&[]);
    let status = status.first().ok_or(Malformed::truncated("status", 1, 0))?;
    Ok(Answer::Written(status.wrapping_neg().into()))
}

/// The attribute with the name of an interface, which ends with a zero octet.
fn interface_attribute(interface: &str) -> Vec<u8> {
    let mut attributes = Vec::new();
    push(&mut attributes, ATTRIBUTE_INTERFACE, &[interface.as_bytes(), &[0]].concat());
    attributes
}

pub(super) fn message(kind: u16, command: u8, sequence: u32, attributes: &[u8]) -> Vec<u8> {
    packet(kind, sequence, &[&[0, command, 0, 0], attributes].concat())
}

/// A message with any body. The sender's port is 0, for the kernel to fill in.
pub(super) fn packet(kind: u16, sequence: u32, body: &[u8]) -> Vec<u8> {
    let length = u32::try_from(NETLINK_HEADER + body.len()).expect("a short message");
    let mut octets = length.to_ne_bytes().to_vec();
    octets.extend(kind.to_ne_bytes());
    octets.extend(NLM_F_REQUEST.to_ne_bytes());
    octets.extend(sequence.to_ne_bytes());
    octets.extend(0u32.to_ne_bytes());
    octets.extend(body);
    octets
}
