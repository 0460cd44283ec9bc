//! The octets of simulated frames.

use setpoint_control::{Notification, ReactionPointParams};
use setpoint_scenario::Capture;
use setpoint_sim::{
    Destination, FlowId, FlowSpec, PassingContent, PassingFrame, PointPlace, Priority, Reaction, Spec,
};
use setpoint_wire::{
    CnTag, Cnm, Content, EtherType, Frame, Header, MIN_FRAME, Pause, Pfc, PrioritySet, VlanTag, cnm,
};

use super::addresses::{self, Ipv4};

const FCS: u32 = 4;
const IPV4_HEADER: usize = 20;
/// The IPv4 protocol number of UDP.
const UDP: u8 = 17;
/// The first of the ports that are not assigned to any service. Flow n of a station sends from this port plus n, and
/// all flows send to this port.
const FIRST_PORT: u16 = 49_152;
/// Ethernet, VLAN tag, CN-TAG and EtherType in front of a notification.
const CNM_HEADER: u32 = 22;

/// Encodes the frames of a run.
pub(super) struct Encoder<'a> {
    spec: &'a Spec,
    capture: &'a Capture,
    /// The number of each flow at its source, from 1: its identifier in CN-TAGs.
    numbers: Vec<u16>,
    payload: Vec<u8>,
    frame: Vec<u8>,
}

impl<'a> Encoder<'a> {
    pub(super) fn new(spec: &'a Spec, capture: &'a Capture) -> Self {
        // Large enough for any header and for the longest notification.
        let frame = vec![0; capture.snap_length.get() as usize + 256];
        Self { spec, capture, numbers: numbers(spec), payload: Vec::new(), frame }
    }

    /// The first octets of a frame, and its total length without the frame check sequence.
    pub(super) fn encode(&mut self, passing: &PassingFrame) -> (&[u8], u32) {
        let length = on_link(passing.length.get() as u32);
        match passing.content {
            PassingContent::Data { flow, .. } => self.write_data(flow, length),
            PassingContent::Notification { flow, priority, from, signal } => {
                self.write_notification(flow, priority, &from, &signal.fields(), length);
            }
            PassingContent::Reply { flow, priority, .. } => self.write_reply(flow, priority, length),
            PassingContent::Pause { quanta } => {
                self.write(&Frame::pause(addresses::port(passing.port), Pause { quanta }));
            }
            PassingContent::Pfc { stop, resume, quanta } => {
                let enabled = PrioritySet(stop.0 | resume.0);
                let times = std::array::from_fn(|number| if stop.0 >> number & 1 == 1 { quanta } else { 0 });
                self.write(&Frame::pfc(addresses::port(passing.port), Pfc { enabled, times }));
            }
        }
        let kept = length.min(self.capture.snap_length.get() as u32);
        (&self.frame[..kept as usize], length)
    }

    fn write_data(&mut self, flow: FlowId, length: u32) {
        let header = self.header(flow);
        let datagram = length as usize - header.length();
        self.fill_payload(flow, datagram);
        let payload = std::mem::take(&mut self.payload);
        self.write(&Frame { header, content: Content::Data(&payload) });
        self.payload = payload;
    }

    /// A reply is a UDP datagram from the receiver to the source, with the ports exchanged.
    fn write_reply(&mut self, flow: FlowId, priority: Priority, length: u32) {
        let data = self.header(flow);
        let (destination, source) = (data.source, data.destination);
        let vlan = Some(VlanTag::of_priority(on_wire(priority)));
        let header = Header { destination, source, vlan, cn_tag: None, ..data };
        self.fill_payload(flow, length as usize - header.length());
        let mut payload = std::mem::take(&mut self.payload);
        // The checksum of the IPv4 header does not depend on the order of the addresses.
        let (addresses, ports) = payload[12..24].split_at_mut(8);
        addresses.rotate_left(4);
        ports.rotate_left(2);
        self.write(&Frame { header, content: Content::Data(&payload) });
        self.payload = payload;
    }

    fn write_notification(
        &mut self,
        flow: FlowId,
        priority: Priority,
        from: &PointPlace,
        notification: &Notification,
        length: u32,
    ) {
        let sampled = self.header(flow);
        // A notification longer than the shortest frame returns the beginning of the sampled frame.
        let room = (length - CNM_HEADER - cnm::FIXED as u32) as usize;
        let returned = if length as usize > MIN_FRAME { room.min(cnm::MAX_SAMPLE) } else { 0 };
        let longest = self.spec.flows[flow.index()].frame.get() as u32;
        self.fill_payload(flow, on_link(longest) as usize - sampled.length());
        let mut sample = [0; cnm::MAX_SAMPLE];
        sample[..2].copy_from_slice(&sampled.ether_type.0.to_be_bytes());
        let rest = self.payload.len().min(cnm::MAX_SAMPLE - 2);
        sample[2..2 + rest].copy_from_slice(&self.payload[..rest]);
        let cnm = Cnm {
            feedback: notification.feedback.get(),
            congestion_point: addresses::congestion_point(from),
            queue_offset: notification.queue_offset,
            queue_delta: notification.queue_delta,
            priority: on_wire(from.priority),
            destination: sampled.destination,
            sample: &sample[..returned],
        };
        self.write(&Frame::cnm(addresses::port(from.port), &sampled, on_wire(priority), cnm));
    }

