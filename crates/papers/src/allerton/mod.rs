//! Alizadeh et al., "Data center transport mechanisms: congestion control theory and IEEE
//! standardization" (Allerton 2008).
//!
//! A scenario consists of two files: the network with its traffic, and the algorithm. Some pages of the paper
//! and all of its figures are missing from our copy, so figure 5 and the figures on AIMD are known to us only from
//! the text about them. The paper states some goals without showing results; our own checks test whether QCN achieves
//! them.

mod averaging;
mod choices;
mod fig05;
mod multipath;
mod pause;
mod responsive;
mod stability;
mod theorem1;
mod theory;

use setpoint_fluid::model::Course;
use setpoint_lab::theory::oscillation;

use crate::panel::Buffer;
use crate::prelude::*;
use crate::timeline::{Moment, Timeline};

/// The bottleneck of the dumbbells.
const PORT: &str = "left->right";
const QUEUE: &str = "left->right/3";
/// The set point, Qeq.
const TARGET: f64 = 30e3;
/// The buffer, which is five times the set point.
const BUFFER: Buffer = Buffer { size: 150e3, set_point: TARGET };

/// The steady part: the run after the start-up of the flows.
const STEADY: Window = MEASURED.until(END);
/// Sources start at line rate and their rates are cut many times. Figures are measured once the rates have recovered.
const RECOVERED: Needs = Needs {
    part: "the time before the measurement",
    window: START.until(MEASURED),
    least: 0.1,
    process: "recovery from the start",
};

/// The time before the steady part.
const START_OF_FLOWS: Window = START.until(MEASURED);

/// Assumptions shared by several experiments.
const PARAMETERS: &str = "QCN follows the pseudo-code that the paper cites. Parameters are those of the standard, \
    except for two that the paper gives: a set point of 30 kB, which is the occupancy that the paper aims for and \
    about a fifth of a 150 kB buffer, and timer cycles of 10 ms, since the paper gives 50 ms for five cycles. Frames \
    are 1500 bytes long, so a byte-counter cycle lasts 100 frames. We read KB as 1000 bytes.";
const ROUND_TRIP: &str = "The round-trip time is the propagation time from a source to the queue and back. A \
    congestion point samples frames as they are enqueued, so the queueing delay is not part of the loop.";

pub(crate) fn paper() -> Paper {
    Paper {
        id: "allerton",
        title: "Data Center Transport Mechanisms: Congestion Control Theory and IEEE Standardization",
        source: "Alizadeh, Atikoglu, Kabbani, Lakshmikantha, Pan, Prabhakar and Seaman, Allerton Conference, 2008",
        about: "The paper presents QCN, its requirements and a fluid model of it. It attributes QCN’s stability at \
            long lags to the Averaging Principle, which is equivalent to feeding back one more derivative of the \
            queue.",
        experiments: vec![
            fig05::experiment(),
            fig05::grid(),
            stability::experiment(),
            responsive::experiment(),
            multipath::experiment(),
            pause::experiment(),
            averaging::experiment(),
            theorem1::experiment(),
        ],
    }
}

/// The time of a moment in the full version of a case, as text.
fn time_of(case: &Case, moment: Moment) -> String {
    let prepared = case.prepare(1, 1.0).expect("a case can be prepared");
    Unit::Seconds.text(Timeline::new(&prepared.spec, 1.0).time(moment))
}

/// The steady part of a case, as in "from 100 ms onwards".
fn onwards(case: &Case) -> String {
    format!("from {} onwards", time_of(case, STEADY.from()))
}

/// The smallest deviation that counts as an oscillation: a hundredth of the set point.
const LEAST_DEVIATION: f64 = TARGET / 100.0;

/// The period at which the samples of a queue oscillate; none if they do not oscillate.
fn period(samples: &[f64], interval_s: f64) -> Option<f64> {
    oscillation::period(samples, interval_s, LEAST_DEVIATION)
}

/// The sum of the rate limits of all flows at each sample; a flow without a limiter counts at line rate.
fn limit_sum(run: &Run, line: f64) -> Vec<f64> {
    let limit = |series: &setpoint_record::results::FlowSeries, index: usize| {
        series.limit_bps.get(index).copied().flatten().unwrap_or(line)
    };
    let sum = |index| run.series.flows.iter().map(|series| limit(series, index)).sum();
    (0..run.series.time_s.len()).map(sum).collect()
}

/// The number of frames dropped in the whole run.
#[expect(clippy::unnecessary_wraps, reason = "table columns expect options")]
fn dropped(run: &Run) -> Option<f64> {
    Some(run.summary.total.dropped_frames as f64)
}

/// The bottleneck's queue over time.
fn queue_panel(run: &Run, names: (&str, &str)) -> Figure {
    panel::queues(run, names, BUFFER, &[(QUEUE, "queue")])
}

/// The bottleneck's queue in a window: the packet simulation and the named fluid solutions.
fn fluid_panel(
    run: &Run,
    (name, title): (&str, &str),
    solutions: &[(&str, Option<Course>)],
    window: Window,
) -> Figure {
    let (from, to) = run.timeline.range(window);
    let shown = |times: &[f64], queue: &[f64]| -> Vec<(f64, f64)> {
        let points = times.iter().copied().zip(queue.iter().copied());
        points.filter(|(time, _)| (from..=to).contains(time)).collect()
    };
    let packets = shown(&run.series.time_s, run.queue(QUEUE).unwrap_or_default());
    let solved = solutions.iter().filter_map(|(label, course)| Some((*label, course.as_ref()?)));
    let solved = solved.map(|(label, course)| (label, shown(&course.time_s, &course.queue_bytes)));
    let curves: Vec<_> = [("packet simulation", packets)].into_iter().chain(solved).collect();
    let values = curves.iter().flat_map(|(_, points)| points).map(|point| point.1);
    let y = Axis::from_zero("Queue", Unit::Bytes, values.fold(2.0 * TARGET, f64::max));
    let x = Axis::linear("Time", Unit::Seconds, (from, to));
    let mut figure = Figure::new(name, title, x, y);
    let set_point = vec![(from, TARGET), (to, TARGET)];
    figure.marks = vec![line("set point", Colour::Muted, Shape::Dashed, set_point)];
    figure.marks.extend(
        curves
            .into_iter()
            .enumerate()
            .map(|(index, (label, points))| line(label, Colour::Series(index), Shape::Straight, points)),
    );
    figure.alternative = "Queue length over time in the packet simulation and in the fluid model.".to_owned();
    figure.room = Room::Half;
    figure
}
