//! The points that the paper leaves open, and those in which its text and its program differ.

use crate::prelude::*;

/// The marking of DCQCN in packet simulations.
pub(super) static MARKING: Choice = marking(&[
    reading("text", TEXT, &["control.dcqcn.cp.k_max=\"200 kB\"", "control.dcqcn.cp.p_max=\"1 %\""]),
    reading("program", PROGRAM, &["control.dcqcn.cp.k_max=\"2000 kB\"", "control.dcqcn.cp.p_max=\"10 %\""]),
]);

/// The same choice, for fluid models and margins.
pub(super) static MARKING_IN_MODEL: Choice = marking(&[measure("text", TEXT), measure("program", PROGRAM)]);

const TEXT: &str = "marking up to 200 kB and 1 %";
const PROGRAM: &str = "marking up to 2000 kB and 10 %";

const fn marking(options: &'static [Reading]) -> Choice {
    Choice {
        name: "marking",
        question: "Up to which queue length does DCQCN’s marking probability grow?",
        text: "Equation (3) marks every frame above Kmax. The caption of figure 3 gives Kmax = 200 kB, and section 3.2 \
            takes the parameters from the paper on DCQCN, which has Pmax = 1 %. The program of figure 4 \
            (fluidmodel/dcqcn/dcqcn2.m) sets 2000 kB and 10 %, next to comments that say 200 kB and 1 percent. The \
            line has nearly the same slope, but is ten times as long.",
        why: "200 kB is the value in the text, and the comments in the program agree with it.",
        options,
    }
}

/// The derivation of phase margins; this choice does not affect runs.
pub(super) static LINEARISATION: Choice = Choice {
    name: "linearisation",
    question: "How are the loops linearised?",
    text: "Section 3.3: “We first obtain the fixed point of the system, and linearize the model around the fixed \
        point.” It then approximates p* by equation (14), and appendix A uses “Taylor series to simplify the \
        expressions”. The programs that computed the margins (fluidmodel/dcqcn/stability.m and \
        fluidmodel/timely/stability_fixed_final.m) differ from the equations in further points.",
    why: "The claims are about the model that the equations define. The approximations are a means to compute it and \
        are not needed.",
    options: &[
        measure(EXACT, "exact derivatives at the exact fixed point"),
        measure(APPROXIMATE, "exact derivatives at the approximate fixed point"),
        measure(PUBLISHED_CODE, "the coefficients of the published program"),
    ],
};

/// Options of [`LINEARISATION`].
pub(super) const EXACT: &str = "exact";
pub(super) const APPROXIMATE: &str = "approximate";
pub(super) const PUBLISHED_CODE: &str = "published-code";

/// The notification point in packet simulations.
pub(super) static REPORTS: Choice = Choice {
    name: "notification-point",
    question: "When does the notification point report marks?",
    text: "Section 3.1: “if a marked packet arrives for a flow, and no CNP has been sent for this flow in last τ \
        microseconds, a CNP is generated immediately.” The simulator of the paper’s runs is based on ns3-rdma, which \
        polls every 50 µs.",
    why: "The sentence describes the protocol. Only a later version of the simulator shows that it polls.",
    options: &[
        reading("at-once", "notifications at once", &["control.dcqcn.np.reports=paced"]),
        reading("polled", "notifications polled every 50 µs", &["control.dcqcn.np.reports=polled"]),
    ],
};

/// The segments of the original TIMELY.
pub(super) static SEGMENT: Choice = Choice {
    name: "segment",
    question: "How long are the segments of the original TIMELY?",
    text: "Section 4.2: the implementation sends “chunks of 16 or 64KB”. Section 4.4, on patched TIMELY: “All other \
        TIMELY parameters remain the same except we set β=0.008 and Seg=16KB”. The program (timely-orig.m) sets 64 kB.",
    why: "Patched TIMELY differs from TIMELY in Seg = 16 kB, so the original has another value, which can only be \
        64 kB.",
    options: &[
        reading(KB_64, "TIMELY with segments of 64 kB", &["control.timely.np.bytes=\"64 kB\""]),
        reading("16-kb", "TIMELY with segments of 16 kB", &["control.timely.np.bytes=\"16 kB\""]),
    ],
};

/// An option of [`SEGMENT`].
pub(super) const KB_64: &str = "64-kb";

/// Hyper increase of the original TIMELY in packet simulations.
pub(super) static HYPER: Choice = Choice {
    name: "hyper-increase",
    question: "Does TIMELY have hyper increase in packet simulations?",
    text: "Section 5.1: “Both DCQCN and TIMELY used the default parameter settings recommended in” the papers on DCQCN and \
        TIMELY. Section 4.2 ignores hyper increase in the model “for simplicity”, and a footnote in section 4.3 says that \
        it “kicks in only after RTT > T_low”. The simulator of the same authors (ns3-rdma, branch timely) has none.",
    why: "The paper on TIMELY recommends it, and the footnote assumes it.",
    options: &[
        reading("with", "TIMELY with hyper increase", &["control.timely.rp.hyper=\"after-declines\""]),
        reading("without", "TIMELY without hyper increase", &["control.timely.rp.hyper=\"never\""]),
    ],
};

/// The first rate of a TIMELY flow.
pub(super) static FIRST_RATE: Choice = Choice {
    name: "first-rate",
    question: "At which rate does a TIMELY flow start?",
    text: "Section 4.1: “TIMELY flows do not start at line rate. If there are N active flows at a sender, a new flow starts \
        at rate C/(N+1).” The simulator of the same authors (ns3-rdma, branch timely) starts every flow at 1 Gb/s.",
    why: "At the highest load of figures 13 to 16, a sender offers 0.64 of 10 Gb/s, so that it mostly has no other flow, and \
        C/(N+1) is the line rate. Our first rate is constant.",
    options: &[
        reading("line-rate", "TIMELY flows that start at line rate", &[]),
        reading(
            "one-gigabit",
            "TIMELY flows that start at 1 Gb/s",
            &["control.timely.rp.first_rate=\"1 Gb/s\""],
        ),
    ],
};
