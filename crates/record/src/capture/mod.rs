//! Captures: the frames of a run as a pcapng file, which Wireshark opens.
//!
//! Simulated frames have no octets. `encode` creates the octets of equivalent real frames: an Ethernet header with a
//! VLAN tag and, under congestion control, a CN-TAG; for data, IPv4 and UDP headers, or those of RoCEv2 if receivers
//! reply.
//! [`pcapng`] writes the file.

mod addresses;
mod comment;
mod encode;
mod flows;
pub mod pcapng;
mod rdma;
mod sequence;

use std::io::{self, Write};

use setpoint_scenario::{Capture, PortNames, Prepared};
use setpoint_sim::{Controllers, Decision, Monitor, PassingFrame, PortId, Threads};
use setpoint_units::{Bytes, Time};

use crate::VERSION;

use comment::Comments;
use encode::Encoder;
use pcapng::{Interface, Name, Packet, Pcapng, Section};

/// Writes a capture while a run is in progress, and passes the reports on to another monitor.
pub struct Capturing<'a, W: Write> {
    capture: &'a Capture,
    encoder: Encoder<'a>,
    comments: Comments<'a>,
    file: Pcapng<W>,
    /// The number of each port's interface in the file.
    interfaces: Vec<Option<u32>>,
    frames: u64,
    /// The reason why the file cannot be written. The run stops at the next sample.
    failed: Option<io::Error>,
    monitor: &'a mut dyn Monitor,
}

impl<'a, W: Write> Capturing<'a, W> {
    /// Begins a file: a description of the run, and one interface for each port.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn begin(
        prepared: &'a Prepared,
        capture: &'a Capture,
        to: W,
        monitor: &'a mut dyn Monitor,
    ) -> io::Result<Self> {
        let spec = &prepared.spec;
        let names = PortNames::of_all(&spec.topology);
        let comment = format!("scenario {}, seed {}", prepared.name, spec.seed);
        let mut file = Pcapng::begin(to, &Section { program: &program(), comment: &comment })?;
        let mut interfaces = vec![None; spec.topology.links().len() * 2];
        for (number, port) in capture.ports.iter().enumerate() {
            let link = spec.topology.link_at(port.link());
            file.interface(&Interface {
                name: names.of(*port),
                description: &format!("{}, {}", link.rate, link.delay),
                bits_per_second: link.rate.bits_per_second(),
                snap_length: capture.snap_length.get() as u32,
            })?;
            interfaces[port.index()] = Some(number as u32);
        }
        for station in spec.topology.stations() {
            let (address, ipv4) = (addresses::station(station).0, addresses::station_ipv4(station));
            file.name(&Name { name: &spec.topology.node_at(station).name, address, ipv4 })?;
        }
        let encoder = Encoder::new(spec, capture);
        let comments = Comments { spec, names, set_point: prepared.set_point, text: String::new() };
        Ok(Self { capture, encoder, comments, file, interfaces, frames: 0, failed: None, monitor })
    }

    /// Ends the file. Returns the number of frames in it.
    ///
    /// # Errors
    /// If writing to the file failed at any time.
    pub fn finish(self) -> io::Result<u64> {
        match self.failed {
            Some(error) => Err(error),
            None => self.file.finish().map(|_| self.frames),
        }
    }

    fn write(&mut self, frame: &PassingFrame, number: u64) -> io::Result<()> {
        let Some(interface) = self.interfaces[frame.port.index()] else { return Ok(()) };
        let (kept, length) = self.encoder.encode(frame, number).map_err(io::Error::other)?;
        let comment = self.comments.of(frame);
        let packet = Packet { interface, nanoseconds: frame.at.as_picos() / 1_000, kept, length, comment };
        self.file.packet(&packet)?;
        self.frames += 1;
        Ok(())
    }
}

impl<W: Write> Monitor for Capturing<'_, W> {
    fn progress(&mut self, now: Time, events: u64) -> Decision {
        let decision = self.monitor.progress(now, events);
        if self.failed.is_some() { Decision::Stop } else { decision }
    }

    fn memory_limit(&self) -> Option<Bytes> {
        self.monitor.memory_limit()
    }

    fn threads(&self) -> Threads {
        self.monitor.threads()
    }

    fn controllers(&self) -> Controllers {
        self.monitor.controllers()
    }

    fn observes(&self, port: PortId) -> bool {
        self.interfaces[port.index()].is_some()
    }

    fn passes(&mut self, frame: &PassingFrame) {
        let number = self.encoder.count(frame);
        if self.failed.is_none() && self.capture.includes(frame) {
            self.failed = self.write(frame, number).err();
        }
    }
}

/// The program's name and version as written in the file; they also identify a file as ours.
fn program() -> String {
    format!("{PROGRAM}{VERSION}")
}

/// The beginning of the program's name in a file.
pub const PROGRAM: &str = "Setpoint ";
