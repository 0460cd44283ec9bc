//! Loops with random parameters, compared with brute-force searches.

use setpoint_control::parameter::{Percent, Power, Switch};
use setpoint_control::{aimd, bcn, qcn};
use setpoint_units::{Bytes, Rate, Time, TimeDelta};

use super::complex::{argument, modulus};
use super::{Complex, Loop, linearise};
use crate::{Bottleneck, Class, Increase, ModelOptions, Scheme, Sending, TargetUpdate, dcqcn, timely};

/// Pseudo-random numbers from 0 to 1, the same on every machine.
struct Dice(u64);

impl Dice {
    fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    /// A log-uniform random number between two bounds.
    fn log(&mut self, low: f64, high: f64) -> f64 {
        low * (high / low).powf(self.unit())
    }

    fn of(&mut self, count: usize) -> usize {
        (self.unit() * count as f64) as usize
    }
}

fn bottleneck(dice: &mut Dice) -> Bottleneck {
    let gbps = [1, 10, 40, 100][dice.of(4)];
    Bottleneck {
        frame: Bytes::new(1_500),
        overhead: Bytes::new(20),
        capacity: vec![(Time::ZERO, Rate::from_gbps(gbps))],
        buffer: Bytes::new(100_000_000),
        classes: vec![Class {
            name: "sources".to_owned(),
            sources: dice.log(1.0, 1e5) as u32,
            delay: TimeDelta::from_micros(10),
            line_rate: Rate::from_gbps(400),
            start: Time::ZERO,
            stop: None,
            sending: Sending::Controlled { weight: 1 },
        }],
    }
}

fn random(dice: &mut Dice) -> (String, Loop) {
    loop {
        if let Some(found) = tried(dice) {
            return found;
        }
    }
}

fn tried(dice: &mut Dice) -> Option<(String, Loop)> {
    let bottleneck = bottleneck(dice);
    let weight = Power::of_two(dice.of(6) as i8 - 1);
    let set_point = Bytes::new(dice.log(1_500.0, 3e6) as u64);
    let sample = Bytes::new(dice.log(3_000.0, 1.5e6) as u64);
    let (options, scheme) = match dice.of(5) {
        0..=2 => {
            let mut params = qcn::Params::default();
            params.cp.weight = weight;
            params.cp.set_point = set_point;
            params.cp.sample_base = sample;
            params.rp.min_rate = Rate::from_bits_per_second(1_000);
            params.rp.active_increase = Rate::from_bits_per_second(dice.log(1e5, 1e9) as u64);
            params.rp.period_halving = if dice.of(2) == 0 { Switch::On } else { Switch::Off };
            let options = ModelOptions {
                increase: [Increase::AtSource, Increase::AsPrinted][dice.of(2)],
                target: [TargetUpdate::EveryMessage, TargetUpdate::AfterACycle][dice.of(2)],
                ..ModelOptions::default()
            };
            (options, Scheme::Qcn(params))
        }
        3 => {
            let mut params = bcn::Params::default();
            params.rp.weight = weight;
            params.rp.reference = set_point;
            params.cp.set_point = set_point;
            params.cp.sample_base = sample;
            params.rp.min_rate = Rate::from_bits_per_second(1_000);
            (ModelOptions::default(), Scheme::Bcn(params))
        }
        _ => {
            let mut params = aimd::Params::default();
            params.rp.weight = weight;
            params.rp.reference = set_point;
            params.cp.set_point = set_point;
            params.cp.sample_base = sample;
            params.rp.min_rate = Rate::from_bits_per_second(1_000);
            params.rp.averaging = aimd::Averaging::On;
            params.rp.decrease = [aimd::Decrease::Additive, aimd::Decrease::Multiplicative][dice.of(2)];
            params.rp.largest_decrease = Percent::from_hundredths(5_000);
            (ModelOptions::default(), Scheme::Aimd(params))
        }
    };
    let text = format!("{bottleneck:?} {scheme:?} {options:?}");
    Some((text, linearise(&bottleneck, &scheme, &options).ok()?))
}

/// The rightmost root that Newton's method finds from very many starting points.
fn brute_dominant(of: &Loop, delay: f64, scale: f64) -> Complex {
    let mut best = Complex::new(f64::NEG_INFINITY, 0.0);
    let pitch =
        (scale / 40.0).min(if delay > 0.0 { 0.7 / delay } else { f64::INFINITY }).max(scale / 4_000.0);
    let most = (1.5 * scale / pitch) as usize;
    for growth in [2.0, 1.0, 0.5, 0.2, 0.1, 0.03, 0.01, 0.0, -0.01, -0.03, -0.1, -0.3, -1.0] {
        for step in 0..=most {
            let mut s = Complex::new(growth * scale, step as f64 * pitch);
            for _ in 0..60 {
                let change = of.characteristic(s, delay) / of.characteristic_slope(s, delay);
                s -= change;
                if !(s.re.is_finite() && s.im.is_finite()) || s.re * delay > 50.0 {
                    break;
                }
                if modulus(change) <= 1e-12 * modulus(s) {
                    if s.re > best.re {
                        best = s;
                    }
                    break;
                }
            }
        }
    }
    best
}

