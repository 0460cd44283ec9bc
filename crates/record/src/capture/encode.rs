//! The octets of simulated frames.

use setpoint_control::{Mark, Notification};
use setpoint_scenario::Capture;
use setpoint_sim::{FlowId, PassingContent, PassingFrame, PointPlace, Priority, PrioritySet, Spec};
use setpoint_wire::roce::U24;
use setpoint_wire::{Cnm, Content, Frame, MIN_FRAME, Pause, Pfc, RoceFrame, WireError, cnm};

use super::addresses;
use super::flows::{Flows, on_wire};
use super::rdma::{self, Reply};
use super::sequence::Sequence;

const FCS: u32 = 4;
/// Ethernet, VLAN tag, CN-TAG and EtherType in front of a notification.
const CNM_HEADER: u32 = 22;
/// The octets of an EtherType.
const ETHER_TYPE: usize = 2;
/// Encodes the frames of a run.
pub(super) struct Encoder<'a> {
    capture: &'a Capture,
    flows: Flows<'a>,
    sequence: Sequence,
    payload: Vec<u8>,
    frame: Vec<u8>,
}

impl<'a> Encoder<'a> {
    pub(super) fn new(spec: &'a Spec, capture: &'a Capture) -> Self {
        // Large enough for any header and for the longest notification.
        let frame = vec![0; capture.snap_length.get() as usize + 256];
        Self { capture, flows: Flows::new(spec), sequence: Sequence::default(), payload: Vec::new(), frame }
    }

    /// The sequence number of a frame. Every frame of a port must be counted, whether it is captured or not.
    pub(super) fn count(&mut self, passing: &PassingFrame) -> u64 {
        match passing.content {
            PassingContent::Data { flow, .. } if self.flows.is_rdma(flow) => {
                self.sequence.number(passing.port, flow)
            }
            PassingContent::Reply { flow, acknowledges: true, .. } => {
                self.sequence.number(passing.port, flow)
            }
            _ => 0,
        }
    }

    /// The first octets of a frame with a sequence number, and its total length without the frame check sequence. A
    /// simulated frame may be too short for its headers; then the length is that of the encoded frame.
    pub(super) fn encode(&mut self, passing: &PassingFrame, number: u64) -> Result<(&[u8], u32), WireError> {
        let length = self.write(passing, number)?;
        let kept = length.min(self.capture.snap_length.get() as u32);
        Ok((&self.frame[..kept as usize], length))
    }

    fn write(&mut self, passing: &PassingFrame, number: u64) -> Result<u32, WireError> {
        let length = on_link(passing.length.get() as u32);
        match passing.content {
            PassingContent::Data { flow, mark, .. } => self.write_data(flow, mark, number, length),
            PassingContent::Notification { flow, priority, from, signal } => {
                self.write_notification(flow, priority, &from, &signal.fields(), length)
            }
            PassingContent::Reply { flow, priority, acknowledges } => {
                let sequence = U24::wrapping(number);
                let reply = if acknowledges { Reply::Acknowledgement(sequence) } else { Reply::Congestion };
                let connection = self.flows.connection(flow);
                self.write_roce(&rdma::reply(&connection, on_wire(priority), reply), length)
            }
            PassingContent::Pause { quanta } => {
                self.write_frame(&Frame::pause(addresses::port(passing.port), Pause { quanta }), length)
            }
            PassingContent::Pfc { stop, resume, quanta } => {
                let pfc = pfc(stop, resume, quanta);
                self.write_frame(&Frame::pfc(addresses::port(passing.port), pfc), length)
            }
        }
    }

    fn write_data(&mut self, flow: FlowId, mark: Mark, number: u64, length: u32) -> Result<u32, WireError> {
        if self.flows.is_rdma(flow) {
            self.write_rdma(flow, mark, number, length)
        } else {
            self.write_datagram(flow, length)
        }
    }

    /// A UDP datagram that contains the flow's name.
    fn write_datagram(&mut self, flow: FlowId, length: u32) -> Result<u32, WireError> {
        let header = self.flows.header(flow);
        let datagram = length as usize - header.length();
        let mut payload = std::mem::take(&mut self.payload);
        payload.clear();
        self.flows.extend_headers(flow, datagram, &mut payload)?;
        payload.extend(self.flows.spec(flow).name.as_bytes());
        payload.resize(datagram.min(self.capture.snap_length.get() as usize), 0);
        let written = self.write_frame(&Frame { header, content: Content::Data(&payload) }, length);
        self.payload = payload;
        written
    }

