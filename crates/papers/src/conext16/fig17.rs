//! Figure 17: DCQCN with marking at ingress and at egress.

use std::sync::Arc;

use setpoint_fluid::Scheme;
use setpoint_fluid::dcqcn::{MarkedAt, Params};
use setpoint_fluid::fixed_point::dcqcn::fixed_point;
use setpoint_fluid::model::Course;

use super::choices::{MARKING, REPORTS};
use super::model::{
    DEFAULT, Group, Line, OSCILLATES, STILL, TWO_SIZES, full_oscillation, last, over_time, queues, solution,
};
use super::packets::{LONG, LOOP, QUEUE, STEADY, case, line_of, queue_oscillation, queue_table};
use crate::prelude::*;

/// The two places: the name of the case and its label.
const PLACES: [(&str, &str); 2] = [("dequeue", "Marked at egress"), ("enqueue", "Marked at ingress")];
/// The time that the program of figure 4 simulates, and the part of it that is judged.
const SECONDS: f64 = 0.5;
const PART: f64 = 0.1;
const FLOWS: u32 = 2;

pub(super) fn experiment() -> Experiment {
    let cases = PLACES.map(|(place, label)| {
        case(FLOWS, LONG).renamed(place, label).beyond_paper().set_all([
            format!("control.dcqcn.cp.marking={place}"),
            "duration=\"200 ms\"".to_owned(),
            "measure_from=\"100 ms\"".to_owned(),
        ])
    });
    Experiment::new("conext16/fig17", "Marking at ingress and at egress")
        .setup(
            "The fluid model of two flows that share a 40 Gb/s link with a loop delay of 85 us. Frames are marked as they \
            leave the queue, or as they enter it. Packet simulations with the same delay are added.",
        )
        .paper_says(
            "A mark set at egress shows the present queue, so the delay of the loop does not contain the queueing delay. \
            Marking at ingress leads to fluctuations of the queue.",
        )
        .assumptions([
            "The figure’s data files, unstable.2.85.0.dat and unstable.2.85.0.bufferbloat.dat, are named and arranged as \
            those of the program that solves the model, and the curves have no noise. So the figure shows the fluid model, \
            and its claims are judged by the model.",
            "With marking at ingress, the delay of the feedback is 85 us plus q/C, as in the paper’s model of TIMELY.",
            "The solution lasts 0.5 s, as in the program, and is judged in the last tenth of that time.",
            TWO_SIZES,
            LOOP,
        ])
        .choices([&MARKING, &REPORTS])
        .cases(cases)
        .seeds(Repeats::LEAST)
        .quick(0.5)
        .panels(panels)
        .claims(claims())
        .claims(checks())
}

/// The solution for marking at ingress or egress, with a loop delay in microseconds.
fn solved(marked_at: MarkedAt, micros: f64, line: Line) -> Option<Arc<Course>> {
    let groups = [Group { flows: FLOWS, start_s: 0.0, rate_bps: DEFAULT.gbps as f64 * 1e9 }];
    let scheme = Scheme::Dcqcn(Params { marked_at, ..DEFAULT.params(line) });
    solution((DEFAULT.gbps, &groups, micros), &scheme, SECONDS)
}

/// The oscillation of the queue at the end of a solution.
fn range(marked_at: MarkedAt, micros: f64, line: Line) -> Option<f64> {
    full_oscillation(last(&solved(marked_at, micros, line)?.queue_bytes, PART))
}

/// The time in microseconds that a frame spends in the queue at the fixed point.
fn queueing(line: Line) -> Option<f64> {
    let point = fixed_point(&DEFAULT.bottleneck(FLOWS, LONG), &DEFAULT.params(line)).ok()?;
    Some(point.queue_bytes * 8.0 / (DEFAULT.gbps as f64 * 1e9) * 1e6)
}

fn claims() -> [Claim; 2] {
    [
        Claim::new(at("section 5.2, figure 17"), "egress-stable", "With marking at egress the queue is stable.")
            .measure(Unit::Ratio, Rule::AtMost(STILL), |seed| range(MarkedAt::Egress, LONG, line_of(seed)))
            .fails_for("200 us", || range(MarkedAt::Egress, 200.0, Line::Program))
            .read_as("Range of the queue of the model divided by its mean, or by 50 kB if the mean is shorter; at most a \
                tenth."),
        Claim::new(
            at("section 5.2, figure 17"),
            "ingress-fluctuates",
            "With marking at ingress the queue fluctuates.",
        )
        .given("with marking at egress the queue is stable", (Unit::Ratio, Rule::AtMost(STILL)), |seed| {
            range(MarkedAt::Egress, LONG, line_of(seed))
        })
        .measure(Unit::Ratio, Rule::AtLeast(OSCILLATES), |seed| range(MarkedAt::Ingress, LONG, line_of(seed)))
        .fails_for("4 us", || range(MarkedAt::Ingress, 4.0, Line::Program))
        .read_as("The same with marking at ingress; at least half."),
    ]
}

