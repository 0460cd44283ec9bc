//! Congestion points do not allocate memory per frame once they have seen their accounts, and neither do
//! culprit arrays or the reaction points of groups.
#![expect(unsafe_code, reason = "a counting global allocator needs unsafe code")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use setpoint_control::culprit::{CulpritArray, Owner, Search};
use setpoint_control::{
    Algorithm, Arrival, CongestionPoint, Entropy, FlowKey, GroupParams, GroupRule, Marking, Notification,
    Observe, Outbox, Params, PointId, QuantizedFeedback, React, ReactionPoint, Signal, Tenant,
};
use setpoint_units::{Bytes, Rate, Time};

struct Counting;

thread_local! {
    /// Counted per thread: the harness allocates in other threads while the test runs.
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
}

// SAFETY: all calls go to the system allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.set(ALLOCATIONS.get() + 1);
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// The upper half of a linear congruential generator's state.
struct Drawn(u64);

impl Entropy for Drawn {
    fn next_u32(&mut self) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 32) as u32
    }
}

#[derive(Default)]
struct Count(u64);

impl Outbox for Count {
    fn send(&mut self, _to: FlowKey, _told: Signal) {
        self.0 += 1;
    }
}

/// A congested queue with one frame every 800 ns; half of the accounts have bounds.
fn arrival(step: u64, accounts: u64) -> Arrival {
    let id = (step * 7_919 % accounts) as u32;
    let max = id.is_multiple_of(2).then(|| Rate::from_mbps(300 + u64::from(id % 7) * 100));
    Arrival {
        now: Time::from_picos(800_000 * step),
        flow: FlowKey(id),
        tenant: Tenant { id, weight: 1 + id % 3, max },
        ..Arrival::of(Bytes::new(1_000), Bytes::new(20_000 + step % 97 * 500))
    }
}

#[test]
fn nothing_allocates_for_a_frame() {
    let params = Params::default();
    for algorithm in Algorithm::ALL {
        for accounts in [10, 2_000] {
            let mut point = CongestionPoint::new(&algorithm.points(&params).0, PointId(0));
            let (mut entropy, mut outbox) = (Drawn(1), Count::default());
            let mut run = |steps: core::ops::Range<u64>| {
                let before = ALLOCATIONS.get();
                for step in steps {
                    let arrival = arrival(step, accounts);
                    point.admit(&arrival, &mut entropy);
                    point.on_enqueue(&arrival, &mut entropy, &mut outbox);
                    if step.is_multiple_of(1_000) {
                        point.on_clock(&arrival, &mut entropy, &mut outbox);
                    }
                }
                ALLOCATIONS.get() - before
            };
            run(0..50_000);
            assert_eq!(run(50_000..150_000), 0, "{} with {accounts} accounts", algorithm.name());
        }
    }
}

/// The culprit array, with arriving and departing frames and every marking.
#[test]
fn nothing_allocates_for_a_culprit() {
    let mut array = CulpritArray::new(586);
    let mut frames = std::collections::VecDeque::with_capacity(97);
    let mut entropy = Drawn(1);
    let mut run = |steps: core::ops::Range<u32>| {
        let before = ALLOCATIONS.get();
        for step in steps {
            if frames.len() == 90 {
                array.release(frames.pop_front().expect("it is full"));
            }
            let owner = Owner { flow: FlowKey(step % 40), class: (step % 3) as u8 };
            frames.extend(array.store(owner, 1 + step % 6));
            for marking in [Marking::LargestBacklog, Marking::RandomOccupancy(Search::default())] {
                assert!(marking.culprit(&mut array, owner.class, &mut entropy).is_some());
            }
        }
        ALLOCATIONS.get() - before
    };
    let grown = run(0..1_000);
    assert!(grown < 40, "the capacity doubles with the units in use: {grown}");
    assert_eq!(run(1_000..20_000), 0);
}

/// The reaction point of a group, after the first notification from each congestion point: frames, timers and
/// notifications.
#[test]
fn nothing_allocates_for_a_frame_to_a_group() {
    let params = Params::default();
    for rule in [GroupRule::SlowestPath, GroupRule::WorstPoint] {
        let group = GroupParams { rule, ..GroupParams::default() };
        let reaction = Algorithm::Qcn.points(&params).1;
        let mut point = ReactionPoint::for_group(&reaction, &group, Rate::from_gbps(10));
        let mut entropy = Drawn(1);
        let mut run = |steps: core::ops::Range<u64>| {
            let before = ALLOCATIONS.get();
            for step in steps {
                let now = Time::from_picos(2_400_000 * step);
                point.on_sent(Bytes::new(1_500), &mut entropy);
                if point.timer().is_some_and(|due| due <= now) {
                    point.on_timer(now, &mut entropy);
                }
                if step.is_multiple_of(100) {
                    let feedback = QuantizedFeedback::saturating(1 + step / 100 % 63);
                    let heard = Notification { feedback, queue_offset: -10_000, queue_delta: 0 };
                    point.on_feedback(now, &heard.sent_by(PointId((step / 100 % 16) as u32)), &mut entropy);
                }
            }
            ALLOCATIONS.get() - before
        };
        run(0..10_000);
        assert_eq!(run(10_000..200_000), 0, "{}", rule.name());
    }
}
