//! What is modelled, and in which reading.

use setpoint_control::{af_qcn, aimd, bcn, qcn, smcc};

/// An algorithm with its parameters, those of the packet simulator.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scheme {
    /// QCN: equations (9) to (13) of the Allerton paper.
    Qcn(qcn::Params),
    /// AF-QCN: QCN with a feedback of its own for every class.
    AfQcn(qcn::Params, af_qcn::Params),
    /// SMCC: equations (26) and (27) of its paper.
    Smcc(smcc::Params),
    /// BCN: equation (2) of the SMCC paper.
    Bcn(bcn::Params),
    /// AIMD with feedback of both signs, with or without the Averaging Principle.
    Aimd(aimd::Params),
}

/// How equations are read where their source can be read in two ways, or where the model can be nearer to the
/// source or nearer to packets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ModelOptions {
    /// The increase term of equation (10).
    pub increase: Increase,
    /// What feedback without congestion does in QCN.
    pub feedback: Feedback,
    /// The sampling probability of QCN.
    pub sampling: Sampling,
    /// Which messages set QCN's target.
    pub target: TargetUpdate,
}

/// Which rates the increase term of equation (10) looks at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Increase {
    /// Those of now: the increase is clocked at the source.
    #[default]
    AtSource,
    /// Those a loop's delay ago, as the equation is printed.
    AsPrinted,
}

/// What feedback without congestion does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Feedback {
    /// It raises the rate as congestion would lower it: equation (10) by the letter, which is what is linearised.
    #[default]
    BothSigns,
    /// Nothing: QCN sends no message then. The rate rises by recovery and increase alone.
    CongestionOnly,
}

/// The sampling probability.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sampling {
    /// It follows the feedback by equation (13).
    #[default]
    FollowsFeedback,
    /// It is that of an uncongested queue, always: what is linearised.
    Constant,
}

/// Which messages set the target of QCN to its rate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TargetUpdate {
    /// Every message, as in equation (9).
    #[default]
    EveryMessage,
    /// A message after at least one cycle without any: those in a row keep the target, as extra fast recovery has it. Its
    /// chance among messages is (1 - p)^B.
    AfterACycle,
}

impl Scheme {
    /// The algorithm's name, as scenario files have it.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Qcn(_) => "qcn",
            Self::AfQcn(..) => "af-qcn",
            Self::Smcc(_) => "smcc",
            Self::Bcn(_) => "bcn",
            Self::Aimd(_) => "aimd",
        }
    }
}
