//! The algorithms that can be modelled, and choices in their equations.

use setpoint_control::{af_qcn, aimd, bcn, qcn, smcc};

use crate::{dcqcn, timely};

/// An algorithm with its parameters: those of the packet simulator, if it has the algorithm.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scheme {
    /// QCN: equations (9) to (13) of the Allerton paper.
    Qcn(qcn::Params),
    /// AF-QCN: QCN with separate feedback for every class.
    AfQcn(qcn::Params, af_qcn::Params),
    /// SMCC: equations (26) and (27) of its paper.
    Smcc(smcc::Params),
    /// BCN: equation (2) of the SMCC paper.
    Bcn(bcn::Params),
    /// AIMD with feedback of both signs, with or without the Averaging Principle.
    Aimd(aimd::Params),
    /// DCQCN: the equations of the CoNEXT paper, with marking by queue length or by a proportional-integral
    /// controller.
    Dcqcn(dcqcn::Params),
    /// DCQCN under the vendor's rules: our own equations.
    DcqcnVendor(dcqcn::Vendor),
    /// TIMELY and patched TIMELY: the equations of the CoNEXT paper.
    Timely(timely::Params),
}

/// Choices in the equations where the paper is ambiguous, or where the model can be closer either
/// to the paper or to packet networks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ModelOptions {
    /// The increase term of equation (10).
    pub increase: Increase,
    /// The effect of feedback without congestion in QCN.
    pub feedback: Feedback,
    /// The sampling probability of QCN.
    pub sampling: Sampling,
    /// The messages that set QCN's target rate.
    pub target: TargetUpdate,
}

/// The rates that the increase term of equation (10) uses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Increase {
    /// Current rates: the increase is clocked at the source.
    #[default]
    AtSource,
    /// Rates delayed by the loop delay, as the equation is printed.
    AsPrinted,
}

/// The effect of feedback without congestion.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Feedback {
    /// It raises the rate, just as feedback under congestion lowers it: equation (10) as printed, which is
    /// also the linearised form.
    #[default]
    BothSigns,
    /// None: QCN sends no message without congestion. The rate rises only through recovery and increase.
    CongestionOnly,
}

/// The sampling probability.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sampling {
    /// It follows the feedback by equation (13), and is lowest without congestion.
    #[default]
    FollowsFeedback,
    /// It follows the magnitude of the feedback, so that it also rises while the queue is short.
    FollowsMagnitude,
    /// It is always the probability for an uncongested queue, as in the linearisation.
    Constant,
}

/// The messages that set QCN's target rate to its current rate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TargetUpdate {
    /// Every message, as in equation (9).
    #[default]
    EveryMessage,
    /// A message after at least one cycle without messages: successive messages keep the target, as in extra
    /// fast recovery. Among messages, this has probability (1 - p)^B.
    AfterACycle,
}

impl Scheme {
    /// The algorithm's name in scenario files.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Qcn(_) => "qcn",
            Self::AfQcn(..) => "af-qcn",
            Self::Smcc(_) => "smcc",
            Self::Bcn(_) => "bcn",
            Self::Aimd(_) => "aimd",
            Self::Dcqcn(_) | Self::DcqcnVendor(_) => "dcqcn",
            Self::Timely(_) => "timely",
        }
    }
}
