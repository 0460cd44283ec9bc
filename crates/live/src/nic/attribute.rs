//! Netlink attributes: a length, a type and a payload, padded to four octets.

use super::Malformed;

/// The length of the header in octets: the length and the type.
const HEADER: usize = 4;
/// The upper two bits of the type are flags.
const TYPE_MASK: u16 = 0x3fff;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Attribute<'a> {
    pub(super) kind: u16,
    pub(super) payload: &'a [u8],
}

/// The attributes in `octets`. The iterator ends after the first malformed one.
pub(super) fn attributes(octets: &[u8]) -> impl Iterator<Item = Result<Attribute<'_>, Malformed>> {
    let mut rest = octets;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let parsed = split_first(rest);
        rest = parsed.as_ref().map_or(&[], |(_, rest)| rest);
        Some(parsed.map(|(attribute, _)| attribute))
    })
}

/// The payload of the first attribute of a type, if there is one.
pub(super) fn find(octets: &[u8], kind: u16) -> Result<Option<&[u8]>, Malformed> {
    for attribute in attributes(octets) {
        let attribute = attribute?;
        if attribute.kind == kind {
            return Ok(Some(attribute.payload));
        }
    }
    Ok(None)
}

/// Appends an attribute.
///
/// # Panics
/// Panics if the payload is longer than the 16-bit length field allows; ours have at most a few hundred octets.
pub(super) fn push(octets: &mut Vec<u8>, kind: u16, payload: &[u8]) {
    let length = u16::try_from(HEADER + payload.len()).expect("a short payload");
    octets.extend(length.to_ne_bytes());
    octets.extend(kind.to_ne_bytes());
    octets.extend(payload);
    octets.resize(octets.len().next_multiple_of(4), 0);
}

fn split_first(octets: &[u8]) -> Result<(Attribute<'_>, &[u8]), Malformed> {
    let (&[a, b, c, d], _) =
        octets.split_first_chunk().ok_or(Malformed::truncated("attribute header", HEADER, octets.len()))?;
    let length = usize::from(u16::from_ne_bytes([a, b]));
    let payload = octets.get(HEADER..length).ok_or_else(|| match length {
        0..HEADER => Malformed::Length { part: "attribute", length, least: HEADER },
        _ => Malformed::truncated("attribute", length, octets.len()),
    })?;
    // The last attribute may lack its padding.
    let rest = octets.get(length.next_multiple_of(4)..).unwrap_or(&[]);
    Ok((Attribute { kind: u16::from_ne_bytes([c, d]) & TYPE_MASK, payload }, rest))
}