    /// The Ethernet header of a flow's data.
    fn header(&self, flow: FlowId) -> Header {
        let FlowSpec { source, priority, .. } = &self.spec.flows[flow.index()];
        let destination = match self.spec.flows[flow.index()].destination {
            Destination::Station(node) => addresses::station(node),
            Destination::Group(group) => addresses::group(group),
        };
        Header {
            destination,
            source: addresses::station(*source),
            vlan: Some(VlanTag::of_priority(on_wire(*priority))),
            cn_tag: self.is_tagged(flow).then(|| CnTag { flow: self.numbers[flow.index()] }),
            ether_type: EtherType::IPV4,
        }
    }

    /// Whether a flow has a reaction point.
    fn is_tagged(&self, flow: FlowId) -> bool {
        let (flow, control) = (&self.spec.flows[flow.index()], &self.spec.control);
        flow.reaction == Reaction::Controlled
            && control.priorities.contains(flow.priority)
            && control.reaction_point != ReactionPointParams::None
    }

    /// Builds the first octets of a UDP datagram that contains the flow's name. `length` is the length of the datagram
    /// including its headers.
    fn fill_payload(&mut self, flow: FlowId, length: usize) {
        let spec = &self.spec.flows[flow.index()];
        let destination = match spec.destination {
            Destination::Station(node) => addresses::station_ipv4(node),
            Destination::Group(group) => addresses::group_ipv4(group),
        };
        self.payload.clear();
        let ends = (addresses::station_ipv4(spec.source), destination);
        self.payload.extend(ipv4_header(length as u16, ends));
        let port = FIRST_PORT.wrapping_add(self.numbers[flow.index()]).max(FIRST_PORT);
        let words = [port, FIRST_PORT, (length - IPV4_HEADER) as u16, 0]; // no checksum
        self.payload.extend(words.map(u16::to_be_bytes).as_flattened());
        self.payload.extend(spec.name.as_bytes());
        let kept = length.min(self.capture.snap_length.get() as usize);
        self.payload.resize(kept, 0);
    }

    fn write(&mut self, frame: &Frame<'_>) {
        let encoded = frame.encode(&self.capture.conventions, &mut self.frame).map(<[u8]>::len);
        debug_assert!(encoded.is_ok(), "the buffer holds every frame: {encoded:?}");
        self.frame[encoded.unwrap_or(0)..].fill(0);
    }
}

/// The length of a frame without its frame check sequence. A simulated frame, for example the last one of a message,
/// may be shorter than any real one; it is padded.
fn on_link(length: u32) -> u32 {
    length.saturating_sub(FCS).max(MIN_FRAME as u32)
}

fn on_wire(priority: Priority) -> setpoint_wire::Priority {
    setpoint_wire::Priority::ALL[priority.index()]
}

/// The number of each flow among those of its source, from 1. Flows beyond the range of CN-TAGs share the last number.
fn numbers(spec: &Spec) -> Vec<u16> {
    let mut at_source = vec![0u16; spec.topology.nodes().len()];
    let number = |flow: &FlowSpec| {
        let number = &mut at_source[flow.source.index()];
        *number = number.saturating_add(1);
        *number
    };
    spec.flows.iter().map(number).collect()
}

fn ipv4_header(length: u16, (source, destination): (Ipv4, Ipv4)) -> [u8; IPV4_HEADER] {
    let mut header = [0; IPV4_HEADER];
    header[0] = 0x45; // version 4, five words
    header[2..4].copy_from_slice(&length.to_be_bytes());
    header[6] = 0x40; // do not fragment
    header[8] = 64; // time to live
    header[9] = UDP;
    header[12..16].copy_from_slice(&source);
    header[16..20].copy_from_slice(&destination);
    let checksum = checksum(&header);
    header[10..12].copy_from_slice(&checksum.to_be_bytes());
    header
}

/// The internet checksum (RFC 1071).
fn checksum(octets: &[u8]) -> u16 {
    let words = octets.chunks(2).map(|pair| u32::from(pair[0]) << 8 | u32::from(pair[1]));
    let sum: u32 = words.sum();
    let folded = (sum & 0xffff) + (sum >> 16);
    !((folded & 0xffff) + (folded >> 16)) as u16
}
