//! Zhu, Eran, Firestone and others, "Congestion control for large-scale RDMA deployments" (SIGCOMM 2015): its
//! micro-benchmarks.
//!
//! Set-ups and claims were written from memory and from later papers, and were compared with the text of the paper
//! afterwards. The assumptions of each experiment name the sections and list the differences.

mod single_bridge;
mod spreading;

use crate::prelude::*;

/// Where the claims are made, as in the stored verdicts, which are older than the comparison with the text.
const PLACE: Origin = at("from memory, unverified");

/// The link rate.
const LINE_RATE: f64 = 40e9;

/// The two kinds of control that are compared.
const CONTROLS: [(&str, &str); 2] = [("pfc", "PFC alone"), ("dcqcn", "PFC and DCQCN")];

const MEMORY: &str =
    "The set-up and the claims were written from memory, before we compared them with the paper’s text.";
const PARAMETERS: &str = "All links have 40 Gb/s, as in the paper (figure 2), and a delay of 0.5 us, which it does not give. \
    Frames have 1000 B; the paper mentions 1500 B (section 4). DCQCN has the parameters of the paper (section 5.2, \
    figure 14), and the hyper increase of ns3-rdma, since the paper gives none. PFC pauses an input when it holds \
    110 kB, the default of the simulator. The paper’s switches share 12 MB among their ports with dynamic thresholds \
    (section 4: β = 8); marking begins well below them, as here.";

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