fn checks() -> [Claim; 3] {
    [
        Claim::new(
            OURS,
            "queueing-delay-explains",
            "The fluctuation equals that with marking at egress and a delay that is longer by the queueing delay.",
        )
        .measure(Unit::Ratio, Rule::Between(0.8, 1.25), |seed| explained(LONG, queueing(line_of(seed))?, line_of(seed)))
        .fails_for("no longer delay", || explained(LONG, 0.0, Line::Program))
        .read_as(
            "Range of the queue of the model with marking at ingress, divided by that with marking at egress and a delay \
            longer by q*/C; between 0.8 and 1.25.",
        ),
        Claim::new(
            OURS,
            "packets-fluctuate",
            "In packet simulations, too, the queue fluctuates more with marking at ingress.",
        )
        .measure(Unit::Ratio, Rule::AtLeast(1.5), |seed| {
            let deviation = |place| seed.run(place).queue_std_dev(QUEUE, STEADY);
            Some(deviation("enqueue")? / deviation("dequeue")?)
        })
        .read_as("Standard deviation of the queue with marking at ingress divided by that at egress; at least 1.5.")
        .cause(
            "the queue of two flows takes about 4 us to leave, which adds little to a delay of 85 us. In the model, this is \
            enough to exceed the critical delay; in packet simulations, random marks make the queue vary more than that",
        ),
        Claim::new(OURS, "packets-stable", "In packet simulations, the queue is stable with marking at egress.")
            .measure(Unit::Ratio, Rule::AtMost(OSCILLATES), |seed| queue_oscillation(seed.run("dequeue")))
            .read_as("Range from the 5th to the 95th percentile of the queue divided by its mean, or by 50 kB if the mean is \
                shorter; at most half.")
            .cause("individual rate cuts of two flows change the queue by more than its mean"),
    ]
}

/// The oscillation with marking at ingress, divided by that with marking at egress and a longer delay.
fn explained(micros: f64, longer: f64, line: Line) -> Option<f64> {
    Some(range(MarkedAt::Ingress, micros, line)? / range(MarkedAt::Egress, micros + longer, line)?)
}

fn panels(runs: &Runs) -> Vec<Block> {
    let first = runs.first();
    let line = line_of(&first);
    let model = [("marked at egress", MarkedAt::Egress), ("marked at ingress", MarkedAt::Ingress)]
        .map(|(label, place)| (label, solved(place, LONG, line)));
    let model = queues(("queue-model", "Fluid model"), 1.4e5, &model);
    let packets = PLACES.map(|(place, label)| {
        let run = first.run(place);
        let values = run.queue(QUEUE).unwrap_or_default().to_vec();
        let curve = ("queue".to_owned(), run.series.time_s.clone(), values);
        let y = Axis::linear("Queue", Unit::Bytes, (0.0, 1.4e5));
        over_time((&format!("queue-{place}"), &format!("Packets, {}", label.to_lowercase())), y, vec![curve])
    });
    let mut table = table::with_headings(
        "Fluid model",
        ["Loop delay", "Mean queue", "Range of the queue / mean or 50 kB"],
    );
    for (label, place) in [("marked at egress", MarkedAt::Egress), ("marked at ingress", MarkedAt::Ingress)] {
        let course = solved(place, LONG, line);
        let delay = match place {
            MarkedAt::Egress => Some(LONG),
            MarkedAt::Ingress => queueing(line).map(|queueing| LONG + queueing),
        };
        let average = course.and_then(|course| mean(last(&course.queue_bytes, PART)));
        table.row([
            Cell::words(label),
            table::value_cell(Unit::Seconds, delay.map(|micros| micros * 1e-6)),
            table::value_cell(Unit::Bytes, average),
            table::value_cell(Unit::Ratio, range(place, LONG, line)),
        ]);
    }
    let mut blocks = panel::of_seed(first, [model].into_iter().chain(packets));
    blocks.push(Block::Table(table));
    blocks.push(Block::Table(queue_table(runs, &PLACES)));
    blocks
}
