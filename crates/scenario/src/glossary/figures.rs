//! Figures and runs.

use super::Term;

const RESULTS: &str = "docs/results.md";

pub(super) const TERMS: &[Term] = &[
    Term::new(
        "axis",
        &["parameter sweep", "grid search"],
        "A key and its values in a sweep. With several axes the variants are all combinations of their values.",
    )
    .keys(&["sweep"]),
    Term::new(
        "completion time",
        &["FCT", "flow completion time", "message completion time", "JCT"],
        "The time from when a message is offered at its station until its last byte arrives.",
    )
    .keys(&["flows.traffic.message", "flows.traffic.poisson"])
    .document(RESULTS),
    Term::new(
        "delay margin",
        &["stability margin"],
        "The longest loop delay at which the loop is stable.",
    )
    .document("docs/theory.md"),
    Term::new(
        "digest",
        &["hash", "checksum"],
        "The SHA-256 hash of the figures, curves and messages of a run. The same scenario, overrides, seed and version give the \
         same digest, on every machine.",
    )
    .keys(&["seed"])
    .document(RESULTS),
    Term::new(
        "feedback overhead",
        &[],
        "Notifications that reached stations, divided by data frames that stations sent.",
    )
    .document(RESULTS),
    Term::new(
        "files.json",
        &["index of files"],
        "The list of all files that the program wrote into a folder, with their lengths and SHA-256 hashes. The program never \
         deletes a file that is not on the list.",
    )
    .document(RESULTS),
    Term::new(
        "fluid model",
        &["differential equations", "DDE"],
        "The scenario as delay-differential equations for the rates and the queue, without individual frames.",
    )
    .document("docs/theory.md"),
    Term::new(
        "Jain's index",
        &["Jain", "fairness", "fairness index"],
        "(sum of x)^2 / (n * sum of x^2) over the rates x of n flows, each divided by its weight: 1 if every flow \
         has its share, 1/n if one flow has everything. It compares backlogged flows that were active during the \
         whole measurement interval or, in windows, during the whole window.",
    )
    .document(RESULTS),
    Term::new(
        "lower bound",
        &["at least"],
        "A figure marked with >, as in `> 50 ms`: the true value is at least this large. Completion times and slowdowns have \
         lower bounds if messages were not completed.",
    )
    .document(RESULTS),
    Term::new(
        "measurement interval",
        &["warm-up", "transient"],
        "The part of a run that its figures cover, from `measure_from` to the end. Curves cover the whole run.",
    )
    .keys(&["measure_from", "duration"]),
    Term::new(
        "packet-hop",
        &[],
        "One data frame crossing one link; inside a fabric, one cell. Simulator speed is measured in packet-hops per second.",
    ),
    Term::new(
        "percentile",
        &["p99", "99th percentile", "tail latency", "quantile"],
        "The 99th percentile is the value exceeded by 1 % of the messages, or for 1 % of the time.",
    )
    .document(RESULTS),
    Term::new(
        "random seed",
        &["replication"],
        "The number from which all random numbers in a run are derived. Several seeds (`--seeds N`) show how much of a figure \
         is due to chance.",
    )
    .keys(&["seed"]),
    Term::new(
        "samples.csv",
        &["time axis"],
        "The times of all samples in a run. The other curve tables have a row only where a value changes.",
    )
    .keys(&["sample_interval"])
    .document(RESULTS),
    Term::new(
        "settling",
        &["settling time", "convergence time", "settled"],
        "The settling time runs from an event until the mean queue length over every 10 ms (or a tenth of the time to the next \
         event) stays within 10 % of the set point, or one frame, with the port loaded and the buffer not full.",
    )
    .document(RESULTS),
    Term::new(
        "slowdown",
        &["normalised FCT", "normalized FCT", "stretch"],
        "The completion time of a message divided by its completion time on an empty network at the flow's full \
         rate. Messages of one flow queue behind each other, and the delay this causes is included.",
    )
    .document(RESULTS),
    Term::new(
        "throughput",
        &["goodput"],
        "Data delivered per second in the measurement interval, excluding preamble and gap. Sources do not retransmit, so \
        throughput equals \
         goodput.",
    )
    .document(RESULTS),
    Term::new(
        "utilisation",
        &["utilization", "link utilisation"],
        "The share of the measurement interval that a port spends transmitting, including preambles, gaps and notifications.",
    )
    .document(RESULTS),
];
