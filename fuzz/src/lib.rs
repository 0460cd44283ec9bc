//! Conversations for the targets `bridge` and `station`: the network, and the frames with their arrival times.
//!
//! An input is a sequence of records. A record names a genuine frame, changes a few of its octets, and repeats it. A short
//! input can thus fill a queue, and the fuzzer needs no corpus to find frames that parse.
//!
//! | octet | field |
//! |---|---|
//! | 0 | the genuine frame (3 bits), the port (5 bits) |
//! | 1 | the time before each repetition: 3 bits of exponent, 5 bits of mantissa |
//! | 2 | the number of repetitions |
//! | 3 | the length of the frame in units of 8 octets; 0 keeps the genuine length |
//! | 4 | where the changed octets begin |
//! | 5 | how many octets are changed |
//! | 6… | octets that are XORed with those of the frame |

use std::sync::LazyLock;

use setpoint_live::neighbour::Defence;
use setpoint_live::options::Options;
use setpoint_live::pauses::Pauses;
use setpoint_scenario::{Override, Scenario, Source};
use setpoint_sim::Spec;
use setpoint_units::{Rate, Time, TimeDelta};
use setpoint_wire::lldp::CongestionTlv;
use setpoint_wire::{
    Announcement, CnTag, Cnm, Content, Conventions, EtherType, Frame, Header, MacAddress, Pause, Pfc,
    Priority, PrioritySet, VlanTag,
};

/// The number of stations in the network, which is also the number of ports of its bridge. The last station is the receiver.
pub const STATIONS: usize = 5;
/// How long the watchdog tolerates pauses before it fires.
pub const PATIENCE: TimeDelta = TimeDelta::from_secs(1);
/// The maximum number of frames in a conversation, chosen so that an execution takes milliseconds.
const MOST_FRAMES: usize = 400;
const DATA: Priority = Priority::ALL[3];

/// Four stations send to a fifth through one bridge, under AF-QCN and PFC. Notifications return sampled octets.
pub static NETWORK: LazyLock<Spec> = LazyLock::new(|| {
    let source = Source::builtin("live-shares").expect("it is built in");
    let longer: Override = "control.af-qcn.notification_size=128 B".parse().expect("a key and a value");
    let scenario = Scenario::load(&source, &[longer]).expect("a built-in scenario loads");
    scenario.prepare(scenario.seed()).expect("a scenario that loads can be prepared").spec
});

/// The options of a live session, and the records that follow the first octet of an input.
pub fn conversation(input: &[u8]) -> (Options, Vec<Record<'_>>) {
    let (first, mut rest) = input.split_first().unwrap_or((&0, &[]));
    let defences = [Defence::Automatic, Defence::Edge, Defence::Interior, Defence::InteriorReady];
    let options = Options {
        defence: defences[usize::from(first % 4)],
        alternate_priority: Priority::default(),
        announce_every: TimeDelta::from_secs(30),
        pause_patience: PATIENCE,
        conventions: Conventions::default(),
    };
    let (mut records, mut frames) = (Vec::new(), 0);
    while let Some(record) = Record::split_from(&mut rest) {
        frames += record.count;
        if frames > MOST_FRAMES {
            break;
        }
        records.push(record);
    }
    (options, records)
}

/// A frame that is repeated at equal intervals.
pub struct Record<'a> {
    genuine: u8,
    /// The port number, below 32.
    pub port: usize,
    /// The time before each repetition.
    pub step: TimeDelta,
    /// The number of repetitions.
    pub count: usize,
    length: usize,
    offset: usize,
    changes: &'a [u8],
}

impl<'a> Record<'a> {
    fn split_from(input: &mut &'a [u8]) -> Option<Self> {
        let (&[first, step, count, length, offset, changed], rest) = input.split_first_chunk()?;
        let (changes, rest) = rest.split_at_checked(changed.into())?;
        *input = rest;
        Some(Self {
            genuine: first & 7,
            port: usize::from(first >> 3),
            step: TimeDelta::from_micros(u64::from(step & 31) << (3 * (step >> 5))),
            count: usize::from(count),
            length: usize::from(length) * 8,
            offset: offset.into(),
            changes,
        })
    }

