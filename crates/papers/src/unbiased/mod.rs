//! Chrysos et al., "Unbiased QCN for scalable server-fabrics" (2014).
//!
//! A scenario consists of three files: the network with its traffic, the parameters of table I, and the
//! parameters that depend on the line rate. Flow rates are raw: they include preamble and gap, as in the
//! paper.

mod choices;
mod culprits;
mod fan_in;
mod fig02;
mod fig05;
mod fig06;
mod fig07;
mod multicast;
mod pauses;
mod scale;

use self::pauses::paused_time;
use crate::prelude::*;

/// The set point, Qeq.
const SET_POINT: f64 = 60e3;
/// The buffer size of an output, and of an input.
const BUFFER: f64 = 150e3;
/// The thresholds at which an input pauses and releases its sender.
const PAUSE: f64 = 110e3;
const RELEASE: f64 = 44e3;

/// The queue of the congested output.
const OUTPUT: &str = "leaf1.8->h36/3";
/// The input buffer of the first sender.
const INPUT: &str = "h1->leaf1.1/3 (input)";

/// Assumptions shared by several experiments.
const PART_OF_THE_FABRIC: &str = "We simulate eight leaves of one rack with all 32 spines. In the paper’s whole fabric \
    the other leaves would be idle and cells would be sprayed over the same links, so it would behave in the same way.";
const TABLE_1: &str = "KB means 1000 bytes, as elsewhere in Setpoint. We also read the set point in table I, “60” \
    without a unit, as 60 kB. Every input and every output has a buffer of 150 kB.";
const STANDARD: &str =
    "Parameters that the paper does not give are those of the standard, including the jitter of 15 %.";
const FABRIC: &str = "Links have a delay of 100 ns, and requests and grants between inputs and outputs take 300 ns \
    each, which gives a fall-through latency of about 1 µs. Cells carry 256 bytes and a 16-byte header, spines hold \
    16 cells at each input and output, and leaves spray cells over the spines in turn. The paper gives none of these \
    values.";
const RAW_RATES: &str = "Rates are raw: they include the 20 bytes of preamble and gap of every frame.";

pub(crate) fn paper() -> Paper {
    Paper {
        id: "unbiased",
        title: "Unbiased QCN for Scalable Server-Fabrics",
        source: "Chrysos, Neeser, Clauberg, Crisan, Valk, Basso, Minkenberg and Gusat, IBM Research Report RZ 3880, \
            2014",
        about: "In a fabric with input buffers QCN is unfair if its congestion points are at outputs, and slows down \
            the wrong flows if they are at inputs. Congestion points at inputs that choose the flow to notify by its \
            share of the buffer should be fair and spare victims.",
        experiments: vec![
            fig02::experiment(),
            fig05::experiment(),
            fig06::experiment(),
            fig07::experiment(),
            multicast::experiment(),
            scale::experiment(),
        ],
    }
}

/// The case with PAUSE alone.
fn pause_only(scenario: &'static str) -> Case {
    Case::new("pause", "PAUSE only", scenario).set("control=none")
}

/// The case with QCN at outputs, as in the standard.
fn at_outputs(scenario: &'static str) -> Case {
    Case::new("outputs", "QCN at outputs", scenario)
}

/// QCN at inputs with arrival sampling: it notifies the source of the sampled frame.
fn at_inputs(name: &str, label: &str, scenario: &'static str) -> Case {
    Case::new(name, label, scenario).set("control.qcn.placement=inputs")
}

/// QCN at inputs with random occupancy sampling: it notifies a flow with a probability equal to the flow's
/// share of the buffer.
fn by_occupancy(name: &str, label: &str, scenario: &'static str) -> Case {
    at_inputs(name, label, scenario).set("control.qcn.marking=random-occupancy")
}

/// Adds keep-alive: samples during PAUSE, one base interval apart.
fn kept_alive(case: Case) -> Case {
    case.set("control.qcn.keep_alive=150kB")
}

/// A flow that does not share its input with others: its name, and the port of its station.
type Sender = (&'static str, &'static str);

/// The length of a frame with preamble and gap, divided by its length without them.
const RAW: f64 = 1542.0 / 1522.0;

/// The mean delivery rate of a flow, with preamble and gap.
fn raw_rate(run: &Run, flow: &str, window: Window) -> Option<f64> {
    Some(run.mean_rate(flow, window)? * RAW)
}

/// The sampled arrival rate at a sender's input: the utilisation of its link, with preamble and gap.
fn arrivals(run: &Run, (_, port): Sender, line: f64) -> Option<Vec<f64>> {
    Some(run.port_series(port)?.utilisation_share.iter().map(|share| share * line).collect())
}

/// The mean arrival rates at the inputs of senders.
fn mean_arrivals(run: &Run, senders: &[Sender], line: f64, window: Window) -> Option<Vec<f64>> {
    all(senders.iter().map(|sender| run.mean_over(&arrivals(run, *sender, line)?, window)))
}

/// The arrival rates of senders over time.
fn arrival_panel(run: &Run, (case, title): (&str, &str), senders: &[Sender], line: f64) -> Figure {
    let curve = |sender: &Sender| (sender.0, arrivals(run, *sender, line).unwrap_or_default());
    let curves: Vec<Curve<'_>> = senders.iter().map(curve).collect();
    panel::rates_up_to(line, run, (&format!("rates-{case}"), title), &curves)
}

/// The raw delivery rates of two flows in colour, and those of other flows in grey with a common name.
fn victim_panel(
    run: &Run,
    (case, title): (&str, &str),
    two: [&str; 2],
    (label, others): (&str, &[&str]),
    line_rate: f64,
) -> Figure {
    let values = |flow: &str| -> Vec<f64> {
        run.rates(flow).unwrap_or_default().iter().map(|rate| rate * RAW).collect()
    };
    let curves = two.map(|flow| (flow, values(flow)));
    let mut figure = panel::rates_up_to(line_rate, run, (&format!("rates-{case}"), title), &curves);
    let labels = [label].into_iter().chain(std::iter::repeat(""));
    let grey = labels
        .zip(others)
        .map(|(label, flow)| line(label, Colour::Muted, Shape::Straight, run.timed(&values(flow))));
    figure.marks.splice(0..0, grey.collect::<Vec<_>>());
    figure
}

/// Rate limits over time.
fn limit_panel(run: &Run, names: (&str, &str), curves: &[Curve<'_>], line: f64) -> Figure {
    let mut figure = panel::rates_up_to(line, run, names, curves);
    figure.y.label = "Rate limit".to_owned();
    figure
}

/// Buffer occupancies over time.
fn buffer_panel(run: &Run, names: (&str, &str), curves: &[Curve<'_>]) -> Figure {
    let y = Axis::linear("Occupancy", Unit::Bytes, (0.0, BUFFER * 1.05));
    panel::over_time(run, names, y, curves)
}