    /// A RoCEv2 packet that contains the flow's name. The payload is a multiple of four octets; up to three octets
    /// after the packet pad the frame to its length.
    fn write_rdma(&mut self, flow: FlowId, mark: Mark, number: u64, length: u32) -> Result<u32, WireError> {
        let connection = self.flows.connection(flow);
        let overhead = rdma::data(&connection, mark, number, &[]).overhead();
        let mut payload = std::mem::take(&mut self.payload);
        payload.clear();
        payload.extend(self.flows.spec(flow).name.as_bytes());
        payload.resize((length as usize).saturating_sub(overhead) & !3, 0);
        let written = self.write_roce(&rdma::data(&connection, mark, number, &payload), length);
        self.payload = payload;
        written
    }

    fn write_notification(
        &mut self,
        flow: FlowId,
        priority: Priority,
        from: &PointPlace,
        notification: &Notification,
        length: u32,
    ) -> Result<u32, WireError> {
        // A notification that is longer than the shortest frame contains the beginning of the sampled frame.
        let room = (length - CNM_HEADER - cnm::FIXED as u32) as usize;
        let returned = if length as usize > MIN_FRAME { room.min(cnm::MAX_SAMPLE) } else { 0 };
        let sampled = self.flows.header(flow);
        let sample = self.sample(flow, sampled.length() - ETHER_TYPE)?;
        let cnm = Cnm {
            feedback: notification.feedback.get(),
            congestion_point: addresses::congestion_point(from),
            queue_offset: notification.queue_offset,
            queue_delta: notification.queue_delta,
            priority: on_wire(from.priority),
            destination: sampled.destination,
            sample: &sample[..returned],
        };
        self.write_frame(&Frame::cnm(addresses::port(from.port), &sampled, on_wire(priority), cnm), length)
    }

    /// The octets of a flow's longest frame from an offset onwards. The number and the mark of the sampled frame are not
    /// known.
    fn sample(&mut self, flow: FlowId, start: usize) -> Result<[u8; cnm::MAX_SAMPLE], WireError> {
        let longest = on_link(self.flows.spec(flow).frame.get() as u32);
        let length = self.write_data(flow, Mark::Clear, 0, longest)? as usize;
        let octets = &self.frame[start..length.min(start + cnm::MAX_SAMPLE)];
        let mut sample = [0; cnm::MAX_SAMPLE];
        sample[..octets.len()].copy_from_slice(octets);
        Ok(sample)
    }

    /// Writes a frame, followed by zeros up to the given length.
    fn write_frame(&mut self, frame: &Frame<'_>, length: u32) -> Result<u32, WireError> {
        let encoded = frame.encode(&self.capture.conventions, &mut self.frame)?.len();
        self.pad(encoded, length);
        Ok(length)
    }

    /// Writes a RoCEv2 frame, followed by zeros up to the given length. Returns the length of the frame, which is larger if
    /// the packet needs more.
    fn write_roce(&mut self, frame: &RoceFrame<'_>, length: u32) -> Result<u32, WireError> {
        let length = length.max(frame.length() as u32);
        let encoded = frame.encode_start(&mut self.frame)?.len();
        self.pad(encoded, length);
        Ok(length)
    }

    fn pad(&mut self, encoded: usize, length: u32) {
        let end = (length as usize).clamp(encoded, self.frame.len());
        self.frame[encoded..end].fill(0);
    }
}

fn pfc(stop: PrioritySet, resume: PrioritySet, quanta: u16) -> Pfc {
    let enabled = setpoint_wire::PrioritySet(stop.0 | resume.0);
    let times = std::array::from_fn(|number| if stop.0 >> number & 1 == 1 { quanta } else { 0 });
    Pfc { enabled, times }
}

/// The length of a frame without its frame check sequence. A simulated frame, for example the last one of a message,
/// may be shorter than any real one; it is padded.
fn on_link(length: u32) -> u32 {
    length.saturating_sub(FCS).max(MIN_FRAME as u32)
}
