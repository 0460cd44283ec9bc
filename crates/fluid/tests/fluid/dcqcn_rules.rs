//! DCQCN's equations for both versions of its rules, compared with the reaction points of the packet simulator.

use setpoint_control::parameter::{Fraction, Percent, Switch};
use setpoint_control::{Feedback, Path, React, dcqcn as points};
use setpoint_fluid::dcqcn::{Cycles, FirstIncrease, Params, Red, Vendor};
use setpoint_fluid::linear::{equilibrium, linearise};
use setpoint_fluid::model::{Horizon, Start, solve};
use setpoint_fluid::{Bottleneck, Class, ModelOptions, Scheme, Sending};
use setpoint_units::{Bytes, Rate, Time, TimeDelta};

const FRAME: Bytes = Bytes::new(1_000);

fn bottleneck(sources: u32, gbps: u64) -> Bottleneck {
    let rate = Rate::from_gbps(gbps);
    Bottleneck {
        frame: FRAME,
        overhead: Bytes::ZERO,
        capacity: vec![(Time::ZERO, rate)],
        buffer: Bytes::new(100_000_000),
        classes: vec![Class {
            name: "senders".to_owned(),
            sources,
            delay: TimeDelta::from_micros(10),
            line_rate: rate,
            start: Time::ZERO,
            stop: None,
            sending: Sending::Controlled { weight: 1 },
        }],
    }
}

fn paper() -> Params {
    Params { cycles: Cycles::Renewal(FirstIncrease::AtThreshold), ..Params::default() }
}

/// The profile `hpcc` at 100 Gb/s.
fn hpcc() -> Vendor {
    Vendor {
        marking: Red { kmin: Bytes::new(400_000), kmax: Bytes::new(1_600_000), largest: Percent::new(20) },
        notification_interval: TimeDelta::ZERO,
        alpha_interval: TimeDelta::from_micros(1),
        decrease_interval: TimeDelta::from_micros(4),
        increase_timer: TimeDelta::from_micros(300),
        recovery_stages: 1,
        gain: Fraction::of_1024(4),
        active_increase: Rate::from_mbps(20),
        hyper_increase: Rate::from_mbps(200),
        min_rate: Rate::from_mbps(10),
    }
}

fn hpcc_paper() -> Vendor {
    Vendor {
        alpha_interval: TimeDelta::from_micros(50),
        decrease_interval: TimeDelta::from_micros(50),
        increase_timer: TimeDelta::from_micros(55),
        ..hpcc()
    }
}

/// The mean rate of a reaction point, in frames per second, and its mean α after notifications, if each frame is marked with
/// a probability. Notifications arrive at once, and are at least `interval` apart. Uniform numbers come from a congruential
/// generator.
fn means(params: points::RpParams, line: Rate, probability: f64, interval: TimeDelta) -> (f64, f64) {
    const SECONDS: u64 = 40;
    let mut point = points::ReactionPoint::new(params, &Path::at(line));
    let (mut now, mut frames, mut state) = (Time::ZERO, 0u64, 0x9e37_79b9_7f4a_7c15u64);
    let (mut quiet_until, mut notified, mut alphas) = (Time::ZERO, 0.0, 0.0);
    let mut uniform = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1u64 << 53) as f64
    };
    let end = Time::ZERO + TimeDelta::from_secs(SECONDS);
    while now < end {
        let departure = now + point.rate().time_to_send(FRAME);
        while let Some(due) = point.timer().filter(|due| *due <= departure) {
            point.on_timer(due, &mut || 0);
        }
        now = departure;
        frames += 1;
        point.on_sent(FRAME, &mut || 0);
        if uniform() < probability && now >= quiet_until {
            point.on_feedback(now, &Feedback::Congestion, &mut || 0);
            quiet_until = now + interval;
            notified += 1.0;
            alphas += point.alpha().map_or(0.0, points::Alpha::get);
        }
    }
    (frames as f64 / SECONDS as f64, alphas / notified)
}

/// The mean rate and α of reaction points relative to those of the equations.
fn ratios(scheme: &Scheme, rp: points::RpParams, interval: TimeDelta, sources: u32, gbps: u64) -> (f64, f64) {
    let at = equilibrium(&bottleneck(sources, gbps), scheme, &ModelOptions::default()).unwrap();
    let (frames, alpha) = means(rp, Rate::from_gbps(gbps), at.probability.unwrap(), interval);
    (frames * 8.0 * FRAME.get() as f64 / at.rate_bps, alpha / at.alpha.unwrap())
}

