//! AFD at a queue that a link drains: each flow gets min(rᵢ, rfair), and the queue settles at its set point.

use crate::entropy::Xorshift;
use setpoint_control::afd::{CongestionPoint, Params};
use setpoint_control::{Admission, Arrival, Entropy, Observe, Tenant};
use setpoint_units::{Bytes, Rate, Time};

const FRAME: u64 = 1_000;
const BUFFER: u64 = 150_000;
const LINK: u64 = 10_000_000_000;

/// A sender whose frames arrive at a steady rate.
struct Sender {
    tenant: Tenant,
    rate: u64,
    next: u64,
    accepted: u64,
}

struct Outcome {
    /// Throughput of each sender, in Mb/s.
    rates: Vec<u64>,
    mean_queue: u64,
    /// Number of frames that found the buffer full.
    overflows: u64,
}

/// Runs for 0.6 s and measures the last 0.5 s. Gaps between frames vary by up to 10 % either way.
fn run(params: Params, senders: &[(u64, u32)]) -> Outcome {
    const PICOS: u64 = 1_000_000_000_000;
    let mut entropy = Xorshift::default();
    let mut senders: Vec<Sender> = (0..)
        .zip(senders)
        .map(|(id, (rate, weight))| Sender {
            tenant: Tenant { id, weight: *weight, max: None },
            rate: rate * 1_000_000,
            next: u64::from(id) * 12_345,
            accepted: 0,
        })
        .collect();
    let mut point = CongestionPoint::new(params);
    let (mut drained_to, mut queue) = (0, 0u64);
    let (mut queues, mut arrivals, mut overflows) = (0, 0, 0);
    loop {
        let first = (0..senders.len()).min_by_key(|index| senders[*index].next).expect("there are senders");
        let sender = &mut senders[first];
        let now = sender.next;
        if now >= 6 * PICOS / 10 {
            break;
        }
        // The link takes 800 ps per byte.
        let sent = (now - drained_to) / (8 * PICOS / LINK);
        drained_to += sent * (8 * PICOS / LINK);
        queue = queue.saturating_sub(sent);
        let measured = now >= PICOS / 10;
        let arrival = Arrival {
            now: Time::from_picos(now),
            tenant: sender.tenant,
            ..Arrival::of(Bytes::new(FRAME), Bytes::new(queue))
        };
        if measured {
            queues += queue;
            arrivals += 1;
        }
        if point.admit(&arrival, &mut entropy) == Admission::Accept {
            if queue + FRAME <= BUFFER {
                queue += FRAME;
                sender.accepted += u64::from(measured);
            } else {
                overflows += u64::from(measured);
            }
        }
        let gap = 8 * FRAME * PICOS / sender.rate;
        sender.next += gap * 9 / 10 + gap / 5 * u64::from(entropy.next_u32() >> 16) / 65_536;
    }
    let rates = senders.iter().map(|sender| sender.accepted * 8 * FRAME / 500_000).collect();
    Outcome { rates, mean_queue: queues / arrivals, overflows }
}

/// Checks that each measured value is within the given percentage of the expected one.
fn assert_near(measured: &[u64], expected: &[u64], percent: u64) {
    for (measured, expected) in measured.iter().zip(expected) {
        let near = measured.abs_diff(*expected) * 100 <= percent * expected;
        assert!(near, "{measured} is not within {percent} % of {expected}");
    }
}

/// 1 + 2 + rfair + rfair = 10 Gb/s.
#[test]
fn throughput_is_the_smaller_of_rate_and_fair_share() {
    let outcome = run(Params::default(), &[(1_000, 1), (2_000, 1), (4_000, 1), (8_000, 1)]);
    assert_near(&outcome.rates, &[1_000, 2_000, 3_500, 3_500], 3);
    assert_near(&[outcome.rates.iter().sum()], &[10_000], 1);
    assert_near(&[outcome.mean_queue], &[50_000], 10);
    assert_eq!(outcome.overflows, 0);
}

/// Every sender exceeds its share, by a factor of up to four.
#[test]
fn equal_shares_of_unequal_senders() {
    let outcome = run(Params::default(), &[(3_000, 1), (4_000, 1), (6_000, 1), (10_000, 1)]);
    assert_near(&outcome.rates, &[2_500; 4], 3);
    assert_near(&[outcome.mean_queue], &[50_000], 10);
}

#[test]
fn shares_follow_weights() {
    let outcome = run(Params::default(), &[(8_000, 4), (8_000, 3), (8_000, 2), (8_000, 1)]);
    assert_near(&outcome.rates, &[4_000, 3_000, 2_000, 1_000], 4);
    assert_near(&[outcome.mean_queue], &[50_000], 15);
}

#[test]
fn without_congestion_nothing_is_dropped() {
    let outcome = run(Params::default(), &[(1_000, 1), (2_000, 1), (6_000, 1)]);
    assert_near(&outcome.rates, &[1_000, 2_000, 6_000], 1);
    assert!(outcome.mean_queue < 5_000, "{}", outcome.mean_queue);
}

/// A single account may use the whole link.
#[test]
fn a_single_account_is_not_held_below_the_link() {
    let outcome = run(Params::default(), &[(12_000, 1)]);
    assert_near(&outcome.rates, &[10_000], 1);
    assert_near(&[outcome.mean_queue], &[50_000], 10);
}

/// The chapter's statement about the gains: N a2 < 2 and N (a1 + a2) < 4 hold for eleven accounts but not for
/// twenty, with which the queue oscillates between empty and full.
#[test]
fn the_loop_is_stable_as_far_as_stated() {
    let eleven = run(Params::default(), &[(2_000, 1); 11]);
    assert_eq!(eleven.overflows, 0);
    let twenty = run(Params::default(), &[(2_000, 1); 20]);
    assert!(twenty.overflows > 1_000, "{}", twenty.overflows);
}

#[test]
fn the_presets_hold_other_links() {
    for preset in setpoint_control::Preset::ALL {
        let all = setpoint_control::Params::preset(preset);
        assert_eq!(setpoint_control::Algorithm::Afd.check(&all, None), Ok(()));
        let params = all.afd;
        assert_eq!(params.max_share * params.interval, Bytes::new(125_000), "{preset:?}");
    }
    assert_eq!(Params::default().max_share, Rate::from_gbps(10));
}
