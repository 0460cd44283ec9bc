//! A minimal closed loop: parallel links of 10 Gb/s, one source that sends to all of them and one more source
//! per link, all backlogged, and notifications without delay. The group's fair share of every link is 5 Gb/s,
//! however many links there are; how much of it the group gets depends on the rule.

use setpoint_control::{
    Algorithm, Arrival, CongestionPoint, FlowKey, GroupParams, GroupRule, Notification, Observe, Params,
    PointId, React, ReactionPoint,
};
use setpoint_units::{Bytes, Time};

use super::LINE;
use crate::entropy::Xorshift;
use crate::told::Told;

const FRAME: Bytes = Bytes::new(1_000);
const END: Time = Time::from_picos(400_000_000_000);
/// The flow to the group; the other flows are numbered from one, in the order of their links.
const GROUP: usize = 0;

/// A link and the congestion point at its queue.
struct Link {
    point: CongestionPoint,
    busy_until: Time,
}

impl Link {
    fn new(id: u32) -> Self {
        let params = Params::default();
        let point = CongestionPoint::new(&Algorithm::Qcn.points(&params).0, PointId(id));
        Self { point, busy_until: Time::ZERO }
    }

    /// A frame arrives; the queue length follows from the time it takes to send, 800 ps per byte.
    fn take(&mut self, now: Time, flow: usize, entropy: &mut Xorshift) -> Option<Notification> {
        let waits = self.busy_until.saturating_since(now).as_picos() / 800;
        self.busy_until = self.busy_until.max(now) + LINE.time_to_send(FRAME);
        let mut told = Told::default();
        let arrival = Arrival { flow: FlowKey(flow as u32), ..Arrival::of(FRAME, Bytes::new(waits) + FRAME) };
        self.point.on_enqueue(&arrival, entropy, &mut told);
        told.first().map(|&(_, heard)| heard)
    }
}

/// A reaction point and the time at which it sends its next frame.
struct Source {
    point: ReactionPoint,
    next: Time,
}

impl Source {
    fn new(rule: GroupRule) -> Self {
        let group = GroupParams { rule, ..GroupParams::default() };
        let reaction = Algorithm::Qcn.points(&Params::default()).1;
        Self { point: ReactionPoint::for_group(&reaction, &group, LINE), next: Time::ZERO }
    }

    fn sent(&mut self, entropy: &mut Xorshift) {
        self.point.on_sent(FRAME, entropy);
        self.next += self.point.rate().time_to_send(FRAME);
        while let Some(due) = self.point.timer().filter(|&due| due <= self.next) {
            self.point.on_timer(due, entropy);
        }
    }
}

/// Mean sending rate of the group's source in Mb/s, and the number of notifications it received.
fn run(rule: GroupRule, links: usize) -> (u64, u64) {
    let mut tree: Vec<Link> = (0..links as u32).map(Link::new).collect();
    let mut sources = vec![Source::new(rule)];
    sources.extend((0..links).map(|_| Source::new(GroupRule::EveryNotification)));
    let mut entropy = Xorshift(7);
    let (mut frames, mut told) = (0, 0);
    loop {
        let flow = (0..=links).min_by_key(|&flow| sources[flow].next).expect("the group's");
        let source = &mut sources[flow];
        if source.next >= END {
            return (frames * 8_000 / 400_000, told);
        }
        let way = if flow == GROUP { 0..links } else { flow - 1..flow };
        for link in way {
            if let Some(heard) = tree[link].take(source.next, flow, &mut entropy) {
                source.point.on_feedback(source.next, &heard.sent_by(PointId(link as u32)), &mut entropy);
                told += u64::from(flow == GROUP);
            }
        }
        source.sent(&mut entropy);
        frames += u64::from(flow == GROUP);
    }
}

/// Mb/s and notifications in 400 ms, by the number of links and the rule.
#[test]
fn what_a_group_gets_of_its_links() {
    let mut table = Vec::new();
    for links in [1, 2, 4, 8] {
        let [every, slowest, worst] =
            [GroupRule::EveryNotification, GroupRule::SlowestPath, GroupRule::WorstPoint]
                .map(|rule| run(rule, links));
        table.push(format!("{links}  {every:?}  {slowest:?}  {worst:?}"));
        if links == 1 {
            assert_eq!((every, every), (slowest, worst));
        } else {
            assert!(every.0 < worst.0 && worst.0 < slowest.0, "{table:?}");
        }
        assert!((4_000..=6_000).contains(&slowest.0), "{table:?}");
    }
    insta::assert_snapshot!(table.join("\n"));
}
