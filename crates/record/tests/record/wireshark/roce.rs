//! Runs whose receivers reply: their flows are captured as RoCEv2.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs;

use setpoint_control::Mark;
use setpoint_scenario::{Capture, PortNames, Prepared};
use setpoint_sim::{Decision, FlowId, Monitor, PassingContent, PassingFrame, PortId, simulate};
use setpoint_units::Time;
use setpoint_wire::{Ecn, RoceFrame};

use super::{Captured, prepared};

/// Two controlled flows, which are flows 0 and 1, and one flow without congestion control from the first source. A packet
/// in a frame of 1001 B is followed by three octets.
const NETWORK: &str = r#"
    duration = "300 us"
    network.frame = "1001 B"
    measure_from = "0 s"
    topology.star = { stations = 3, rate = "10 Gb/s", delay = "1 us" }
    flow_control.pfc = { xoff = "60 kB", xon = "40 kB" }
    flows = [
        { from = "h{1..2}", to = "h3" },
        { from = "h1", to = "h3", controlled = false, traffic.constant.rate = "1 Gb/s" },
    ]
"#;

const CNPS: &str = r#"control.dcqcn = { cp.k_min = "5 kB", cp.k_max = "20 kB", cp.p_max = "50 %" }"#;

const ACKNOWLEDGEMENTS: &str = r#"
    control.dcqcn = { profile = "hpcc", cp.k_min = "5 kB", cp.k_max = "20 kB", cp.p_max = "50 %" }
    capture.from = "10 us"
"#;

/// Collects the frames of a run.
#[derive(Default)]
struct Collected(Vec<PassingFrame>);

impl Monitor for Collected {
    fn progress(&mut self, _now: Time, _events: u64) -> Decision {
        Decision::Continue
    }

    fn observes(&self, _port: PortId) -> bool {
        true
    }

    fn passes(&mut self, frame: &PassingFrame) {
        self.0.push(*frame);
    }
}

const FIELDS: [&str; 20] = [
    "frame.interface_name",
    "frame.len",
    "vlan.priority",
    "ip.src",
    "ip.dst",
    "ip.dsfield.dscp",
    "ip.dsfield.ecn",
    "udp.srcport",
    "udp.dstport",
    "infiniband.bth.opcode",
    "infiniband.bth.destqp",
    "infiniband.bth.psn",
    "infiniband.bth.padcnt",
    "infiniband.reth.va",
    "infiniband.reth.r_key",
    "infiniband.reth.dmalen",
    "infiniband.aeth.syndrome",
    "infiniband.aeth.msn",
    "vlan.trailer",
    "udp.payload",
];

/// The place of the opcode in [`FIELDS`].
const OPCODE: usize = 9;
/// The digits of the octet of the UDP payload that holds FECN and BECN, which Wireshark 4.0 does not decode.
const FECN_AND_BECN: std::ops::Range<usize> = 8..10;

/// The values of [`FIELDS`] for the captured data and replies of a run, computed from the frames that the simulator
/// reports.
fn expected(prepared: &Prepared, capture: &Capture) -> Vec<String> {
    let mut collected = Collected::default();
    simulate(&prepared.spec, &mut collected).unwrap();
    let names = PortNames::of_all(&prepared.spec.topology);
    let mut passed = HashMap::new();
    let mut lines = Vec::new();
    for frame in &collected.0 {
        let (PassingContent::Data { flow, .. } | PassingContent::Reply { flow, .. }) = frame.content else {
            continue;
        };
        let number = passed.entry((frame.port, flow)).or_insert(0);
        if capture.includes(frame) {
            lines.push(format!("{} {}", names.of(frame.port), values(flow, frame.content, *number)));
        }
        *number += 1;
    }
    lines
}

fn values(FlowId(flow): FlowId, content: PassingContent, number: u32) -> String {
    let source = format!("10.0.0.{}", flow + 1);
    let queue_pair = format!("0x{:06x}", flow + 2);
    // Frames of 1001 B are followed by three octets, and no packet is padded.
    match content {
        PassingContent::Data { .. } if flow == 2 => {
            "997 3 10.0.0.1 10.0.0.3 0 0 49154 49152 . . . . . . . . . . .".to_owned()
        }
        PassingContent::Data { mark, .. } => {
            let (opcode, reth) = match number {
                0 => (6, "0x0000000000000000 0x00000000 2147483648"),
                _ => (7, ". . ."),
            };
            let ecn = match mark {
                Mark::Clear => 2,
                Mark::Congested => 3,
            };
            let packet = format!("{opcode} {queue_pair} {number} 0 {reth} . . 000000 00");
            format!("997 3 {source} 10.0.0.3 24 {ecn} 49153 4791 {packet}")
        }
        PassingContent::Reply { acknowledges: true, .. } => {
            let packet = format!("17 {queue_pair} {number} 0 . . . 31 0 . 00");
            format!("66 6 10.0.0.3 {source} 48 0 49153 4791 {packet}")
        }
        _ => {
            let packet = format!("129 {queue_pair} 0 0 . . . . . . 40");
            format!("78 6 10.0.0.3 {source} 48 0 49153 4791 {packet}")
        }
    }
}

