//! Points that the paper leaves open.

use crate::prelude::*;

/// The sampling interval.
pub(super) static INTERVAL: Choice = Choice {
    name: "interval",
    question: "How many bytes arrive between two samples?",
    text: "Table I: “I_s (base sampling interval) 150 KB”, and section II-A: “standard QCN parameter settings [7]”. \
        But section III-B: “in response to the arrival of I_s bytes of payload [7]”, and section VI: “When I_s new \
        bytes have been received”.",
    why: "The list of parameters calls I_s a base interval, and the standard that it cites shortens the base interval \
        under congestion. The other passages do not say that the interval is constant.",
    options: &[
        reading("table", "sampling intervals from the standard’s table", &["control.qcn.cp.sampling=table"]),
        reading("fixed", "a sample every 150 kB", &["control.qcn.cp.sampling=regular"]),
    ],
};

/// The timer of the reaction points at 10 Gb/s.
pub(super) static TIMER: Choice = Choice {
    name: "timer",
    question: "How long is a timer cycle at 10 Gb/s?",
    text: "Section II-A: “standard QCN parameter settings [7]”, which means 15 ms. But section V, on the step to \
        100 Gb/s: “T (timer-reset cycle) from 10 to 2ms”.",
    why: "10 ms is a value that the paper gives for these very experiments.",
    options: &[
        reading("10-ms", "a timer of 10 ms", &["control.qcn.rp.time_reset=10 ms"]),
        reading("15-ms", "a timer of 15 ms", &["control.qcn.rp.time_reset=15 ms"]),
    ],
};

/// The instant at which a flow counts as throttled.
pub(super) static THROTTLED: Choice = Choice {
    name: "throttled",
    question: "When does a flow count as throttled?",
    text: "Section IV: “QCN at the switch outputs throttles the flow within 15ms”; it also mentions “the convergence \
        delay” and notifications “that stabilize the rate limiter”.",
    why: "Convergence and a stable limiter mean that the limit stays at its new value.",
    options: &[
        reading("stays", "throttling measured until the limit stays at the output’s rate", &[]),
        reading("first", "throttling measured until the limit first reaches the output’s rate", &[]),
    ],
};

/// The traffic offered by the two flows that share a station, at 10 Gb/s (figure 5).
pub(super) static CATCH_UP: Choice = catch_up(&[
    reading("no", "flows that do not catch up after a pause", &[]),
    Reading {
        name: "yes",
        words: "flows that catch up after a pause",
        // 3 and 7 Gb/s without preamble and gap.
        settings: &[
            "flows.1.traffic.constant.rate=2961089494 b/s",
            "flows.1.cap=10 Gb/s",
            "flows.6.traffic.constant.rate=6909208820 b/s",
            "flows.6.cap=10 Gb/s",
        ],
    },
]);

/// The same choice at 100 Gb/s (figure 7).
pub(super) static CATCH_UP_AT_100G: Choice = catch_up(&[
    reading("no", "flows that do not catch up after a pause", &[]),
    Reading {
        name: "yes",
        words: "flows that catch up after a pause",
        // 50 Gb/s without preamble and gap.
        settings: &[
            "flows.1.traffic.constant.rate=49351491569 b/s",
            "flows.1.cap=100 Gb/s",
            "flows.7.traffic.constant.rate=49351491569 b/s",
            "flows.7.cap=100 Gb/s",
        ],
    },
]);

const fn catch_up(options: &'static [Reading]) -> Choice {
    Choice {
        name: "catch-up",
        question: "Do flows with a given rate catch up after a pause?",
        text: "Section III-A: f1 sends “at a rate of 3 Gb/s” and f6 “at 7 Gb/s”; “flow f6 should stay at 7 Gb/s \
            throughout”. With PAUSE alone “the rates of the flows are indiscriminately modulated by PAUSE”. Section V: \
            f1 and f7 arrive “at 50 Gb/s each”.",
        why: "A flow that stays at 7 Gb/s never sends faster, and PAUSE modulates a rate only if the frames that were \
            not sent during a pause are not sent after it. In the other reading, an application hands over frames at \
            a constant rate. They wait during a pause and then leave as fast as the port and the limiter allow.",
        options,
    }
}

/// The probability with which random occupancy sampling selects a flow.
pub(super) static READS: Choice = Choice {
    name: "reads",
    question: "How many buffer units does random occupancy sampling read at a time?",
    text: "Section III-B selects a flow with probability q_n(t)/q(t), by “randomly picking one occupied buffer slot”. \
        Section VI, on the chip: “a single read gives information on 16 buffer units”.",
    why: "Section III-B defines the simulated scheme; one unit per read gives its probability exactly. Section VI \
        describes the hardware.",
    options: &[
        reading("one", "one buffer unit per read", &["control.qcn.words_per_read=1"]),
        reading("sixteen", "16 buffer units per read", &["control.qcn.words_per_read=16"]),
    ],
};
