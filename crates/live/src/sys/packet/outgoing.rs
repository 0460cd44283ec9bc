//! Sending frames in batches.

use std::io::{self, IoSlice};
use std::os::fd::BorrowedFd;

use rustix::io::Errno;
use rustix::net::{MMsgHdr, SendAncillaryBuffer, SendFlags, send, sendmmsg};

use super::arrivals::BATCH;
use crate::sys::sent::{Sent, SentAll, is_link_loss};

pub(super) fn send_one(socket: BorrowedFd<'_>, frame: &[u8]) -> io::Result<Sent> {
    Sent::from_call(twice(|| send(socket, frame, SendFlags::DONTWAIT)))
}

/// Sends frames in order, until the kernel does not accept one.
pub(super) fn send_all(socket: BorrowedFd<'_>, frames: &[impl AsRef<[u8]>]) -> io::Result<SentAll> {
    let mut accepted = 0;
    while accepted < frames.len() {
        let batch = &frames[accepted..][..BATCH.min(frames.len() - accepted)];
        // The kernel reports an error only for the first frame of a batch, so the next iteration obtains the reason
        // why sending stopped.
        match twice(|| send_batch(socket, batch)) {
            Ok(count) => accepted += count,
            refused => return Ok(SentAll { accepted, end: Sent::from_call(refused)? }),
        }
    }
    Ok(SentAll { accepted, end: Sent::Done })
}

/// Repeats a call that fails because of the link. The first failure may be due to an earlier loss of the link, which the
/// kernel reports at the next call even if the link is up again.
fn twice(mut call: impl FnMut() -> Result<usize, Errno>) -> Result<usize, Errno> {
    call().or_else(|error| if is_link_loss(error) { call() } else { Err(error) })
}

fn send_batch(socket: BorrowedFd<'_>, frames: &[impl AsRef<[u8]>]) -> Result<usize, Errno> {
    let slice = |number: usize| frames.get(number).map_or(&[][..], AsRef::as_ref);
    let slices: [_; BATCH] = std::array::from_fn(|number| [IoSlice::new(slice(number))]);
    let mut extras: [_; BATCH] = std::array::from_fn(|_| SendAncillaryBuffer::default());
    let mut messages = Vec::with_capacity(frames.len());
    messages.extend(
        slices.iter().zip(&mut extras).take(frames.len()).map(|(slice, extra)| MMsgHdr::new(slice, extra)),
    );
    sendmmsg(socket, &mut messages, SendFlags::DONTWAIT)
}