/// The captured values of [`FIELDS`].
fn decoded(captured: &Captured) -> Vec<String> {
    let line = |mut values: Vec<String>| {
        let is_roce = !values[OPCODE].is_empty();
        let payload = values.last_mut().expect("there are fields");
        *payload = if is_roce { payload[FECN_AND_BECN].to_owned() } else { String::new() };
        let shown = values.iter().map(|value| if value.is_empty() { "." } else { value });
        shown.collect::<Vec<_>>().join(" ")
    };
    captured.fields("ip", &FIELDS).into_iter().map(line).collect()
}

/// The octets and the length of all frames in a capture.
fn frames(captured: &Captured) -> Vec<(Vec<u8>, usize)> {
    let file = fs::read(captured.file()).unwrap();
    let word = |at: usize| u32::from_le_bytes(file[at..at + 4].try_into().unwrap()) as usize;
    let mut frames = Vec::new();
    let mut block = 0;
    while block < file.len() {
        if word(block) == 6 {
            let (kept, length) = (word(block + 20), word(block + 24));
            frames.push((file[block + 28..block + 28 + kept].to_vec(), length));
        }
        block += word(block + 4);
    }
    frames
}

/// Checks every frame of a run. Returns the number of frames with each opcode, and of marked frames.
fn checked(text: &str) -> (BTreeMap<u8, usize>, usize) {
    let prepared = prepared(&format!("{NETWORK}{text}"));
    let everything = Capture::everything(&prepared.spec, prepared.conventions);
    let capture = prepared.capture.as_ref().unwrap_or(&everything);
    let (captured, _, _) = Captured::run(&prepared, capture);
    let (decoded, expected) = (decoded(&captured), expected(&prepared, capture));
    for (decoded, expected) in decoded.iter().zip(&expected) {
        assert_eq!(decoded, expected);
    }
    assert_eq!(decoded.len(), expected.len());
    // Comments are the lowest severity.
    let problems = "_ws.expert.severity > 0x00100000 || _ws.malformed || _ws.short";
    assert_eq!(captured.fields(problems, &["frame.number", "_ws.expert.message"]), Vec::<Vec<String>>::new());
    let captured = frames(&captured);
    // Parsing verifies the ICRC.
    let frames: Vec<RoceFrame<'_>> =
        captured.iter().filter_map(|(octets, _)| RoceFrame::parse(octets).ok()).collect();
    assert_eq!(frames.len(), expected.iter().filter(|line| line.contains(" 4791 ")).count());
    let mut opcodes = BTreeMap::new();
    for frame in &frames {
        *opcodes.entry(frame.operation.opcode()).or_default() += 1;
    }
    (opcodes, frames.iter().filter(|frame| frame.ip.ecn == Ecn::Ce).count())
}

#[test]
fn a_run_with_congestion_notification_packets() {
    let (opcodes, marked) = checked(CNPS);
    assert_eq!(opcodes.keys().copied().collect::<Vec<_>>(), [6, 7, 129]);
    // Both flows begin on the links to and from the bridge.
    assert_eq!(opcodes[&6], 4);
    assert!(opcodes[&7] > 500 && opcodes[&129] > 4 && marked > 20, "{opcodes:?}, {marked} marked");
}

/// The capture begins later, but frames are counted from the beginning of the run.
#[test]
fn a_run_with_acknowledgements() {
    let (opcodes, marked) = checked(ACKNOWLEDGEMENTS);
    assert_eq!(opcodes.keys().copied().collect::<Vec<_>>(), [7, 17]);
    assert!(opcodes[&7] > 200 && opcodes[&17] > 200 && marked > 20, "{opcodes:?}, {marked} marked");
}

/// Frames that are too short for a packet are captured with the length of the packet.
#[test]
fn short_frames() {
    let text = NETWORK.replace("1001 B", "64 B").replace("300 us", "5 us");
    let prepared = prepared(&format!("{text}control = \"dcqcn\""));
    let (captured, _, _) =
        Captured::run(&prepared, &Capture::everything(&prepared.spec, prepared.conventions));
    let lengths: BTreeSet<(String, String)> = captured
        .fields("ip", &["infiniband.bth.opcode", "frame.len"])
        .into_iter()
        .map(|mut row| (row.swap_remove(0), row.swap_remove(0)))
        .collect();
    let expected = [("", "60"), ("6", "78"), ("7", "62")];
    assert!(lengths.iter().map(|(opcode, length)| (&**opcode, &**length)).eq(expected), "{lengths:?}");
    assert_eq!(captured.warnings(), Vec::<Vec<String>>::new());
}

/// The snap length is shorter than the headers.
#[test]
fn a_snap_length() {
    let prepared = prepared(&format!("{NETWORK}{CNPS}\ncapture.snap_length = \"60 B\""));
    let (cut, _, _) = Captured::run(&prepared, prepared.capture.as_ref().unwrap());
    let (whole, _, _) = Captured::run(&prepared, &Capture::everything(&prepared.spec, prepared.conventions));
    let (cut, whole) = (frames(&cut), frames(&whole));
    assert!(whole.iter().all(|(octets, length)| octets.len() == *length));
    assert!(whole.iter().map(|(octets, length)| (octets[..60].to_vec(), *length)).eq(cut));
}
