//! Equations (2) and (3), worked out by hand.

use crate::entropy::{Constant, Forbidden, Xorshift};
use setpoint_control::afd::{CongestionPoint, Params};
use setpoint_control::parameter::Power;
use setpoint_control::{Admission, Arrival, Entropy, Observe, Tenant};
use setpoint_units::{Bytes, Time, TimeDelta};

/// A queue at its set point, where the share does not change.
const CALM: u64 = 50_000;

struct Bench {
    point: CongestionPoint,
    now: Time,
}

impl Bench {
    fn new(params: Params) -> Self {
        Self { point: CongestionPoint::new(params), now: Time::ZERO }
    }

    /// A point with the given fair share, whose queue was at its set point at the end of the last interval. The
    /// share starts at 175 kB and loses 17 % of the set point because the queue was empty; each interval at 10
    /// kB above the set point reduces it by 100 bytes.
    fn with_share(bytes: u64) -> Self {
        let mut bench = Self::new(Params::default());
        bench.frame(tenant(9, 1), 0, CALM, &mut Forbidden);
        bench.interval(CALM);
        assert_eq!(bench.share(), 175_000 - 8_500);
        let intervals = (bench.share() - bytes) / 100;
        bench.now += TimeDelta::from_micros(100) * (intervals - 1);
        bench.interval(CALM + 10_000);
        bench.interval(CALM);
        assert_eq!(bench.share(), bytes);
        bench
    }

    fn frame(&mut self, tenant: Tenant, bytes: u64, queue: u64, entropy: &mut impl Entropy) -> Admission {
        let arrival = Arrival { now: self.now, tenant, ..Arrival::of(Bytes::new(bytes), Bytes::new(queue)) };
        self.point.admit(&arrival, entropy)
    }

    /// Ends the interval with the queue at the given length.
    fn interval(&mut self, queue: u64) {
        self.now += TimeDelta::from_micros(100);
        self.frame(tenant(9, 1), 0, queue, &mut Forbidden);
    }

    fn share(&self) -> u64 {
        self.point.fair_share().get() / 256
    }
}

fn tenant(id: u32, weight: u32) -> Tenant {
    Tenant { id, weight, max: None }
}

/// The share falls by 18 % of the current queue offset and rises by 17 % of the previous one.
#[test]
fn equation_2_by_hand() {
    let mut bench = Bench::with_share(60_000);
    bench.interval(60_000);
    assert_eq!(bench.share(), 60_000 - 1_800);
    bench.interval(70_000);
    assert_eq!(bench.share(), 58_200 - 3_600 + 1_700);
    bench.interval(30_000);
    assert_eq!(bench.share(), 56_300 + 3_600 + 3_400);
    bench.interval(50_000);
    assert_eq!(bench.share(), 63_300 - 3_400);
    // 18 % of 1 byte is 46.08/256; the share is rounded down.
    let before = bench.point.fair_share().get();
    bench.interval(50_001);
    assert_eq!(bench.point.fair_share().get(), before - 47);
}

/// After intervals without frames, the queue length that the next frame finds is used for the end of each of
/// them.
#[test]
fn equation_2_after_silence() {
    let mut bench = Bench::with_share(60_000);
    bench.interval(60_000);
    assert_eq!(bench.share(), 58_200);
    bench.now += TimeDelta::from_micros(450);
    bench.interval(40_000);
    // Five intervals have ended: + 18 % of 10 kB + 17 % of 10 kB, then four times 1 % of 10 kB.
    assert_eq!(bench.share(), 58_200 + 3_500 + 400);
    bench.now = Time::MAX;
    bench.frame(tenant(9, 1), 0, 40_000, &mut Forbidden);
    assert_eq!(bench.share(), 175_000);
}

#[test]
fn equation_2_stays_within_nothing_and_the_link() {
    let mut bench = Bench::new(Params::default());
    assert_eq!(bench.share(), 175_000, "10 Gb/s in 100 us, and the set point");
    bench.interval(0);
    bench.interval(0);
    assert_eq!(bench.share(), 175_000);
    bench.interval(10_000_000);
    assert_eq!(bench.share(), 0);
    bench.interval(20_000_000);
    assert_eq!(bench.share(), 0);
    bench.interval(0);
    assert_eq!(bench.share(), 175_000);
}

/// With a share of 60 kB and arrivals of 80 kB, one frame in four is dropped.
#[test]
fn equation_3_by_hand() {
    let mut bench = Bench::with_share(60_000);
    bench.frame(tenant(1, 1), 80_000, CALM, &mut Forbidden);
    bench.frame(tenant(2, 1), 60_000, CALM, &mut Forbidden);
    bench.frame(tenant(3, 2), 120_000, CALM, &mut Forbidden);
    bench.frame(tenant(4, 0), 80_000, CALM, &mut Forbidden);
    bench.interval(CALM);
    assert_eq!(bench.share(), 60_000);
    let quarter = 1 << 30;
    let drop = |bench: &mut Bench, drawn| bench.frame(tenant(1, 1), 0, CALM, &mut Constant(drawn));
    assert_eq!(drop(&mut bench, 0), Admission::Drop);
    assert_eq!(drop(&mut bench, quarter - 1), Admission::Drop);
    assert_eq!(drop(&mut bench, quarter), Admission::Accept);
    assert_eq!(drop(&mut bench, u32::MAX), Admission::Accept);
    // No random number is drawn for an account at its share, for one at twice the share with twice the weight,
    // or for a new one.
    for tenant in [tenant(2, 1), tenant(3, 2), tenant(7, 1)] {
        assert_eq!(bench.frame(tenant, 0, CALM, &mut Forbidden), Admission::Accept);
    }
    // A weight of zero counts as one.
    assert_eq!(bench.frame(tenant(4, 0), 0, CALM, &mut Constant(quarter - 1)), Admission::Drop);
}

/// M is the amount counted in the last interval unless it is smoothed.
#[test]
fn equation_3_by_the_last_interval_or_smoothed() {
    let estimate = |smoothing| {
        let mut bench = Bench::new(Params { smoothing, ..Params::default() });
        for bytes in [64_000, 32_000] {
            bench.frame(tenant(1, 1), bytes, CALM, &mut Xorshift::default());
            bench.interval(CALM);
        }
        bench.point.arrivals().account(1).map(|account| account.estimate().get() / 256)
    };
    assert_eq!(estimate(Power::of_two(0)), Some(32_000));
    assert_eq!(estimate(Power::of_two(-2)), Some(64_000 * 3 / 16 + 32_000 / 4));
}

#[test]
fn a_share_of_nothing_lets_nothing_in() {
    let mut bench = Bench::new(Params::default());
    bench.frame(tenant(1, u32::MAX), 1_000, CALM, &mut Forbidden);
    bench.interval(1 << 30);
    assert_eq!(bench.share(), 0);
    assert_eq!(bench.frame(tenant(1, u32::MAX), 1_000, CALM, &mut Constant(u32::MAX)), Admission::Drop);
}
