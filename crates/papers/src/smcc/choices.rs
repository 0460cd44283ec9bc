//! The points that the paper leaves open. The first option of each is the leading one.

use crate::prelude::*;

pub(super) static FEEDBACK: Choice = Choice {
    name: "feedback",
    question: "How finely is QCN’s feedback quantised?",
    text: "Section 5.1, on the hardware: “The feedback information is quantized into as many bit as possible and \
        located in the Ethernet Padding region”.",
    why: "The sentence describes the hardware used in these experiments, and the paper never mentions the standard’s \
        six bits.",
    options: &[
        reading("fine", "finely quantised feedback", &["control.qcn.cp.quantizer=fine"]),
        reading("six-bits", "six-bit feedback", &["control.qcn.cp.quantizer=standard"]),
    ],
};

pub(super) static SAMPLING: Choice = Choice {
    name: "sampling",
    question: "Which frames does a bridge sample?",
    text: "Section 2.2: the bridge samples “incoming packets periodically with probability p”. Section 4.5: “one \
        feedback packet is generated until 100 packets passing switch”. Section 5.1: “When the Sampling module hits \
        its target”.",
    why: "Sections 4.5 and 5.1 describe a counter, and section 2.2 calls sampling periodic.",
    options: &[
        reading(
            "counted",
            "one sample per 100 kB of arriving traffic",
            &["control.qcn.cp.sampling=regular", "control.smcc.cp.sampling=regular"],
        ),
        reading(
            "coin",
            "each frame sampled with a probability of 1 %",
            &[
                "control.qcn.cp.sampling=fixed",
                "control.qcn.cp.fixed_probability=1 %",
                "control.smcc.cp.sampling=fixed",
                "control.smcc.cp.fixed_probability=1 %",
            ],
        ),
    ],
};

pub(super) static R_A: Choice = Choice {
    name: "r-a",
    question: "Is R_a the largest rate change, or the range of rate changes?",
    text: "Section 5.2: “the maximum amount of the rate adjustment in a sampling interval is R_a, R_b, R_large and \
        R_small Mbps”. Section 5.4.2: “the maximum adjustment range of sending rate in a sampling interval is 256, \
        128, 64 Mbps”.",
    why: "Section 5.2 defines R_a for all experiments; section 5.4.2 only repeats it in a recommendation. The largest \
        offset is 64 kB on either side of the set point, so the range is twice the amount.",
    options: &[
        reading("amount", "R_a as the largest rate change", &["control.smcc.rp.reference=64 kB"]),
        reading(
            "range",
            "R_a as the range from the largest decrease to the largest increase",
            &["control.smcc.rp.reference=128 kB"],
        ),
    ],
};

pub(super) static LOOP_DELAY: Choice = Choice {
    name: "loop-delay",
    question: "How long after a notification arrives does the source change its rate?",
    text: "The paper gives no processing times. Section 2.1 mentions a propagation delay “within 3 μs”, and section \
        3.2 says “We neglect the delay”.",
    why: "We do not assume a delay that the paper neglects. In the other options the delay applies to both algorithms, \
        since section 5.1 builds both sources from the same project.",
    options: &[
        reading(
            "none",
            "sources that react at once",
            &["control.qcn.reaction_delay=0 s", "control.smcc.reaction_delay=0 s"],
        ),
        reading(
            "half-ms",
            "sources that react after 500 us",
            &["control.qcn.reaction_delay=500 us", "control.smcc.reaction_delay=500 us"],
        ),
        reading(
            "one-ms",
            "sources that react after 1 ms",
            &["control.qcn.reaction_delay=1 ms", "control.smcc.reaction_delay=1 ms"],
        ),
        reading(
            "two-ms",
            "sources that react after 2 ms",
            &["control.qcn.reaction_delay=2 ms", "control.smcc.reaction_delay=2 ms"],
        ),
        reading(
            "four-ms",
            "sources that react after 4 ms",
            &["control.qcn.reaction_delay=4 ms", "control.smcc.reaction_delay=4 ms"],
        ),
    ],
};

