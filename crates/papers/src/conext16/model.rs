//! The fluid models of the paper, and figures of their solutions.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use setpoint_control::parameter::Percent;
use setpoint_fluid::dcqcn::{self, Marking, Red};
use setpoint_fluid::model::{Course, Horizon, Start, solve_from};
use setpoint_fluid::{Bottleneck, Class, ModelOptions, Scheme, Sending};
use setpoint_units::{Bytes, Rate, Time, TimeDelta};

use super::choices::MARKING_IN_MODEL;
use crate::prelude::*;

/// The program's marking line is ten times as long as that of the text, with the same slope.
pub(super) const LONGER: u64 = 10;

/// The marking of DCQCN.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Line {
    /// As in the text: the probability is Pmax at Kmax, and one above it.
    Text,
    /// As in the program: ten times Kmax and ten times Pmax.
    Program,
}

/// The parameters of DCQCN that vary: link in Gb/s, R_AI in Mb/s, Kmax in kB.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Setting {
    pub(super) gbps: u64,
    pub(super) increase_mbps: u64,
    pub(super) kmax_kb: u64,
}

/// The paper's parameters for 40 Gb/s.
pub(super) const DEFAULT: Setting = Setting { gbps: 40, increase_mbps: 40, kmax_kb: 200 };

/// A group of flows that start together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Group {
    pub(super) flows: u32,
    pub(super) start_s: f64,
    pub(super) rate_bps: f64,
}

impl Line {
    /// The marking in the set-up of a seed.
    pub(super) fn of(seed: &Seed<'_>) -> Self {
        if seed.reads(&MARKING_IN_MODEL, "program") { Self::Program } else { Self::Text }
    }
}

impl Setting {
    /// The parameters of the fluid model.
    pub(super) fn params(self, line: Line) -> dcqcn::Params {
        let longer = if line == Line::Program { LONGER } else { 1 };
        let red = Red {
            kmin: Bytes::new(5_000),
            kmax: Bytes::new(self.kmax_kb * 1_000 * longer),
            largest: Percent::new(u16::try_from(longer).expect("a small factor")),
        };
        dcqcn::Params {
            marking: Marking::Red(red),
            active_increase: Rate::from_mbps(self.increase_mbps),
            ..dcqcn::Params::default()
        }
    }

    /// The link with a number of flows that start together, and their loop delay in microseconds.
    pub(super) fn bottleneck(self, flows: u32, micros: f64) -> Bottleneck {
        let rate_bps = self.gbps as f64 * 1e9;
        bottleneck(self.gbps, &[Group { flows, start_s: 0.0, rate_bps }], micros)
    }
}

/// A link in Gb/s with groups of flows, and their loop delay in microseconds. Frames have 1000 bytes.
pub(super) fn bottleneck(gbps: u64, groups: &[Group], micros: f64) -> Bottleneck {
    let line_rate = Rate::from_gbps(gbps);
    let class = |(place, group): (usize, &Group)| Class {
        name: format!("group {}", place + 1),
        sources: group.flows,
        delay: span(micros * 1e-6),
        line_rate,
        start: Time::from_picos(span(group.start_s).as_picos()),
        stop: None,
        sending: Sending::Controlled { weight: 1 },
    };
    Bottleneck {
        frame: Bytes::new(1_000),
        overhead: Bytes::ZERO,
        capacity: vec![(Time::ZERO, line_rate)],
        buffer: Bytes::new(80_000_000),
        classes: groups.iter().enumerate().map(class).collect(),
    }
}

/// Solves a model from the groups' initial rates, sampled every 50 µs. Identical calls are solved only once.
pub(super) fn solution(
    (gbps, groups, micros): (u64, &[Group], f64),
    scheme: &Scheme,
    seconds: f64,
) -> Option<Arc<Course>> {
    static KNOWN: Mutex<BTreeMap<String, Option<Arc<Course>>>> = Mutex::new(BTreeMap::new());
    let key = format!("{gbps} {groups:?} {micros} {scheme:?} {seconds}");
    let known = || KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(course) = known().get(&key) {
        return course.clone();
    }
    let horizon = Horizon { until: span(seconds), sample: span(SAMPLE_S), start: Start::LineRates };
    let rates: Vec<Rate> =
        groups.iter().map(|group| Rate::from_bits_per_second(group.rate_bps as u64)).collect();
    let bottleneck = bottleneck(gbps, groups, micros);
    let course = solve_from(&bottleneck, scheme, &ModelOptions::default(), &horizon, &rates).ok();
    known().entry(key).or_insert(course.map(Arc::new)).clone()
}

