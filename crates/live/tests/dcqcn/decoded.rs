//! Frames of live nodes as tshark, an independent decoder, reads them. Needs tshark, which `./check` installs.

use std::fs;
use std::process::Command;

use setpoint_live::bridge::Bridge;
use setpoint_live::node::Node;
use setpoint_live::plan;
use setpoint_live::station::{LINK, PROGRAMS};
use setpoint_units::Time;
use setpoint_wire::{Ecn, MacAddress};

use super::support::rdma::{datagram, queue_pair};
use super::support::{self, address, port_address};
use super::{RECEIVER, Sent, at, on_link, spec, station};

const FIELDS: [&str; 11] = [
    "vlan.priority",
    "ip.src",
    "ip.dsfield.dscp",
    "ip.dsfield.ecn",
    "ip.checksum.status",
    "udp.dstport",
    "infiniband.bth.opcode",
    "infiniband.bth.destqp",
    "infiniband.bth.psn",
    "_ws.malformed",
    "_ws.expert.message",
];

/// Two frames of a station, the second of them marked by the bridge, and the receiver's reply. All of them pass through
/// the live nodes.
fn frames() -> Vec<Vec<u8>> {
    let spec = spec();
    let (mut source, mut receiver) = (station(&spec, 0), station(&spec, RECEIVER));
    let node = spec.topology.find("bridge").unwrap();
    let addresses: Vec<MacAddress> = (0..=RECEIVER).map(port_address).collect();
    let mut bridge = Bridge::new(plan::bridge(&spec, node, &addresses, support::options()).unwrap().0);
    let hello = datagram(RECEIVER, 0, None, Ecn::NotEct, 60);
    bridge.receive(Time::ZERO, RECEIVER, &hello, &mut Sent::new());
    let mut sent = Sent::new();
    for _ in 0..3 {
        source.receive(at(0), PROGRAMS, &datagram(0, RECEIVER, None, Ecn::NotEct, 1_400), &mut sent);
    }
    source.poll(at(1_000_000), &mut sent);
    let mut forwarded = Sent::new();
    for octets in on_link(&sent) {
        bridge.receive(at(0), 0, octets, &mut forwarded);
    }
    bridge.poll(at(1_000_000), &mut forwarded);
    let to_receiver =
        |(port, octets): &(usize, Vec<u8>)| *port == RECEIVER && octets[..6] == address(RECEIVER).0;
    let mut decoded: Vec<Vec<u8>> = forwarded.into_iter().filter(to_receiver).map(|sent| sent.1).collect();
    assert_eq!(decoded.len(), 3);
    let mut replies = Sent::new();
    for octets in &decoded {
        receiver.receive(at(2_000_000), LINK, octets, &mut replies);
    }
    decoded.extend(on_link(&replies).into_iter().map(<[u8]>::to_vec));
    decoded
}

/// A file in the original pcap format.
fn pcap(frames: &[Vec<u8>]) -> Vec<u8> {
    let mut file = [0xa1b2_c3d4_u32, 0x0002_0004, 0, 0, 65_535, 1].map(u32::to_be_bytes).concat();
    for (second, octets) in (1..).zip(frames) {
        let length = octets.len() as u32;
        file.extend([second, 0, length, length].map(u32::to_be_bytes).concat());
        file.extend(octets);
    }
    file
}

fn tshark(file: &std::path::Path, arguments: &[&str]) -> String {
    let checks = ["-o", "ip.check_checksum:TRUE", "-o", "udp.check_checksum:TRUE"];
    let output = Command::new("tshark").arg("-r").arg(file).args(checks).args(arguments).output();
    let output = output.expect("tshark is installed");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn every_frame_is_decoded_without_an_error() {
    let folder = std::env::temp_dir().join(format!("setpoint-live-dcqcn-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let file = folder.join("frames.pcap");
    fs::write(&file, pcap(&frames())).unwrap();
    let named: Vec<&str> = FIELDS.iter().flat_map(|field| ["-e", field]).collect();
    let fields = tshark(&file, &[&["-T", "fields", "-E", "separator=|"][..], &named].concat());
    fs::remove_dir_all(&folder).unwrap();
    // The last two fields are empty: tshark reported neither errors nor other remarks.
    let data = |ecn| format!("3|10.0.0.1|0|{ecn}|1|9|||||");
    let reply = format!("6|10.0.0.5|48|0|1|4791|129|0x{:06x}|0||", queue_pair(0, RECEIVER));
    let expected = [data(2), data(3), data(2), reply];
    assert_eq!(fields.lines().collect::<Vec<_>>(), expected);
}
