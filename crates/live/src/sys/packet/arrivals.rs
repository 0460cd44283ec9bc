//! Receiving frames in batches.
#![expect(unsafe_code, reason = "no safe wrapper offers recvmmsg")]

use std::mem;
use std::os::fd::{AsRawFd, BorrowedFd};
use std::ptr;

use libc::{cmsghdr, iovec, mmsghdr, tpacket_auxdata};
use rustix::io::Errno;

/// The maximum number of frames that one system call receives or sends. A larger batch makes a call with few frames slower,
/// and was no faster with many frames.
pub(super) const BATCH: usize = 32;
/// The length of the longest frame that can be received: a jumbo frame of 9216 octets with an Ethernet header and two
/// tags.
pub const LONGEST_FRAME: usize = 9216 + 14 + 8;
/// The length of a VLAN tag.
const TAG: usize = 4;
/// The length of the two addresses, after which the tag is inserted.
const ADDRESSES: usize = 12;
/// The length of a slot, which has space for the tag in front of the frame.
const SLOT: usize = TAG + LONGEST_FRAME;

/// Buffers for a batch of frames, allocated once.
pub(super) struct Arrivals {
    octets: Box<[u8]>,
    extras: Box<[Extra; BATCH]>,
    envelopes: [Envelope; BATCH],
}

/// A received frame.
pub(super) enum Arrival<'a> {
    /// A frame with its VLAN tag.
    Frame { octets: &'a mut [u8], checksum: Checksum },
    /// A frame longer than [`LONGEST_FRAME`].
    Oversized,
}

/// The checksum of the transport protocol within a frame.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Checksum {
    /// The sender left it to hardware.
    Unfinished,
    /// Anything else.
    Unknown,
}

/// The kernel's description of a frame, from the message that carries it.
#[derive(Clone, Copy, Default)]
struct Envelope {
    length: usize,
    flags: i32,
    extra_length: usize,
}

/// The kernel's auxiliary data for one frame: a control message, laid out as `cmsg(3)` prescribes.
#[derive(Clone, Copy)]
#[repr(C)]
struct Extra {
    header: cmsghdr,
    data: tpacket_auxdata,
}

impl Arrivals {
    pub(super) fn new() -> Self {
        // SAFETY: the struct consists of integers, for which zero is valid.
        let extra: Extra = unsafe { mem::zeroed() };
        Self {
            octets: vec![0; BATCH * SLOT].into_boxed_slice(),
            extras: Box::new([extra; BATCH]),
            envelopes: [Envelope::default(); BATCH],
        }
    }

    /// Receives the waiting frames, at most one batch. Returns their number.
    pub(super) fn fill(&mut self, socket: BorrowedFd<'_>) -> Result<usize, Errno> {
        let mut vectors = self.vectors();
        let mut headers = self.headers(&mut vectors);
        let (fd, first) = (socket.as_raw_fd(), headers.as_mut_ptr());
        // SAFETY: each header points to its own vector, slot and extra, with their lengths; all outlive the call.
        let count =
            unsafe { libc::recvmmsg(fd, first, BATCH as _, libc::MSG_DONTWAIT as _, ptr::null_mut()) };
        let count = usize::try_from(count).map_err(|_| last_error())?;
        for (envelope, header) in self.envelopes.iter_mut().zip(&headers[..count]) {
            *envelope = Envelope::read(header);
        }
        Ok(count)
    }

    fn vectors(&mut self) -> [iovec; BATCH] {
        let mut slots = self.octets.chunks_exact_mut(SLOT);
        std::array::from_fn(|_| {
            let room = slots.next().map_or(&mut [][..], |slot| &mut slot[TAG..]);
            iovec { iov_base: room.as_mut_ptr().cast(), iov_len: room.len() }
        })
    }

    fn headers(&mut self, vectors: &mut [iovec; BATCH]) -> [mmsghdr; BATCH] {
        // SAFETY: the struct consists of integers and pointers, for which zero is valid.
        let mut headers: [mmsghdr; BATCH] = unsafe { mem::zeroed() };
        for ((header, vector), extra) in headers.iter_mut().zip(vectors).zip(self.extras.iter_mut()) {
            header.msg_hdr.msg_iov = vector;
            header.msg_hdr.msg_iovlen = 1;
            header.msg_hdr.msg_control = (&raw mut *extra).cast();
            header.msg_hdr.msg_controllen = size_of::<Extra>() as _;
        }
        headers
    }

    /// The frame with this number in the batch received last.
    pub(super) fn get(&mut self, number: usize) -> Arrival<'_> {
        let envelope = self.envelopes[number];
        if envelope.flags & libc::MSG_TRUNC != 0 {
            return Arrival::Oversized;
        }
        let slot = &mut self.octets[number * SLOT..][..TAG + envelope.length];
        let data = self.extras[number].data_of(envelope);
        let octets = match data.and_then(|data| tag(&data)) {
            Some(tag) => insert(slot, tag),
            None => &mut slot[TAG..],
        };
        let is_unfinished = data.is_some_and(|data| data.tp_status & libc::TP_STATUS_CSUMNOTREADY != 0);
        let checksum = if is_unfinished { Checksum::Unfinished } else { Checksum::Unknown };
        Arrival::Frame { octets, checksum }
    }
}

impl Envelope {
    fn read(header: &mmsghdr) -> Self {
        Self {
            length: header.msg_len as usize,
            flags: header.msg_hdr.msg_flags,
            extra_length: header.msg_hdr.msg_controllen as _,
        }
    }
}

impl Extra {
    fn data_of(&self, envelope: Envelope) -> Option<tpacket_auxdata> {
        let is_whole = envelope.extra_length >= size_of::<cmsghdr>() + size_of::<tpacket_auxdata>();
        let kind = (self.header.cmsg_level, self.header.cmsg_type);
        (is_whole && kind == (libc::SOL_PACKET, libc::PACKET_AUXDATA)).then_some(self.data)
    }
}

/// The tag that the kernel removed from a frame.
fn tag(data: &tpacket_auxdata) -> Option<[u8; TAG]> {
    let is_set = |flag: u32| data.tp_status & flag != 0;
    let has_type = is_set(libc::TP_STATUS_VLAN_TPID_VALID);
    let tag_type = if has_type { data.tp_vlan_tpid } else { libc::ETH_P_8021Q as u16 };
    let ([a, b], [c, d]) = (tag_type.to_be_bytes(), data.tp_vlan_tci.to_be_bytes());
    is_set(libc::TP_STATUS_VLAN_VALID).then_some([a, b, c, d])
}

/// Moves the addresses into the space in front of the frame, and puts the tag after them. The kernel removes tags only
/// from frames that have both addresses.
fn insert(slot: &mut [u8], tag: [u8; TAG]) -> &mut [u8] {
    if slot.len() < TAG + ADDRESSES {
        return &mut slot[TAG..];
    }
    slot.copy_within(TAG..TAG + ADDRESSES, 0);
    slot[ADDRESSES..ADDRESSES + TAG].copy_from_slice(&tag);
    slot
}

fn last_error() -> Errno {
    Errno::from_io_error(&std::io::Error::last_os_error()).unwrap_or(Errno::IO)
}
