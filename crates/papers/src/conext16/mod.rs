//! Zhu, Ghobadi, Misra and Padhye, "ECN or delay: lessons learnt from analysis of DCQCN and TIMELY" (CoNEXT 2016).
//!
//! The authors published the LaTeX source, the data of the figures and the MATLAB programs. Claims about margins are
//! judged by the printed equations; the programs are an alternative reading.

mod agreement;
mod choices;
mod convergence;
mod fct;
mod fig03;
mod fig04;
mod fig11;
mod fig17;
mod fixed_point;
mod margins;
mod model;
mod packets;
mod pi;
mod published;
mod timely;
mod timely_packets;
mod unjudged;

use crate::prelude::*;

pub use margins::document as conext16_margins;

pub(crate) fn paper() -> Paper {
    Paper {
        id: "conext16",
        title: "ECN or Delay: Lessons Learnt from Analysis of DCQCN and TIMELY",
        source: "Zhu, Ghobadi, Misra and Padhye, CoNEXT, 2016",
        about: "The paper analyses fluid models of DCQCN and TIMELY: fixed points, stability, convergence and fairness. It \
            argues that marks are a better signal of congestion than delay.",
        experiments: vec![
            packets::agreement(),
            fixed_point::experiment(),
            fig03::experiment(),
            fig04::experiment(),
            packets::instability(),
            convergence::experiment(),
            timely_packets::agreement(),
            timely::original_experiment(),
            unjudged::bursts(),
            fig11::experiment(),
            timely::patched_experiment(),
            fct::experiment(),
            fig17::experiment(),
            pi::at_switch(),
            pi::at_hosts(),
            unjudged::jitter(),
        ],
    }
}