/// The background flow of figure 5.
pub(super) static BACKGROUND: Choice = Choice {
    name: "background",
    question: "How regular is the background traffic?",
    text: "Section 3.1: “an extra background flow of fixed sending speed 500 Mbps”. Section 5.2: the “sending rate is \
        always fixed”. The paper does not say how the frames are spaced.",
    why: "A fixed sending rate at a hardware packet generator means frames at equal intervals. In the other option \
        only the mean rate is fixed.",
    options: &[
        reading(
            "constant",
            "background frames at equal intervals",
            &["flows.2.traffic={ constant = { rate = \"500 Mb/s\" } }"],
        ),
        reading(
            "poisson",
            "background frames as a Poisson process",
            &[
                "flows.2.traffic={ poisson = { rate = \"500 Mb/s\", sizes = { fixed = { size = \"1000 B\" } } } }",
            ],
        ),
    ],
};

pub(super) static AMPLITUDE: Choice = Choice {
    name: "amplitude",
    question: "What is the amplitude of the oscillations?",
    text: "The paper does not define it. Section 5.3.3 speaks of “the aptitude of the oscillations of the queue \
        length in the steady state”.",
    why: "An amplitude is a distance. In the steady state a single excursion among many hundreds of samples should not \
        count.",
    options: &[
        measure("percentiles", "amplitudes from the 5th to the 95th percentile"),
        measure("extremes", "amplitudes from the lowest to the highest sample"),
        measure("deviation", "amplitudes as standard deviations"),
    ],
};

pub(super) static CHANGE: Choice = Choice {
    name: "change",
    question: "What are “almost unchanged”, “similar”, “slightly” and “heavily” relative to?",
    text: "Section 5.3.2: “the queue length almost keeps unchanged”, “oscillates slightly”, “oscillates heavily”. \
        Section 5.4.2: “The aptitude of the oscillations […] almost keeps unchanged”. Section 5.3.1 calls two curves \
        “similar”, and section 5.3.2 calls SMCC “insensitive to the change of parameters”.",
    why: "Section 5.3.2 describes the curve of the queue length, which is plotted on the scale of the set point, and \
        gives no ratio.",
    options: &[
        measure("parts-of-q0", "oscillations relative to the set point"),
        measure("ratio-to-before", "oscillations relative to those before the change"),
    ],
};

pub(super) static RATE_GRID: Choice = Choice {
    name: "rate-grid",
    question: "How finely can a source set its rate?",
    text: "Section 5.1: “The Packet Generator can send packets at a given speed”. The paper gives no step size.",
    why: "The paper mentions no step. The other option is a conjecture made after seeing the result: a step of 16 Mb/s \
        is the one that yields the paper’s 48 kB.",
    options: &[
        reading("none", "rates not rounded to steps", &["control.smcc.rp.rate_step=1 b/s"]),
        reading(
            "16-mbps",
            "rates in steps of 16 Mb/s (a conjecture made after seeing the result)",
            &["control.smcc.rp.rate_step=16 Mb/s"],
        ),
    ],
};

pub(super) static AUDIENCE: Choice = Choice {
    name: "audience",
    question: "Which sources does a notification reach?",
    text: "Section 5.1: the bridge generates the feedback packet “using the ports and addresses” of the sampled \
        packet. Section 4.2 argues that SMCC is fair because equation (25), in which r is the rate of every source, \
        “involves both additive increase phase and multiple decrease phase”.",
    why: "Section 5.1 describes the hardware. The argument in section 4.2 concerns a model in which all sources change \
        their rates together.",
    options: &[
        reading("sampled", "notifications to the sampled source", &["control.smcc.audience=sampled"]),
        reading("every-flow", "notifications to every source", &["control.smcc.audience=every-flow"]),
    ],
};
