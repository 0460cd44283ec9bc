//! Kabbani et al., "AF-QCN: approximate fairness with quantized congestion notification for multi-tenanted
//! data centers" (2010).

mod afd;
mod choices;
mod fig06;
mod fig08;
mod fig09;
mod fig10;
mod fig11;
mod fig13;
mod headlines;
mod remark1;
mod table1;

use crate::prelude::*;

/// The cases that are compared, with their names in tables.
const BOTH: [(&str, &str); 2] = [("qcn", "QCN"), ("af-qcn", "AF-QCN")];

/// The bottleneck port of the dumbbells.
const PORT: &str = "left->right";
/// The bottleneck queue of the dumbbells.
const QUEUE: &str = "left->right/3";

/// A flow gets its share if its mean rate is within 10 % of it.
const AT_SHARE: f64 = 0.1;

/// "As good as QCN": at most a quarter worse. Better is fine.
const AS_GOOD: Rule = Rule::Equivalent(f64::NEG_INFINITY, 1.25);

/// Four flows with their names in figures.
const FOUR: [(&str, &str); 4] = [("f1", "flow 1"), ("f2", "flow 2"), ("f3", "flow 3"), ("f4", "flow 4")];

pub(crate) fn paper() -> Paper {
    Paper {
        id: "af-qcn",
        title: "AF-QCN: Approximate Fairness with Quantized Congestion Notification for Multi-tenanted Data Centers",
        source: "Kabbani, Alizadeh, Yasuda, Pan and Prabhakar, IEEE Symposium on High Performance Interconnects, 2010",
        about: "QCN divides a link fairly only in the long run. A second controller at the congestion point measures \
                the arrival rate of each flow. It is meant to give flows their weighted shares within milliseconds \
                without making the queue less stable.",
        experiments: vec![
            fig06::short_lag(),
            fig06::long_lag(),
            fig08::experiment(),
            fig09::experiment(),
            fig10::experiment(),
            fig11::experiment(),
            table1::completion_times(),
            table1::long_flows(),
            fig13::experiment(),
            afd::experiment(),
            remark1::experiment(),
        ],
    }
}

/// The cases of a scenario with QCN and with AF-QCN.
fn both(scenario: &'static str) -> [Case; 2] {
    let [qcn, af_qcn] = BOTH.map(|(name, label)| Case::new(name, label, scenario));
    [qcn, af_qcn.set("control=af-qcn")]
}

/// Rates are judged once they have had time to converge.
const CONVERGED: Needs = Needs {
    part: "the time before rates are judged",
    window: START.until(START.plus(0.5)),
    least: 0.5,
    process: "convergence to the fair shares",
};

/// The largest relative deviation of a flow's mean rate from its share.
fn from_shares(run: &Run, shares: &[(&str, f64)], window: Window) -> Option<f64> {
    let rates = run.mean_rates(shares.iter().map(|(flow, _)| *flow), window)?;
    farthest(&rates, shares.iter().map(|(_, share)| *share))
}

/// In the runs of figure 6: the time from the link's return to 10 Gb/s until the flows together deliver 9.5 Gb/s for at
/// least 100 ms.
fn filling_time(run: &Run) -> Option<f64> {
    let rates: Vec<&[f64]> = FOUR.iter().map(|(flow, _)| run.rates(flow)).collect::<Option<_>>()?;
    let total: Vec<f64> = (0..rates[0].len()).map(|at| rates.iter().map(|rate| rate[at]).sum()).collect();
    run.settling(&total, change(2), 0.1, |rate| rate >= 9.5e9)
}

/// The delivery rates of flows with the first seed, one panel per case.
fn rate_panels(runs: &Runs, cases: &[(&str, &str)], flows: &[(&str, &str)]) -> Vec<Block> {
    let first = runs.first();
    let panel = |(case, title): &(&str, &str)| {
        panel::flow_rates(first.run(case), (&format!("rates-{case}"), title), flows)
    };
    panel::of_seed(first, cases.iter().map(panel))
}
