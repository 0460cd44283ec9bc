//! Li, Miao, Liu and others, "HPCC: high precision congestion control" (SIGCOMM 2019).
//!
//! The text of the paper was not available. Its claims are taken from memory, from the authors' page with complete results
//! (hpcc-group.github.io, `results.md`), whose text and curves we read, and from reports of readers to the authors' simulator.
//! The set-ups are those of the simulator (github.com/alibaba-edu/High-Precision-Congestion-Control, commit 9f4be2a9).

mod choices;
mod fat_tree;
mod reactions;
mod slowdown;
mod trade_offs;

use crate::prelude::*;

const UNVERIFIED: &str = "The paper’s text was not available to us. Claims whose place is marked as unverified are from memory. \
    The others are from the authors’ page with complete results or from the issues of their simulator.";
const WIRE: &str = "A frame has 1000 B of data and 48 B of headers, with HPCC also 42 B of reports; an acknowledgement has 60 B, \
    with HPCC also 42 B. Every frame is acknowledged. Queues and windows count only the data. HPCC and DCQCN with a window send \
    acknowledgements in the queues of the data, the others with a higher priority, as run.py does.";
const BUFFER: &str = "The ports of a bridge share a buffer, and an input is paused when it uses more than an eighth of the free \
    buffer. In the simulator, this factor grows with the rate of the port, up to one half at 400 Gb/s. Headroom is as much as our \
    links need; the simulator’s lacks the terms for whole frames (its issue 15).";

pub(crate) fn paper() -> Paper {
    Paper {
        id: "hpcc",
        title: "HPCC: High Precision Congestion Control",
        source: "Li, Miao, Liu, Zhuang, Feng, Tang, Cao, Zhang, Kelly, Alizadeh and Yu, SIGCOMM, 2019; its text was not \
            available to us",
        about: "The paper controls windows by the queues and loads that bridges report in frames. It argues that DCQCN has to \
            trade stability for throughput and latency for bandwidth, and shows shorter completion times and hardly any \
            pauses.",
        experiments: vec![
            trade_offs::timers(),
            trade_offs::thresholds(),
            fat_tree::with_incast(),
            fat_tree::at_half_load(),
            reactions::experiment(),
        ],
    }
}
