//! The station that counts the frames that arrive.

use std::sync::atomic::Ordering;

use setpoint_units::TimeDelta;

use super::shared::{Shared, header, is_ours};
use crate::sys::{PacketSocket, Poller, Token};
use crate::testbed::TestbedError;

/// The address of the sink.
pub(super) const ADDRESS: [u8; 6] = [2, 0, 0, 0, 0, 2];
/// How long the sink waits for frames before it checks whether the measurement has ended.
const PATIENCE: TimeDelta = TimeDelta::from_millis(5);
const EVERYONE: [u8; 6] = [0xff; 6];

/// Counts frames until the measurement ends. Until generator and sink have exchanged frames, the sink sends frames
/// from which bridges learn its address.
pub(super) fn run(mut socket: PacketSocket, shared: &Shared) -> Result<(), TestbedError> {
    let failed = || TestbedError::failed("sink");
    let mut poller = Poller::new(shared.clock).map_err(failed())?;
    poller.add(&socket, Token(0)).map_err(failed())?;
    let mut greeting = header(EVERYONE, ADDRESS);
    greeting.resize(60, 0);
    let (mut ready, mut dropped) = (Vec::new(), 0);
    while !shared.has_ended() {
        poller.wait(Some(shared.clock.now() + PATIENCE), &mut ready).map_err(failed())?;
        if !shared.met.load(Ordering::SeqCst) {
            // A link that has no carrier yet refuses the frame; the next one follows.
            let _ = socket.send(&greeting);
        }
        let mut frames = take(&mut socket).map_err(failed())?;
        if frames == 0 {
            let so_far = socket.statistics().map_err(failed())?.dropped;
            frames = so_far - std::mem::replace(&mut dropped, so_far);
        }
        if frames > 0 {
            shared.arrived(frames);
        }
        shared.sink_time.tell();
    }
    Ok(())
}

/// Takes a batch of frames from the socket. Returns the number of frames that belong to the measurement.
fn take(socket: &mut PacketSocket) -> std::io::Result<u64> {
    let mut frames = 0;
    socket.receive(&mut |octets| frames += u64::from(is_ours(octets)))?;
    Ok(frames)
}
