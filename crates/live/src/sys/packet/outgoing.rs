//! Sending frames in batches.

use std::io::{self, IoSlice};
use std::os::fd::BorrowedFd;

use rustix::io::Errno;
use rustix::net::{MMsgHdr, SendAncillaryBuffer, SendFlags, sendmmsg};

use super::arrivals::BATCH;
use crate::sys::{Sent, SentAll};

pub(super) fn send_all(socket: BorrowedFd<'_>, frames: &[impl AsRef<[u8]>]) -> io::Result<SentAll> {
    let mut accepted = 0;
    while accepted < frames.len() {
        let batch = &frames[accepted..][..BATCH.min(frames.len() - accepted)];
        // The kernel reports an error only about the first frame, and so the loop reaches the reason of every stop.
        match send_batch(socket, batch) {
            Ok(count) => accepted += count,
            refused => return Ok(SentAll { accepted, end: Sent::from_call(refused)? }),
        }
    }
    Ok(SentAll { accepted, end: Sent::Done })
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