    /// The octets of the frame.
    pub fn frame(&self) -> Vec<u8> {
        let mut octets = genuine(self.genuine, self.port % STATIONS);
        if self.length > 0 {
            octets.resize(self.length, 0);
        }
        for (octet, change) in octets.iter_mut().skip(self.offset).zip(self.changes) {
            *octet ^= change;
        }
        octets
    }
}

/// The address of a station.
pub fn address(station: usize) -> MacAddress {
    MacAddress([2, 0, 0, 0, 0, station as u8 + 1])
}

/// The address of a port of the bridge.
pub fn port_address(port: usize) -> MacAddress {
    MacAddress([2, 0, 0, 0, 1, port as u8 + 1])
}

/// The priority of a frame on the wire.
pub fn priority(header: &Header) -> Priority {
    header.vlan.map_or(Priority::default(), |tag| tag.priority)
}

/// Applies a frame to the pauses of a port, if it is a pause. Returns whether it is.
pub fn obey(pauses: &mut Pauses, now: Time, octets: &[u8], rate: Rate) -> bool {
    match Frame::parse(octets, &Conventions::default()) {
        Ok(frame) if frame.header.destination != MacAddress::PAUSE => false,
        Ok(Frame { content: Content::Pause(pause), .. }) => {
            pauses.on_pause(now, pause, rate);
            true
        }
        Ok(Frame { content: Content::Pfc(pfc), .. }) => {
            pauses.on_pfc(now, &pfc, rate);
            true
        }
        _ => false,
    }
}

fn genuine(kind: u8, station: usize) -> Vec<u8> {
    let vlan = Some(VlanTag::of_priority(DATA));
    let (destination, source) = (address(STATIONS - 1), address(station));
    let plain = Header { destination, source, vlan: None, cn_tag: None, ether_type: EtherType::IPV4 };
    let tagged = Header { vlan, cn_tag: Some(CnTag { flow: 1 }), ..plain };
    // A UDP packet with enough of its header to identify a flow.
    let packet = [0x45, 0, 0, 28, 0, 0, 0, 0, 64, 17, 0, 0, 10, 0, 0, 1, 10, 0, 0, 2, 0, 7, 0, 9, 0, 8, 0, 0];
    let content = Content::Data(&packet);
    let frame = match kind {
        0 => return vec![0; 60],
        1 => Frame { header: tagged, content },
        2 => Frame { header: plain, content },
        3 => Frame { header: Header { destination: MacAddress([0xff; 6]), ..plain }, content },
        4 => {
            let congestion_point = [2, 0, 0, 0, 1, STATIONS as u8, 0, 3];
            let (queue_offset, queue_delta) = (-50_000, 10_000);
            let cnm = Cnm {
                feedback: 40,
                congestion_point,
                queue_offset,
                queue_delta,
                priority: DATA,
                destination,
                sample: &[],
            };
            Frame::cnm(port_address(STATIONS - 1), &Header { source: address(0), ..tagged }, DATA, cnm)
        }
        5 => Frame::pfc(source, Pfc { enabled: PrioritySet(8), times: [65_535; 8] }),
        6 => Frame::pause(source, Pause { quanta: 65_535 }),
        _ => {
            let congestion = Some(CongestionTlv { managed: PrioritySet(8), ready: PrioritySet(8) });
            let announcement =
                Announcement { chassis: source, port: b"eth0", seconds_to_live: 120, congestion, pfc: None };
            Frame::lldp(source, announcement)
        }
    };
    let mut buffer = [0; 128];
    frame.encode(&Conventions::default(), &mut buffer).expect("a genuine frame can be encoded").to_vec()
}