#[test]
fn no_root_is_right_of_the_dominant_one() {
    let mut dice = Dice(1);
    let mut wrong = Vec::new();
    for case in 0..40 {
        let (text, of) = random(&mut dice);
        let Some(margin) = of.margin() else { continue };
        let scale = of.crossings().last().copied().unwrap();
        for times in [0.3, 0.9, 1.5, 5.0, 30.0, 200.0] {
            let delay = times * margin.delay_s;
            let (found, brute) = (of.dominant(delay), brute_dominant(&of, delay, scale));
            let growth = found.map_or(f64::NEG_INFINITY, |root| root.growth_per_s);
            // Averaging with many sources gives many neighbouring roots with almost equal growth rates.
            let close = if of.echo.is_some() { 0.05 } else { 1e-9 };
            if growth < brute.re - close * brute.re.abs() - 1e-9 * scale {
                let count = of.unstable_roots(delay);
                wrong.push(format!(
                    "case {case}, {times} margins: {found:?}, not {brute:?}; {count} unstable; {text}"
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn the_dominant_root_grows_where_roots_are_unstable() {
    let mut dice = Dice(2);
    let mut wrong = Vec::new();
    for case in 0..80 {
        let (_, of) = random(&mut dice);
        let Some(margin) = of.margin() else { continue };
        for times in [0.01, 0.3, 0.98, 1.02, 1.5, 5.0, 30.0, 200.0] {
            let delay = times * margin.delay_s;
            let (count, root) = (of.unstable_roots(delay), of.dominant(delay));
            let grows = root.is_some_and(|root| root.growth_per_s > 0.0);
            if (count > 0) != grows || (times < 1.0) == (count > 0) {
                wrong.push(format!(
                    "case {case}, {times} margins ({margin:?}): {count} unstable, {root:?} {}",
                    of.model
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn roots_are_stable_below_the_margin_and_not_just_above() {
    let mut dice = Dice(3);
    let mut wrong = Vec::new();
    for case in 0..150 {
        let (text, of) = random(&mut dice);
        let Some(margin) = of.margin() else { continue };
        let below: Vec<f64> = (0..40)
            .map(|step| f64::from(step) / 40.0)
            .chain([0.999])
            .filter(|times| of.unstable_roots(times * margin.delay_s) > 0)
            .collect();
        let above = of.unstable_roots(1.001 * margin.delay_s);
        if !below.is_empty() || above == 0 {
            wrong.push(format!(
                "case {case}: {margin:?}, unstable at {below:?} margins; {above} above; {} {text}",
                of.model
            ));
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

/// Counts zeros of the characteristic function in a rectangle of the right half plane by the argument
/// principle, with very short steps.
fn brute_count(of: &Loop, delay: f64, reach: f64) -> i64 {
    let corners = [
        Complex::new(0.0, -reach),
        Complex::new(reach, -reach),
        Complex::new(reach, reach),
        Complex::new(0.0, reach),
        Complex::new(0.0, -reach),
    ];
    let mut turned = 0.0;
    for pair in corners.windows(2) {
        let count = 400_000;
        let at = |step: usize| pair[0] + (pair[1] - pair[0]) * (step as f64 / f64::from(count));
        let mut here = of.characteristic(at(0), delay);
        for step in 1..=count as usize {
            let there = of.characteristic(at(step), delay);
            turned += argument(there / here);
            here = there;
        }
    }
    (turned / std::f64::consts::TAU).round() as i64
}

#[test]
fn the_count_of_unstable_roots_is_that_of_the_argument_principle() {
    let mut dice = Dice(4);
    let mut wrong = Vec::new();
    for case in 0..12 {
        let (_, of) = random(&mut dice);
        let Some(margin) = of.margin() else { continue };
        let reach = 2.5 * of.crossings().last().copied().unwrap();
        for times in [0.5, 1.7, 6.0, 25.0] {
            let delay = times * margin.delay_s;
            let (count, brute) = (of.unstable_roots(delay), brute_count(&of, delay, reach));
            if count as i64 != brute {
                wrong.push(format!("case {case}, {times} margins: {count}, not {brute}, {}", of.model));
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

/// DCQCN or patched TIMELY with a few random sources and parameters.
fn marked_or_timed(dice: &mut Dice) -> Loop {
    loop {
        let mut bottleneck = bottleneck(dice);
        bottleneck.classes[0].sources = dice.log(2.0, 60.0) as u32;
        let scheme = if dice.of(2) == 0 {
            let mut params = dcqcn::Params::default();
            let kmax = Bytes::new(dice.log(5e4, 5e6) as u64);
            params.marking = dcqcn::Marking::Red(dcqcn::Red {
                kmin: Bytes::new(5_000),
                kmax,
                largest: Percent::new([1, 10, 100][dice.of(3)]),
            });
            params.active_increase = Rate::from_bits_per_second(dice.log(1e6, 1e8) as u64);
            Scheme::Dcqcn(params)
        } else {
            let mut params = timely::Params::patched();
            params.segment = Bytes::new(dice.log(4e3, 1e5) as u64);
            params.decrease = Percent::from_hundredths(dice.log(20.0, 500.0) as u16);
            Scheme::Timely(params)
        };
        if let Ok(found) = linearise(&bottleneck, &scheme, &ModelOptions::default()) {
            return found;
        }
    }
}

#[test]
fn the_count_for_dcqcn_and_timely_is_that_of_the_argument_principle() {
    let mut dice = Dice(5);
    let mut stable = 0;
    for case in 0..4 {
        let of = marked_or_timed(&mut dice);
        let top = of.crossings().last().copied().unwrap();
        for delay in [0.05 / top, 5.0 / top] {
            let (count, brute) = (of.unstable_roots(delay), brute_count(&of, delay, 2.5 * top));
            assert_eq!(count as i64, brute, "case {case}, delay {delay} s, {}", of.model);
            let margin = of.margin().map_or(0.0, |margin| margin.delay_s);
            assert_eq!(count == 0, delay < margin, "case {case}, delay {delay} s, margin {margin} s");
            stable += usize::from(count == 0);
        }
    }
    assert!((1..=7).contains(&stable), "{stable} of 8 are stable");
}
