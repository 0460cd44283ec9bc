//! The phase plane of the SMCC paper: the joint motion of a queue and the rates that feed it.
//!
//! A [`Plane`] has two coordinates, both zero where the queue is steady at its set point:
//!
//! ```text
//! x = q - q0        offset of the queue, in bytes
//! y = N r - A       excess of the rates over the available bandwidth, in bytes of frames per second    (16)
//! x' = y            within the bounds of the queue                                                     (12)
//! ```
//!
//! An algorithm is then a formula for y'. An algorithm with several states has several formulas, with
//! [lines](Line) between them. The motion crosses such a line or, if the motion on both sides leads to it,
//! slides along it ([`Plane::sliding_segments`], theorem 1). [`Plane::trajectory`] follows the motion, with
//! immediate or delayed [switching](Switching). [`Theorem2`] is the paper's condition for QCN;
//! [`Coefficients`] covers theorem 3 and the deal-breaker for SMCC.
//!
//! Source: Jiang, Ren, Shu, Wu and Lin, "Sliding mode congestion control for data center Ethernet networks",
//! IEEE Transactions on Computers 64 (9), 2015. Equations, theorems and remarks are numbered as there.
//!
//! # Interpretation of the paper and departures from it
//!
//! * **Bandwidth.** The paper has only C. Here A is the part of the link that constant-rate traffic leaves
//!   free, which is C in (12). The interval between samples is 1/(pC) with the whole link, since every frame
//!   counts towards a sample. A controlled source receives a sample only if one of its own frames is sampled;
//!   all controlled sources together receive pA samples per second.
//! * **Time.** The gains of (15) and (26) are per message and have no unit of time in the paper. Here they
//!   are multiplied by the rate at which messages are received: see [`Notifications`] and [`Coefficients`].
//! * **Feedback** is not quantised, and the sampling probability is the one for an uncongested queue.
//! * **Sign.** The feedback F = x + w x'/(pC) is positive under congestion: it is minus (14).
//! * **Bounds.** The queue is held at zero and at its buffer, and a rate at its minimum and its maximum. A held
//!   queue does not change, and the difference in its feedback is zero.
//! * **Delay** is the switching delay only (section 2.3, figure 4); propagation is neglected, as in (12).
//! * Starts and stops are not modelled: the plane describes the end of the scenario, with the last capacity
//!   and the sources that never stop, which are treated as identical.

mod bounds;
mod build;
mod dynamics;
mod line;
mod linear_feedback;
mod memory;
mod options;
mod plane;
mod qcn;
mod segments;
mod smcc;
mod theorem2;
mod theorem3;
mod trajectory;
mod walk;

pub use bounds::Window;
pub use build::NoPlane;
pub use line::Line;
pub use options::{Decrease, Notifications, PlaneOptions, RecoveryTarget};
pub use plane::{Plane, Start};
pub use segments::Segment;
pub use theorem2::Theorem2;
pub use theorem3::{Coefficients, Settling};
pub use trajectory::{Switching, Trajectory};
