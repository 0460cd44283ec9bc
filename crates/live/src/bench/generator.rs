//! The station that sends frames at a paced rate.

use std::sync::atomic::Ordering;
use std::thread;
use std::time::Duration;

use setpoint_units::{Bytes, Rate, Time, TimeDelta};

use super::shared::{Shared, header, is_ours};
use super::{PAYLOAD, Step, sink};
use crate::sys::{PacketSocket, thread_time};
use crate::testbed::TestbedError;

const ADDRESS: [u8; 6] = [2, 0, 0, 0, 0, 1];
/// The frames that one system call sends.
const BATCH: usize = 32;
/// How often the generator wakes up to send.
const TICK: Duration = Duration::from_micros(100);
/// A step ends when nothing has arrived for this long.
const DRAIN: TimeDelta = TimeDelta::from_millis(60);
/// Timeout for generator and sink to receive frames from each other.
const MEETING: TimeDelta = TimeDelta::from_secs(5);

/// Sends frames of the measurement to the sink.
pub(super) struct Generator<'a> {
    socket: PacketSocket,
    frames: Vec<Vec<u8>>,
    shared: &'a Shared,
}

impl<'a> Generator<'a> {
    /// A generator that has exchanged frames with the sink: until then, a bridge may not know that its links are up.
    pub(super) fn meet(socket: PacketSocket, shared: &'a Shared) -> Result<Self, TestbedError> {
        let mut frame = header(sink::ADDRESS, ADDRESS);
        frame.resize(frame.len() + PAYLOAD as usize, 0);
        let mut generator = Self { socket, frames: vec![frame; BATCH], shared };
        let begin = shared.clock.now();
        let mut hears = false;
        while !hears || shared.received.load(Ordering::SeqCst) == 0 {
            if shared.clock.now().saturating_since(begin) > MEETING {
                return Err(failed(std::io::Error::other("generator and sink do not hear each other")));
            }
            hears |= generator.hears_sink()?;
            generator.send_some(1)?;
            thread::sleep(Duration::from_millis(1));
        }
        shared.met.store(true, Ordering::SeqCst);
        // Greetings that are on their way must not arrive during a step.
        thread::sleep(Duration::from_millis(50));
        Ok(generator)
    }

    fn hears_sink(&mut self) -> Result<bool, TestbedError> {
        let mut heard = false;
        self.socket.receive(&mut |octets| heard |= is_ours(octets)).map_err(failed)?;
        Ok(heard)
    }

    /// Sends at a rate for some time, and waits until no more frames arrive.
    pub(super) fn step(&mut self, wanted: Rate, length: TimeDelta) -> Result<Step, TestbedError> {
        let shared = self.shared;
        let received = shared.received.load(Ordering::SeqCst);
        let (bridge, sink, own) = (shared.bridge_time.get(), shared.sink_time.get(), thread_time());
        let begin = shared.clock.now();
        let sent = self.send(wanted, length)?;
        let end = shared.clock.now();
        let own = thread_time() - own;
        self.drain(received + sent);
        Ok(Step {
            wanted,
            sent,
            received: shared.received.load(Ordering::SeqCst) - received,
            sending: end - begin,
            lag: shared.last_arrival().saturating_since(end),
            bridge_time: shared.bridge_time.get() - bridge,
            stations_time: shared.sink_time.get() - sink + own,
        })
    }

    fn send(&mut self, rate: Rate, length: TimeDelta) -> Result<u64, TestbedError> {
        let begin = self.shared.clock.now();
        let gap = rate.time_to_send(Bytes::new(PAYLOAD)).as_picos().max(1);
        let mut sent = 0;
        loop {
            let elapsed = self.shared.clock.now().saturating_since(begin).min(length);
            let due = elapsed.as_picos() / gap;
            sent += self.send_some(due - sent)?;
            if elapsed == length {
                return Ok(sent);
            }
            if sent == due {
                thread::sleep(TICK);
            }
        }
    }

    /// Sends at most a batch. Returns the number of frames that the kernel accepted.
    fn send_some(&mut self, due: u64) -> Result<u64, TestbedError> {
        let count = due.min(BATCH as u64) as usize;
        let sent = self.socket.send_all(&self.frames[..count]).map_err(failed)?;
        Ok(sent.accepted as u64)
    }

    /// Waits until all frames have arrived, or until no more arrive, and until the threads have recorded their CPU
    /// times.
    fn drain(&self, expected: u64) {
        let settled = |begin: Time| {
            let quiet_since = self.shared.last_arrival().max(begin);
            self.shared.clock.now().saturating_since(quiet_since) >= DRAIN
        };
        let begin = self.shared.clock.now();
        while self.shared.received.load(Ordering::SeqCst) < expected && !settled(begin) {
            thread::sleep(Duration::from_millis(1));
        }
        thread::sleep(Duration::from_millis(20));
    }
}

fn failed(error: std::io::Error) -> TestbedError {
    TestbedError::failed("generator")(error)
}
