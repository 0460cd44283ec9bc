//! Addanki, Michel and Schmid, "PowerTCP: pushing the performance limits of datacenter networks" (NSDI 2022): figures 4 and 5.
//!
//! The claims are those of the text (sections 3.5 and 4.2); the plots were not available. Networks, flows and the parameters that
//! the text does not give are those of the authors' simulator (github.com/inet-tub/ns3-datacenter, examples/PowerTCP).

mod choices;
mod fairness;
mod incast;

use crate::prelude::*;

/// The rate of the stations' links.
const LINE_RATE: f64 = 25e9;

const POWERTCP: &str = "powertcp";
const THETA: &str = "theta";
const HPCC: &str = "hpcc";
const TIMELY: &str = "timely";

/// The algorithms with their labels.
const SCHEMES: [(&str, &str); 4] =
    [(POWERTCP, "PowerTCP"), (THETA, "θ-PowerTCP"), (HPCC, "HPCC"), (TIMELY, "TIMELY")];

/// Frames and acknowledgements with the reports of bridges.
const REPORTS: &str = "network.overhead=\"90 B\"";
/// The reading that affects only θ-PowerTCP.
const TELEMETRY_WEIGHT: &str = "control.powertcp.rp.weight=\"90 %\"";

const SOURCES: &str = "The paper’s text was available to us, but not its plots. Networks, flows and parameters that the text does \
    not give are those of the authors’ simulator.";
const WIRE: &str = "A frame has 1000 B of data and 48 B of headers, with PowerTCP and HPCC also 42 B of reports; an \
    acknowledgement has 60 B, with PowerTCP and HPCC also 42 B. Every frame is acknowledged, in the queues of the data. \
    Queues and windows count only the data.";
const BUFFER: &str = "The ports of a bridge share 4 MiB, and an input is paused when it uses more than an eighth of the free \
    buffer, as in the simulator, where the headroom comes in addition.";
const LIKE_THE_PROGRAM: &str = "As in the simulator, and unlike in the text, PowerTCP assumes that at least half of a port’s rate \
    arrives, and θ-PowerTCP changes its rate with every acknowledgement, starting from a reference that changes once per window.";
const TIMELY_PARAMETERS: &str = "TIMELY is that of the HPCC simulator, which the authors extended, with their increments of 50 and \
    100 Mb/s.";
const OMITTED: &str = "The paper also shows HOMA, which Setpoint does not have.";

/// The cause of differences in which the rates of θ-PowerTCP oscillate.
const WEIGHTED: &str = "with γ of 0.9 for θ-PowerTCP, its rates oscillate";

/// The cases of an experiment, given its scenario with PowerTCP, with HPCC and with TIMELY.
fn cases(powertcp: &'static str, hpcc: &'static str, timely: &'static str) -> [Case; 4] {
    [
        Case::new(POWERTCP, "PowerTCP", powertcp)
            .set_all([REPORTS, TELEMETRY_WEIGHT])
            .unaffected_by(&choices::WEIGHT)
            .unaffected_by(&choices::BASE_RTT),
        Case::new(THETA, "θ-PowerTCP", powertcp).set("control.powertcp.rp.measure=delay"),
        Case::new(HPCC, "HPCC", hpcc).set(REPORTS),
        Case::new(TIMELY, "TIMELY", timely),
    ]
}

pub(crate) fn paper() -> Paper {
    Paper {
        id: "powertcp",
        title: "PowerTCP: Pushing the Performance Limits of Datacenter Networks",
        source: "Addanki, Michel and Schmid, NSDI, 2022",
        about: "The paper controls windows by power, the product of the arrival rate at a port and of the bytes on its link and in \
            its queue. It argues that the length of a queue alone, as in HPCC, and its growth alone, as in TIMELY, lead to slow \
            or excessive reactions.",
        experiments: vec![incast::small(), incast::large(), fairness::experiment()],
    }
}