/// DCQCN with flows that start together at line rate.
pub(super) fn dcqcn_solution(flows: u32, micros: f64, line: Line, seconds: f64) -> Option<Arc<Course>> {
    let groups = [Group { flows, start_s: 0.0, rate_bps: DEFAULT.gbps as f64 * 1e9 }];
    solution((DEFAULT.gbps, &groups, micros), &Scheme::Dcqcn(DEFAULT.params(line)), seconds)
}

/// The interval between samples of solutions.
pub(super) const SAMPLE_S: f64 = 50e-6;

/// The samples in the last part of a solution.
pub(super) fn last(values: &[f64], part: f64) -> &[f64] {
    let from = (values.len() as f64 * (1.0 - part)) as usize;
    &values[from.min(values.len())..]
}

/// A queue with a smaller [`oscillation`] counts as stable.
pub(super) const STILL: f64 = 0.1;
/// A queue with a larger [`oscillation`] counts as unstable.
pub(super) const OSCILLATES: f64 = 0.5;
/// The lower limit of the mean queue in an [`oscillation`]: ten times Kmin.
const SHORT_QUEUE: f64 = 50e3;

/// The range of a queue in bytes, relative to its mean or to 50 kB, whichever is larger. A large value thus means that the
/// range is large in both respects.
pub(super) fn oscillation(range: f64, mean: f64) -> f64 {
    range / mean.max(SHORT_QUEUE)
}

/// The meaning of [`oscillation`], for assumptions.
pub(super) const TWO_SIZES: &str = "The range of a queue is divided by its mean, or by 50 kB (ten times Kmin) if the mean \
    is shorter. A queue is unstable only if its range is at least half of the mean and at least 25 kB. It is stable if \
    its range is at most a tenth of the mean or at most 5 kB: five frames more or less are no oscillation.";

/// The oscillation of a queue from its smallest to its largest value.
pub(super) fn full_oscillation(queue: &[f64]) -> Option<f64> {
    Some(oscillation(largest(queue)? - smallest(queue)?, mean(queue)?))
}

/// The ratio of the larger to the smaller mean rate of the groups in the last part of a solution.
pub(super) fn rate_ratio(course: &Course, part: f64) -> Option<f64> {
    let rates = all(course.rates_bps.iter().map(|rates| mean(last(rates, part))))?;
    max_over_min(&rates)
}

/// A figure of curves over time: labels, times and values.
pub(super) fn over_time(
    (name, title): (&str, &str),
    y: Axis,
    curves: Vec<(String, Vec<f64>, Vec<f64>)>,
) -> Figure {
    let end = curves.iter().filter_map(|(_, times, _)| times.last().copied()).fold(0.0, f64::max);
    let mut figure = Figure::new(name, title, Axis::linear("Time", Unit::Seconds, (0.0, end)), y);
    for (index, (label, times, values)) in curves.into_iter().enumerate() {
        let points = times.into_iter().zip(values).collect();
        figure.marks.push(line(&label, Colour::Series(index), Shape::Straight, points));
    }
    figure.alternative = format!("{title}: curves over time.");
    figure.room = Room::Half;
    figure
}

/// The queues of several solutions over time.
pub(super) fn queues(
    (name, title): (&str, &str),
    top: f64,
    solutions: &[(&str, Option<Arc<Course>>)],
) -> Figure {
    let curve = |(label, course): &(&str, Option<Arc<Course>>)| {
        let course = course.as_ref()?;
        Some(((*label).to_owned(), course.time_s.clone(), course.queue_bytes.clone()))
    };
    let y = Axis::linear("Queue", Unit::Bytes, (0.0, top));
    over_time((name, title), y, solutions.iter().filter_map(curve).collect())
}

/// The rates of the groups of a solution over time.
pub(super) fn rates(names: (&str, &str), top: f64, course: Option<&Course>, labels: &[&str]) -> Figure {
    let curve = |(place, label): (usize, &&str)| {
        let course = course?;
        Some(((*label).to_owned(), course.time_s.clone(), course.rates_bps.get(place)?.clone()))
    };
    let y = Axis::linear("Rate", Unit::BitsPerSecond, (0.0, top));
    over_time(names, y, labels.iter().enumerate().filter_map(curve).collect())
}

fn span(seconds: f64) -> TimeDelta {
    TimeDelta::from_picos((seconds * 1e12).round() as u64)
}
