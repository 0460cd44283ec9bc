//! The points that the paper leaves open.
//!
//! In figure 5 the sources switch to the set-up's version of QCN after the start, so the options change the
//! reaction points at that time. Elsewhere they apply from the start.

use crate::prelude::*;

/// The choices for figure 5.
pub(super) static FIGURE_5: [&Choice; 6] =
    [&SAMPLING, &OMITTED_AFTER_START, &TIMER, &OLD_QUEUE, &FLUID_START, &FLUID_SAMPLING];

/// The choices for other experiments with QCN.
pub(super) static ELSEWHERE: [&Choice; 3] = [&SAMPLING, &OMITTED, &OLD_QUEUE];

static SAMPLING: Choice = Choice {
    name: "sampling",
    question: "How does the simulated congestion point sample frames?",
    text: "Section II.A: a congestion point, “with a probability depending on the severity of congestion, randomly \
        samples an incoming packet”; figure 2, which is missing from our copy, shows the probability. Footnote 2: “The \
        actual implementation is slightly different; refer to [19] for details.”",
    why: "The packet runs simulate QCN itself and not its description in the paper, and the footnote refers to the \
        pseudo-code for the implementation.",
    options: &[
        reading("table", "the pseudo-code’s sampling intervals", &["control.qcn.cp.sampling=table"]),
        reading(
            "linear",
            "a sampling probability of 1 % to 10 % for each frame",
            &["control.qcn.cp.sampling=linear"],
        ),
        reading(
            "linear-interval",
            "sampling intervals equivalent to a probability of 1 % to 10 %",
            &["control.qcn.cp.sampling=linear-interval"],
        ),
    ],
};

static OMITTED: Choice = omitted(&[
    reading(
        "on",
        WITH_OMITTED,
        &["control.qcn.rp.extra_fast_recovery=on", "control.qcn.rp.target_reduction=on"],
    ),
    reading(
        "off",
        WITHOUT_OMITTED,
        &["control.qcn.rp.extra_fast_recovery=off", "control.qcn.rp.target_reduction=off"],
    ),
]);

/// The same choice, for sources that switch after the start.
static OMITTED_AFTER_START: Choice = omitted(&[
    reading("on", WITH_OMITTED, &["at.1.rp.extra_fast_recovery=on", "at.1.rp.target_reduction=on"]),
    reading("off", WITHOUT_OMITTED, &["at.1.rp.extra_fast_recovery=off", "at.1.rp.target_reduction=off"]),
]);

const WITH_OMITTED: &str = "extra fast recovery and target rate reduction";
const WITHOUT_OMITTED: &str = "neither extra fast recovery nor target rate reduction";

const fn omitted(options: &'static [Reading]) -> Choice {
    Choice {
        name: "omitted-features",
        question: "Does the simulated QCN have extra fast recovery and target rate reduction?",
        text: "Remark 3: “Other crucial features of the QCN algorithm (such as Extra Fast Recovery and Target Rate \
            Reduction) […] have been omitted here.” Section II.B: the model has “some features pertaining to the use \
            of the Timer and its transient evolution disabled”.",
        why: "The paper omits the two features from its description but calls them crucial. The only features that it \
            says are disabled belong to the timer.",
        options,
    }
}

static TIMER: Choice = Choice {
    name: "timer",
    question: "Do the sources that are compared with the model use the timer?",
    text: "Section II.B: the model “corresponds with a simplified version of QCN, with some features pertaining to the \
        use of the Timer and its transient evolution disabled”, and figure 5 compares it with simulations “for the \
        same scenarios”.",
    why: "Equations (9) and (10) have no timer, and “the same scenarios” implies the same features. Without the timer \
        there is no hyper-active increase.",
    options: &[
        reading("off", "no timer after the start", &["at.1.rp.timer=off"]),
        reading("on", "the timer", &["at.1.rp.timer=on"]),
    ],
};

