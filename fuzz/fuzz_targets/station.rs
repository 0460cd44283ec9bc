//! Tests a station that exchanges frames with hostile programs and a hostile bridge: nothing panics; the station sends
//! every frame from its programs once or counts it, obeys pauses but never stops for longer than the watchdog's
//! timeout, and obeys no more notifications than it has sent frames; and every frame from the link is accounted for.
//! `src/lib.rs` describes the input.
//!
//! ```text
//! cargo +nightly fuzz run station -- -len_control=0
//! ```
#![no_main]

use libfuzzer_sys::fuzz_target;
use setpoint_fuzz::{NETWORK, PATIENCE, address, conversation, obey, priority};
use setpoint_live::node::Node;
use setpoint_live::station::{LINK, PROGRAMS, Station, StationCounters};
use setpoint_live::{pauses::Pauses, plan};
use setpoint_units::{Bytes, Rate, Time, TimeDelta};
use setpoint_wire::{EtherType, Header};

/// The lowest rate of a limiter in the network.
const SLOWEST: Rate = Rate::from_mbps(1);
/// Longer than the transmission time of a 2 kB frame at the lowest rate.
const SLOWEST_FRAME: TimeDelta = TimeDelta::from_millis(18);
/// The maximum number of flows at a station.
const MOST_FLOWS: usize = 1_024;

fuzz_target!(|input: &[u8]| {
    let (options, records) = conversation(input);
    let node = NETWORK.topology.find("h1").expect("the network has this station");
    let plan = plan::station(&NETWORK, node, address(0), options).expect("the network can run");
    let rate = plan.rate;
    let mut station = Station::new(plan);
    let mut checks = Checks::default();
    let (mut pauses, mut now) = (Pauses::new(PATIENCE), Time::ZERO);
    for record in &records {
        let (port, octets) = (record.port % 2, record.frame());
        for _ in 0..record.count {
            now += record.step;
            checks.poll_until(now, &mut station, &mut pauses);
            let before = station.counters;
            let mut sent = Vec::new();
            station.receive(now, port, &octets, &mut sent);
            checks.check(now, sent, &mut pauses);
            if port == PROGRAMS {
                checks.offered += 1 + refused(&before) - refused(&station.counters);
                checks.octets += octets.len() as u64 + 100;
            } else {
                checks.paused += u64::from(obey(&mut pauses, now, &octets, rate));
                checks.rejected += refused(&station.counters) - refused(&before);
            }
        }
    }
    let end = now + PATIENCE + SLOWEST.time_to_send(Bytes::new(checks.octets));
    checks.poll_until(end, &mut station, &mut pauses);
    let (counters, flows) = (station.counters, station.flows());
    assert_eq!(checks.sent, checks.offered, "the station still has frames: {counters:?}");
    assert_eq!(checks.delivered, counters.delivered);
    let ignored = counters.unknown_flow + counters.too_many + counters.unknown_point + counters.no_limiter;
    let consumed = checks.paused + counters.announcements + counters.obeyed + ignored;
    let others = checks.rejected + counters.bad_control + counters.not_ours;
    assert_eq!(counters.received, counters.delivered + consumed + others, "{counters:?}");
    assert!(counters.obeyed <= checks.sent && flows.len() <= MOST_FLOWS);
    for flow in flows {
        // A notification answers a frame, and no frame is shorter than 64 octets.
        assert!(flow.notifications * 64 <= flow.sent, "{flow:?}");
        assert!(flow.limit.is_none_or(|limit| limit >= SLOWEST), "{flow:?}");
    }
});

/// Frames that the station could not parse, or for which it had no buffer space.
fn refused(counters: &StationCounters) -> u64 {
    counters.truncated + counters.invalid + counters.refused
}

/// The counts that are checked during the conversation.
#[derive(Default)]
struct Checks {
    /// Frames from programs that the station accepted, and frames that it sent.
    offered: u64,
    sent: u64,
    /// An upper bound on the waiting octets, including tags and gaps.
    octets: u64,
    /// Frames to programs, and frames from the link that were pauses or invalid.
    delivered: u64,
    paused: u64,
    rejected: u64,
    /// The last time at which a frame was sent or no frame was waiting.
    progress: Time,
}

impl Checks {
    /// Polls the station exactly at its deadlines.
    fn poll_until(&mut self, now: Time, station: &mut Station, pauses: &mut Pauses) {
        while let Some(due) = station.deadline().filter(|due| *due <= now) {
            let mut sent = Vec::new();
            station.poll(due, &mut sent);
            assert!(station.deadline().is_none_or(|next| next > due), "polled in vain at {due}");
            self.check(due, sent, pauses);
        }
    }

    fn check(&mut self, now: Time, sent: Vec<(usize, Vec<u8>)>, pauses: &mut Pauses) {
        pauses.expire(now);
        let waiting = self.offered > self.sent;
        for (port, octets) in sent {
            if port == PROGRAMS {
                self.delivered += 1;
                continue;
            }
            assert_eq!(port, LINK);
            let (header, _) = Header::parse(&octets).expect("a frame that is sent has a header");
            // Frames from programs have a tag; the station's own announcements have none.
            if header.vlan.is_none() {
                assert_eq!((header.ether_type, header.source), (EtherType::LLDP, address(0)));
                continue;
            }
            self.sent += 1;
            assert!(pauses.ready(priority(&header)) <= now, "sent in a pause at {now}: {header:?}");
            self.progress = now;
        }
        match waiting {
            true => assert!(now <= self.progress + PATIENCE + SLOWEST_FRAME, "stopped until {now}"),
            false => self.progress = now,
        }
    }
}
