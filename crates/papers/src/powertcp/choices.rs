//! The points that the text leaves open, and those in which it and the authors' simulator differ.

use crate::prelude::*;

/// η of PowerTCP, and the multiple of the base round-trip time of θ-PowerTCP.
pub(super) static TARGET: Choice = Choice {
    name: "target",
    question: "At which power does the window stay the same?",
    text: "Algorithms 1 and 2 divide power by that of a full link without a queue, and the window by the result. The simulator \
        also divides PowerTCP’s power by 95 % (U_TARGET), and that of θ-PowerTCP by 1.05.",
    why: "Section 3.4 derives the equilibrium, with a queue of one increment per flow, from the algorithms in the text.",
    options: &[
        reading(
            "text",
            "a target of full use",
            &["control.powertcp.rp.utilisation=\"100 %\"", "control.powertcp.rp.target_rtt=\"100 %\""],
        ),
        reading(
            "program",
            "targets of 95 % and of 1.05 round-trip times",
            &["control.powertcp.rp.utilisation=\"95 %\"", "control.powertcp.rp.target_rtt=\"105 %\""],
        ),
    ],
};

/// γ of θ-PowerTCP.
pub(super) static WEIGHT: Choice = Choice {
    name: "weight",
    question: "Which weight γ does a new window have under θ-PowerTCP?",
    text: "Section 4.1: “We set γ = 0.9 for PowerTCP and θ-PowerTCP.” The simulator has 0.9 for PowerTCP and 0.7 for θ-PowerTCP.",
    why: "The text names both algorithms.",
    options: &[
        reading("text", "γ of 0.9 for θ-PowerTCP", &["control.powertcp.rp.weight=\"90 %\""]),
        reading("program", "γ of 0.7 for θ-PowerTCP", &["control.powertcp.rp.weight=\"70 %\""]),
    ],
};

/// τ of θ-PowerTCP.
pub(super) static BASE_RTT: Choice = Choice {
    name: "base-rtt",
    question: "Which base round-trip time τ does θ-PowerTCP have?",
    text: "Section 4.1: “Both HPCC and PowerTCP are configured with base-RTT (τ) set to the maximum RTT in our topology”. Section \
        3.3: “If baseRTT is not precisely known, an alternative is to keep track of minimum observed RTT”. The simulator compares \
        delays with the smallest that was measured, and keeps the largest window of the network.",
    why: "The first sentence describes this evaluation. In the other option, windows follow the path’s round-trip time as well.",
    options: &[
        reading(
            "network",
            "the network’s largest τ for θ-PowerTCP",
            &["control.powertcp.rp.base_rtt=network"],
        ),
        reading("path", "the path’s τ for θ-PowerTCP", &["control.powertcp.rp.base_rtt=path"]),
    ],
};

/// β.
pub(super) static INCREASE: Choice = Choice {
    name: "increase",
    question: "How large is PowerTCP’s additive increase β?",
    text: "Section 3.3: β is HostBw τ/N, “where N is the expected number of flows sharing host NIC”; the text does not give N. The \
        simulator adds 150 Mb/s, which is N = 167 at 25 Gb/s.",
    why: "It is the only value that the authors give.",
    options: &[
        reading("program", "β of 150 Mb/s", &["control.powertcp.rp.increase=\"150 Mb/s\""]),
        reading("ten-flows", "β of 2.5 Gb/s, for N = 10", &["control.powertcp.rp.increase=\"2.5 Gb/s\""]),
    ],
};

/// HPCC's stages of additive increase.
pub(super) static STAGES: Choice = Choice {
    name: "max-stage",
    question: "How many windows of additive increase precede a change of HPCC’s window in proportion to the use (maxStage)?",
    text: "The text does not say. The configuration of the simulator sets MI_THRESH 5, the default of the HPCC simulator; HPCC’s \
        authors used 0 for the simulations in their paper.",
    why: "It is the authors’ configuration.",
    options: &[
        reading("five", "five stages of additive increase in HPCC", &["control.hpcc.rp.max_stage=5"]),
        reading("none", "no stages of additive increase in HPCC", &["control.hpcc.rp.max_stage=0"]),
    ],
};

/// TIMELY's window.
pub(super) static WINDOW: Choice = Choice {
    name: "timely-window",
    question: "Does TIMELY have a window?",
    text: "Section 4.1: “TIMELY parameters are set according to [41]”, the paper on TIMELY, which has none. The README of the \
        simulator starts the incast with `script-burst.sh yes no`, which gives a window to all algorithms.",
    why: "The text refers to the paper on TIMELY.",
    options: &[
        reading("none", "TIMELY without a window", &["control.timely.rp.window=none"]),
        reading(
            "rate",
            "TIMELY with a window",
            &["control.timely.rp.window=rate", "control.timely.np.frames=1"],
        ),
    ],
};
