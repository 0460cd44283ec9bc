//! Zhu, Eran, Firestone and others, "Congestion control for large-scale RDMA deployments" (SIGCOMM 2015): its
//! micro-benchmarks.
//!
//! The text of the paper was not available. Set-ups and claims are taken from memory and from later papers; they
//! could not be checked against the text, and the sections of the claims are unknown.

mod single_bridge;
mod spreading;

use crate::prelude::*;

/// Where the claims are made.
const PLACE: Origin = at("from memory, unverified");

/// The link rate.
const LINE_RATE: f64 = 40e9;

/// The two kinds of control that are compared.
const CONTROLS: [(&str, &str); 2] = [("pfc", "PFC alone"), ("dcqcn", "PFC and DCQCN")];

const UNVERIFIED: &str = "The paper’s text was not available to us. The set-up and the claims are given from memory and \
    from later papers, and none of them could be verified.";
const PARAMETERS: &str = "All links have 40 Gb/s and a delay of 0.5 us, frames 1000 B. DCQCN has the parameters of the \
    CoNEXT paper for 40 Gb/s. PFC pauses an input when it holds 110 kB, the default of the simulator; the paper’s \
    switches had dynamic thresholds, and its marking began well below them, as here.";

/// The part of a run in which rates are compared.
const STEADY: Window = MEASURED.until(END);

/// A case under PFC alone, or with DCQCN as well.
fn case(scenario: &'static str, (name, label): (&str, &str)) -> Case {
    let case = Case::new(name, label, scenario);
    if name == "pfc" { case.set("control=none") } else { case }
}

pub(crate) fn paper() -> Paper {
    Paper {
        id: "dcqcn15",
        title: "Congestion Control for Large-Scale RDMA Deployments",
        source: "Zhu, Eran, Firestone, Guo, Lipshteyn, Liron, Padhye, Raindel, Yahia and Zhang, SIGCOMM, 2015; its text \
            was not available to us",
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
