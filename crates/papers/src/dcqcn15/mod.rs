//! Zhu, Eran, Firestone and others, "Congestion control for large-scale RDMA deployments" (SIGCOMM 2015): its
//! micro-benchmarks.

mod choices;
mod single_bridge;
mod spreading;

use choices::{FRAME, MARKING, REPORTS};

use crate::prelude::*;

/// The link rate.
const LINE_RATE: f64 = 40e9;

/// The two kinds of control that are compared.
const CONTROLS: [(&str, &str); 2] = [("pfc", "PFC alone"), ("dcqcn", "PFC and DCQCN")];

const PARAMETERS: &str = "All links have 40 Gb/s, as in the paper (figure 2), and a delay of 0.5 us, which it does not give. \
    DCQCN has the parameters of the paper (section 5.2, figure 14), and the hyper increase of ns3-rdma, since the paper \
    gives none.";
const THRESHOLDS: &str = "The ports of a switch share a buffer of 12 MB. PFC pauses an input as soon as it holds more than \
    the free space, and releases it two MTUs below (section 4: β = 8; the reserved headroom is 22.4 kB for each of 32 \
    ports and 8 priorities).";

/// The part of a run in which rates are compared.
const STEADY: Window = MEASURED.until(END);

/// The points that the paper leaves open.
const CHOICES: [&Choice; 3] = [&REPORTS, &MARKING, &FRAME];

/// A case under PFC alone, or with DCQCN as well.
fn case(scenario: &'static str, (name, label): (&str, &str)) -> Case {
    let case = Case::new(name, label, scenario);
    if name == "pfc" { case.set("control=none") } else { case }
}

pub(crate) fn paper() -> Paper {
    Paper {
        id: "dcqcn15",
        title: "Congestion Control for Large-Scale RDMA Deployments",
        source: "Zhu, Eran, Firestone, Guo, Lipshteyn, Liron, Padhye, Raindel, Yahia and Zhang, SIGCOMM, 2015",
        about: "The paper shows that PFC alone treats flows unfairly and harms flows that cause no congestion, and presents \
            DCQCN, which makes pauses rare.",
        experiments: vec![
            single_bridge::convergence(),
            single_bridge::incast(),
            spreading::unfairness(),
            spreading::victim(),
        ],
    }
}

/// The share of time during which a port is paused, for any priority.
fn paused(run: &Run, port: &str) -> Option<f64> {
    run.mean_over(&run.port_series(port)?.paused_share, STEADY)
}

/// The mean rates of all flows whose names begin with a prefix.
fn rates_of(run: &Run, prefix: &str) -> Option<Vec<f64>> {
    let names = run.series.flows.iter().map(|flow| &*flow.name).filter(|name| name.starts_with(prefix));
    run.mean_rates(names, STEADY)
}
