//! Jiang et al., "Sliding mode congestion control for data center Ethernet networks" (2015).
//!
//! A scenario consists of two files: the network with its traffic, and the algorithm (`with-qcn.toml`,
//! `with-smcc.toml`). Claims about oscillations are judged by the standard deviation of the queue, sampled
//! every millisecond, in the steady part of a phase. Where the paper mentions an amplitude, the choice
//! `amplitude` defines it.

mod choices;
mod comparison;
mod fig05;
mod fig15;
mod fig16;
mod fig17;
mod fig18;
mod fig19;
mod fig20;
mod fig21;
mod fig23;
mod parking_lot;
mod portrait;
mod theorem2;
mod theorem3;
mod theory;

use crate::panel::Buffer;
use crate::prelude::*;

/// The bottleneck port of the dumbbells.
const PORT: &str = "left->right";
const QUEUE: &str = "left->right/3";
/// The set point, q0.
const TARGET: f64 = 64e3;
const BUFFER: Buffer = Buffer { size: 128e3, set_point: TARGET };

/// Assumptions shared by several experiments.
const NETWORK: &str = "Every link has a delay of 3 us: section 2.1 mentions a propagation delay within 3 us, and the \
    paper does not give the round-trip time of its runs. We read KB as 1000 bytes.";
const ARRIVING: &str = "Frames are sampled whether or not they are dropped: the paper samples “incoming packets” \
    (section 2.2 and figure 10). If samples are counted, the intervals between them have the usual jitter of 15 %, \
    since samples at exact intervals would fall into step with the constant-rate background traffic.";
const REDUCED_QCN: &str = "QCN is the paper’s reduced version (section 5.1): decrease, fast recovery and active \
    increase, without a timer, hyper-active increase, extra fast recovery or target rate reduction. Complete QCN is \
    shown for comparison but not judged.";
const FINE: &str =
    "QCN’s feedback is finely quantised: “into as many bit as possible” (section 5.1, on the hardware).";
const GAINS: &str = "We read R_a as the rate change for an offset of 64 kB, the largest possible offset, and R_b as \
    the rate change for a difference of 64 kB: a = R_a / 64 kB and b = R_b / 64 kB.";
const GAIN_B: &str = "R_b has the same reference length as R_a. Differences between samples could be twice as large as \
    offsets, but “R_b is hardly reached” (section 5.3.3).";
const DEVIATIONS: &str = "Oscillations are measured by the standard deviation of the queue, sampled every millisecond, \
    in the steady part of a phase, which begins half a second after a change.";
const AMPLITUDES: &str = "Where the paper speaks of an amplitude, we measure the amplitude in the steady part of the \
    phase. An amplitude smaller than one frame counts as one frame.";

pub(crate) fn paper() -> Paper {
    Paper {
        id: "smcc",
        title: "Sliding Mode Congestion Control for Data Center Ethernet Networks",
        source: "Jiang, Ren, Shu, Wu and Lin, IEEE Transactions on Computers, 2015",
        about: "With some parameters and loads, QCN’s queue oscillates and the link goes idle. A sliding-mode \
            controller is meant to be insensitive to them.",
        experiments: vec![
            fig05::experiment(),
            fig15::experiment(),
            fig16::experiment(),
            fig17::experiment(),
            fig18::experiment(),
            fig19::experiment(),
            fig20::experiment(),
            fig21::experiment(),
            fig21::two_stages(),
            fig23::experiment(),
            theorem2::experiment(),
            theorem3::experiment(),
        ],
    }
}

/// The paper's reduced QCN and complete QCN on the same network.
fn both_qcns(scenario: &'static str) -> [Case; 2] {
    [Case::new("qcn", "the paper’s QCN", scenario), complete("complete", scenario)]
}

/// Complete QCN, from a scenario with reduced QCN.
fn complete(name: &str, scenario: &'static str) -> Case {
    Case::new(name, "complete QCN", scenario).beyond_paper().set_all([
        "control.qcn.rp.timer=on",
        "control.qcn.rp.hyper_phase=on",
        "control.qcn.rp.extra_fast_recovery=on",
        "control.qcn.rp.target_reduction=on",
    ])
}

/// The time until a queue comes within 50 % of its set point and stays there for a tenth of a second; the
/// length of the run if it never does.
fn response_time(run: &Run, queue: &str) -> Option<f64> {
    let is_near = |length: f64| (length - TARGET).abs() <= TARGET / 2.0;
    Some(run.settling(run.queue(queue)?, START, 0.1, is_near).unwrap_or(run.summary.duration_s))
}

/// The bottleneck queue over time with the first seed, one panel per case.
fn queue_panels(runs: &Runs, cases: &[(&str, &str)]) -> Vec<Figure> {
    panel::queues_by_case(runs, cases, BUFFER, &[(QUEUE, "queue")])
}

/// The distribution of the bottleneck queue over all seeds, one curve per case.
fn queue_distribution(runs: &Runs, title: &str, cases: &[(&str, &'static str, Shape)]) -> Figure {
    let curves = cases.iter().map(|(case, label, shape)| {
        let samples = runs.seeds().flat_map(|seed| seed.run(case).queue(QUEUE).unwrap_or_default().to_vec());
        (*label, *shape, samples.collect())
    });
    let x = Axis::linear("Queue", Unit::Bytes, (0.0, BUFFER.size));
    let mut figure = panel::distribution(("queue-cdf", title), x, "samples", curves);
    figure.references.push(upright(TARGET, "set point 64 kB"));
    figure.note = "All samples from all seeds.".to_owned();
    figure
}
