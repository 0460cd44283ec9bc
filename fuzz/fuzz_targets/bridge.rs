//! Tests a bridge that exchanges frames with hostile neighbours, whose links go down and up: nothing panics, every frame
//! that the bridge sends parses and obeys the neighbour's pauses, no port receives a frame twice or a frame that nobody
//! sent, and every frame is accounted for. Once the neighbours stop sending, the queues drain and no neighbour remains
//! paused. `src/lib.rs` describes the input.
//!
//! ```text
//! cargo +nightly fuzz run bridge -- -len_control=0
//! ```
#![no_main]

use std::collections::HashSet;
use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use setpoint_fuzz::{NETWORK, PATIENCE, STATIONS, conversation, obey, port_address, priority};
use setpoint_live::bridge::{Bridge, BridgeCounters, BridgePlan, Numbers};
use setpoint_live::node::{LinkState, Node};
use setpoint_live::{pauses::Pauses, plan};
use setpoint_sim::Outcome;
use setpoint_units::{Time, TimeDelta};
use setpoint_wire::{Content, Conventions, Frame, MacAddress};

/// A port number `n` of at least this value does not denote a port: the record changes the link of port `n % STATIONS`.
const LINKS: usize = 25;

/// Created once, because that takes longer than most conversations.
static PLAN: LazyLock<(BridgePlan, Numbers)> = LazyLock::new(|| {
    let node = NETWORK.topology.find("bridge").expect("the network has a bridge");
    let addresses: Vec<MacAddress> = (0..STATIONS).map(port_address).collect();
    plan::bridge(&NETWORK, node, &addresses, conversation(&[]).0).expect("the network can run")
});

fuzz_target!(|input: &[u8]| {
    let (options, records) = conversation(input);
    let (plan, numbers) = &*PLAN;
    let mut bridge = Bridge::new(BridgePlan { options, ..plan.clone() });
    let mut checks = Checks { pauses: vec![Pauses::new(PATIENCE); STATIONS], ..Checks::default() };
    let mut now = Time::ZERO;
    for record in &records {
        for repetition in 0..record.count {
            now += record.step;
            checks.poll_until(now, &mut bridge);
            match record.port {
                LINKS.. => {
                    let link = [LinkState::Down, LinkState::Up][repetition % 2];
                    let mut sent = Vec::new();
                    bridge.set_link(now, record.port % STATIONS, link, &mut sent);
                    checks.check(now, sent);
                }
                port => checks.receive(now, &mut bridge, port % STATIONS, record.frame()),
            }
        }
    }
    for port in 0..STATIONS {
        bridge.set_link(now, port, LinkState::Up, &mut Vec::new());
    }
    // Long enough for the longest pause and then for sending all frames in one queue at 95 Mb/s.
    let end = now + PATIENCE + TimeDelta::from_secs(1);
    checks.poll_until(end, &mut bridge);
    let outcome = bridge.outcome(end, TimeDelta::from_millis(1), numbers);
    checks.balance(&bridge.counters, &outcome);
});

/// Checks the properties that must hold for the frames that the bridge sends.
#[derive(Default)]
struct Checks {
    pauses: Vec<Pauses>,
    /// The ports at which the stamped frames arrived.
    stamped: Vec<usize>,
    /// The ports and stamps of frames that were sent.
    seen: HashSet<(usize, u32)>,
    /// Frames sent, excluding the bridge's own pauses and announcements.
    sent: u64,
    /// Pauses received.
    paused: u64,
    /// The neighbours that the bridge has paused.
    stopped: [bool; STATIONS],
}

impl Checks {
    /// Polls the bridge exactly at its deadlines.
    fn poll_until(&mut self, now: Time, bridge: &mut Bridge) {
        while let Some(due) = bridge.deadline().filter(|due| *due <= now) {
            let mut sent = Vec::new();
            bridge.poll(due, &mut sent);
            assert!(bridge.deadline().is_none_or(|next| next > due), "polled in vain at {due}");
            self.check(due, sent);
        }
    }

    fn receive(&mut self, now: Time, bridge: &mut Bridge, port: usize, mut octets: Vec<u8>) {
        // Stamps data frames, so that they can be recognised.
        if let Some(stamp) = stamp(&mut octets) {
            *stamp = (self.stamped.len() as u32).to_be_bytes();
            self.stamped.push(port);
        }
        let mut sent = Vec::new();
        bridge.receive(now, port, &octets, &mut sent);
        self.check(now, sent);
        // The bridge drops frames from group addresses.
        let individual = octets.get(6).is_some_and(|octet| octet & 1 == 0);
        if individual && obey(&mut self.pauses[port], now, &octets, PLAN.0.ports[port].rate) {
            self.paused += 1;
        }
    }

    fn check(&mut self, now: Time, sent: Vec<(usize, Vec<u8>)>) {
        for (port, mut octets) in sent {
            let frame = Frame::parse(&octets, &Conventions::default()).expect("a frame that is sent parses");
            let (header, is_data) =
                (frame.header, matches!(frame.content, Content::Data(_) | Content::Cnm(_)));
            if !is_data && header.source == port_address(port) && header.destination.is_link_local() {
                if let Content::Pfc(pfc) = frame.content {
                    self.stopped[port] = pfc.times != [0; 8];
                }
                continue;
            }
            self.sent += 1;
            self.pauses[port].expire(now);
            assert!(
                self.pauses[port].ready(priority(&header)) <= now,
                "sent in a pause at {now}: {header:?}"
            );
            if let Some(stamp) = stamp(&mut octets) {
                let number = u32::from_be_bytes(*stamp);
                assert_ne!(self.stamped[number as usize], port, "sent back: {header:?}");
                assert!(self.seen.insert((port, number)), "sent twice through port {port}: {header:?}");
            }
        }
    }

    /// Checks that every frame that arrived or that the bridge created was sent, consumed or dropped, and counted.
    fn balance(&self, counters: &BridgeCounters, outcome: &Outcome) {
        let refused = counters.truncated + counters.invalid + counters.bad_source + counters.bad_control;
        let consumed = self.paused + counters.announcements + counters.link_local + counters.filtered;
        let to_one_port = counters.received - refused - consumed - counters.flooded;
        let copies = to_one_port + counters.flooded * (STATIONS as u64 - 1) + counters.notifications;
        let gone = counters.dropped + counters.lost + counters.no_link;
        assert_eq!(copies, self.sent + gone, "{counters:?}");
        assert_eq!(outcome.packet_hops, self.sent);
        assert_eq!(self.stopped, [false; STATIONS], "neighbours wait for an empty bridge");
        for flow in &outcome.flows {
            let rest = flow.sent_frames - flow.delivered_frames - flow.dropped_frames;
            assert!(rest <= counters.no_link, "{rest} frames are missing: {flow:?}");
        }
    }
}

/// The stamp of a data frame: its last four octets.
fn stamp(octets: &mut [u8]) -> Option<&mut [u8; 4]> {
    match Frame::parse(octets, &Conventions::default()).ok()?.content {
        Content::Data(payload) if payload.len() >= 4 => octets.last_chunk_mut(),
        _ => None,
    }
}