static OLD_QUEUE: Choice = Choice {
    name: "old-queue",
    question: "From which queue length is growth measured?",
    text: "Section II.A: Qold is “the queue-size when the last feedback message was generated”. Equation (12) measures \
        growth over 1/p packets, which is the interval between two samples. Section II.A omits “a number of details \
        important for an exact implementation” and refers to the pseudo-code.",
    why: "Figure 5 compares the packet simulation with equation (12), and the pseudo-code agrees with the equation: a \
        sample without congestion triggers no message, but growth is measured from it.",
    options: &[
        reading(
            "last-sample",
            "queue growth since the last sample",
            &["control.qcn.cp.old_queue=last-sample"],
        ),
        reading(
            "last-feedback",
            "queue growth since the last message",
            &["control.qcn.cp.old_queue=last-feedback"],
        ),
    ],
};

/// The initial state of the fluid model; this choice does not affect the runs.
pub(super) static FLUID_START: Choice = Choice {
    name: "start",
    question: "Where does the fluid model start, and in which cells do we compare it?",
    text: "Section II, item 4: “Sources start at the line rate.” Section II.B: the “transient evolution” is disabled. \
        The paper does not say where the solutions in figure 5 start.",
    why: "The first quotation is the only statement about the start. By default we compare all cells in which the \
        linearised loop is stable.",
    options: &[
        reading("line-rate", "the model started at line rate", &[]),
        reading(NEAR_REST, "the model started near its equilibrium", &[]),
        reading(LINE_RATE_SETTLED, "the model started at line rate, compared only where it settles", &[]),
    ],
};

/// The sampling probability of the fluid model; this choice does not affect the runs.
pub(super) static FLUID_SAMPLING: Choice = Choice {
    name: "model-sampling",
    question: "Which sampling probability does the fluid model have without congestion?",
    text: "Equation (13): p follows Φ(Fb), “where Φ() is the function shown in Fig. 2”, and the caption of figure 2 has \
        the probability “as a function of |Fb|”. Section II.A: the probability depends “on the severity of \
        congestion”, and “When Fb < 0, Fig. 2 shows the probability”. In equation (12) Fb is positive under \
        congestion.",
    why: "Section II.A describes figure 2 for congestion only, and without congestion its severity is zero. Read \
        literally, equation (13) and the caption also raise the probability while the queue is short.",
    options: &[
        reading("one-sided", "a model with the lowest probability without congestion", &[]),
        reading(BY_MAGNITUDE, "a model with a probability that follows |Fb|", &[]),
    ],
};

/// An option of [`FLUID_SAMPLING`].
pub(super) const BY_MAGNITUDE: &str = "magnitude";

/// The measure of stability with and without averaging; this choice does not affect the runs.
pub(super) static STABILITY: Choice = Choice {
    name: "stability",
    question: "By which measure does averaging improve stability?",
    text: "Section I: averaging “dramatically improves the stability of the AIMD scheme”. Abstract: averaging is a \
        method “for making congestion control loops stable in the face of increasing lags”. Section II, requirement \
        (a): stable “means buffer occupancy processes should not fluctuate”.",
    why: "The abstract and section I present averaging as a remedy for increasing lags, so the improvement is in the \
        lag that a loop tolerates.",
    options: &[
        reading("lag", "stability as the longest tolerated lag", &[]),
        reading(AS_DEVIATION, "stability as a small queue deviation", &[]),
    ],
};

/// An option of [`STABILITY`].
pub(super) const AS_DEVIATION: &str = "deviation";

/// An option of [`FLUID_START`].
pub(super) const NEAR_REST: &str = "near-rest";
/// An option of [`FLUID_START`].
pub(super) const LINE_RATE_SETTLED: &str = "line-rate-settled";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::setup::Setup;

    #[test]
    fn every_set_up_can_be_prepared() {
        for experiment in super::super::paper().experiments {
            let Some(case) = experiment.cases.first() else { continue };
            for setup in Setup::all(&experiment.choices) {
                let prepared = setup.apply(case).prepare(1, 1.0);
                prepared.unwrap_or_else(|wrong| panic!("{} {setup}:\n{wrong}", experiment.id));
            }
        }
    }

    #[test]
    fn both_forms_of_a_choice_differ_only_in_their_settings() {
        let texts =
            |choice: &Choice| choice.options.iter().map(|one| (one.name, one.words)).collect::<Vec<_>>();
        assert_eq!(texts(&OMITTED), texts(&OMITTED_AFTER_START));
    }
}
