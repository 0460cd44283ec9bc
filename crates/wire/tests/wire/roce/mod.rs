//! Tests of RoCEv2 frames.

mod golden;
mod hostile;
mod marks;
mod repair;
mod round_trip;

use setpoint_wire::roce::{Aeth, Connection, End, Operation, Reth, SendPart, Syndrome, U24, WritePart};
use setpoint_wire::{Dscp, Ecn, MacAddress, Priority, RoceFrame, VlanTag};

/// The destination of an RDMA WRITE of 4096 octets.
const MEMORY: Reth = Reth { address: 0x0000_7f01_0203_0400, key: 0x0a0b_0c0d, length: 4_096 };

/// A connection from station 1 to station 2 with priority 3.
fn connection() -> Connection {
    let end = |number: u8, queue_pair| End {
        address: MacAddress([2, 0, 0, 0, 0, number]),
        ipv4: [10, 0, 0, number].into(),
        queue_pair: U24::new(queue_pair).unwrap(),
    };
    Connection {
        source: end(1, 0x11),
        destination: end(2, 0x0002_2222),
        vlan: Some(VlanTag::of_priority(Priority::new(3).unwrap())),
        dscp: Dscp::new(26).unwrap(),
        ecn: Ecn::Ect0,
        source_port: 49_153,
    }
}

/// A frame of each kind.
fn frames() -> [RoceFrame<'static>; 5] {
    let data = |operation| RoceFrame::data(&connection(), U24::wrapping(0x0001_0203), operation);
    let aeth = Aeth { syndrome: Syndrome::ACK, messages: U24::wrapping(9) };
    [
        data(Operation::Send(SendPart::Only, b"hello")),
        data(Operation::Write(WritePart::First(MEMORY), b"12345678")),
        data(Operation::Write(WritePart::Last, b"123")),
        RoceFrame::acknowledgement(&connection().reversed(), U24::wrapping(0x0001_0203), aeth),
        RoceFrame::cnp(&connection().reversed()),
    ]
}

fn octets(frame: &RoceFrame<'_>) -> Vec<u8> {
    frame.encode(&mut [0xaa; 70_000]).unwrap().to_vec()
}