/// A source with a constant marking probability is an open loop: its mean rate follows from its rules alone.
#[test]
fn reaction_points_under_the_papers_rules_have_the_rate_of_the_renewal_equations() {
    let rp = points::RpParams::default();
    for sources in [4, 10] {
        let (renewal, alpha) = ratios(&Scheme::Dcqcn(paper()), rp, TimeDelta::from_micros(50), sources, 40);
        assert!((renewal - 1.0).abs() < 0.05, "N = {sources}: {renewal}");
        assert!((alpha - 1.0).abs() < 0.05, "N = {sources}: α {alpha}");
        // At the probability of the printed equations, the reaction points send noticeably faster.
        let printed = Scheme::Dcqcn(Params::default());
        let (printed, _) = ratios(&printed, rp, TimeDelta::from_micros(50), sources, 40);
        assert!(printed > 1.08, "N = {sources}: {printed}");
    }
}

#[test]
fn reaction_points_under_the_vendors_rules_have_the_rate_of_our_equations() {
    for (vendor, tolerance) in [(hpcc(), 0.02), (hpcc_paper(), 0.05)] {
        let rp = points::RpParams {
            rules: points::Rules::Vendor,
            alpha_interval: vendor.alpha_interval,
            decrease_interval: vendor.decrease_interval,
            target: points::TargetUpdate::AfterCycle,
            time_reset: vendor.increase_timer,
            byte_counter: Switch::Off,
            threshold: vendor.recovery_stages,
            active_increase: vendor.active_increase,
            hyper_increase: vendor.hyper_increase,
            min_rate: vendor.min_rate,
            ..points::RpParams::default()
        };
        for sources in [10, 40] {
            let (ratio, _) = ratios(&Scheme::DcqcnVendor(vendor), rp, TimeDelta::ZERO, sources, 100);
            assert!((ratio - 1.0).abs() < tolerance, "N = {sources}: {ratio}");
        }
    }
}

/// The loop of `hpcc` is unstable without delay for few sources: its marking is steep. Slower timers make it stable.
#[test]
fn the_vendors_loop_is_unstable_for_few_sources_and_stable_for_many() {
    let margin = |vendor: Vendor, sources: u32| {
        let scheme = Scheme::DcqcnVendor(vendor);
        linearise(&bottleneck(sources, 100), &scheme, &ModelOptions::default()).unwrap().margin()
    };
    assert_eq!(margin(hpcc(), 10), None);
    assert!(margin(hpcc(), 40).unwrap().delay_s > 0.0);
    let [few, many] = [4, 40].map(|sources| margin(hpcc_paper(), sources).unwrap().delay_s * 1e6);
    assert!((few - 10.5).abs() < 0.1 && (many - 45.3).abs() < 0.5, "{few} us, {many} us");
}

/// Beyond the critical delay, a small disturbance of the solved equations grows as the dominant characteristic root predicts.
/// This checks the derivatives and the transfer functions against the equations.
#[test]
fn small_oscillations_grow_as_the_characteristic_root_predicts() {
    let schemes = [
        (Scheme::Dcqcn(paper()), 40, 4, 160),
        (Scheme::Dcqcn(paper()), 40, 8, 150),
        (Scheme::DcqcnVendor(hpcc_paper()), 100, 10, 22),
        (Scheme::DcqcnVendor(hpcc()), 100, 10, 10),
    ];
    for (scheme, gbps, sources, micros) in schemes {
        let mut bottleneck = bottleneck(sources, gbps);
        bottleneck.classes[0].delay = TimeDelta::from_micros(micros);
        let options = ModelOptions::default();
        let root = linearise(&bottleneck, &scheme, &options).unwrap().dominant(micros as f64 * 1e-6).unwrap();
        let queue = equilibrium(&bottleneck, &scheme, &options).unwrap().queue_bytes;
        let period = std::f64::consts::TAU / root.frequency_rad_per_s;
        let horizon = Horizon {
            until: TimeDelta::from_nanos((9.0 * period * 1e9) as u64),
            sample: TimeDelta::from_micros(1),
            start: Start::NearEquilibrium,
        };
        let course = solve(&bottleneck, &scheme, &options, &horizon).unwrap();
        let swing = |from: f64, to: f64| {
            let part = course.time_s.iter().zip(&course.queue_bytes);
            let part = part.filter(|(time, _)| (from * period..to * period).contains(*time));
            part.map(|(_, bytes)| (bytes - queue).abs()).fold(0.0, f64::max)
        };
        // Two windows of two periods, three periods apart.
        let growth = (swing(6.0, 8.0) / swing(3.0, 5.0)).ln() / (3.0 * period);
        let tolerance = 0.1 * root.growth_per_s.abs() + 0.01 / period;
        assert!((growth - root.growth_per_s).abs() < tolerance, "{growth} per s, expected {root:?}");
    }
}
