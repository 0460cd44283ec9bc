//! The packets of a flow over RoCEv2, and of its receiver.

use setpoint_control::Mark;
use setpoint_wire::roce::{Aeth, Connection, Operation, Reth, Syndrome, U24, WritePart};
use setpoint_wire::{Dscp, Ecn, Priority, RoceFrame, VlanTag};

/// The class of CNPs, for which network cards commonly use DSCP 48.
const CNP_CLASS: Dscp = Dscp::class_selector(Priority::ALL[6]);
/// The length of a flow's message in octets: the longest that InfiniBand allows.
const MESSAGE: u32 = 1 << 31;

/// The content of a reply.
#[derive(Clone, Copy, Debug)]
pub(super) enum Reply {
    /// An acknowledgement of all packets up to a sequence number.
    Acknowledgement(U24),
    /// A congestion notification packet (CNP).
    Congestion,
}

/// A data packet. All packets of a flow belong to one RDMA WRITE, which never ends.
pub(super) fn data<'a>(connection: &Connection, mark: Mark, number: u64, payload: &'a [u8]) -> RoceFrame<'a> {
    let part = match number {
        0 => WritePart::First(Reth { length: MESSAGE, ..Reth::default() }),
        _ => WritePart::Middle,
    };
    let ecn = match mark {
        Mark::Clear => Ecn::Ect0,
        Mark::Congested => Ecn::Ce,
    };
    let connection = Connection { ecn, ..*connection };
    RoceFrame::data(&connection, U24::wrapping(number), Operation::Write(part, payload))
}

/// A reply of the receiver at the end of a connection. Bridges do not mark replies.
pub(super) fn reply(connection: &Connection, priority: Priority, reply: Reply) -> RoceFrame<'static> {
    let vlan = Some(VlanTag::of_priority(priority));
    let dscp = match reply {
        Reply::Acknowledgement(_) => Dscp::class_selector(priority),
        Reply::Congestion => CNP_CLASS,
    };
    let connection = Connection { vlan, dscp, ecn: Ecn::NotEct, ..connection.reversed() };
    match reply {
        Reply::Acknowledgement(sequence) => {
            let aeth = Aeth { syndrome: Syndrome::ACK, messages: U24::default() };
            RoceFrame::acknowledgement(&connection, sequence, aeth)
        }
        Reply::Congestion => RoceFrame::cnp(&connection),
    }
}
