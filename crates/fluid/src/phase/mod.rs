//! The phase plane of the SMCC paper: what a queue and the rates that feed it do to each other.
//!
//! A [`Plane`] has two coordinates, both zero where the queue is steady at its set point:
//!
//! ```text
//! x = q - q0        offset of the queue, in bytes
//! y = N r - A       excess of the rates over the bandwidth there is for them, in bytes of frames per second    (16)
//! x' = y            within the bounds of the queue                                                             (12)
//! ```
//!
//! so that an algorithm is a formula for y', and one that behaves differently in different states is several
//! formulas with [lines](Line) between them. On such a line the motion crosses or, where both sides lead to it,
//! slides along it ([`Plane::sliding_segments`], theorem 1). [`Plane::trajectory`] follows the motion, with
//! [switching](Switching) at once or after a delay; [`Theorem2`] is the paper's condition for QCN,
//! [`Coefficients`] has theorem 3 and the deal-breaker for SMCC.
//!
//! Source: Jiang, Ren, Shu, Wu and Lin, "Sliding mode congestion control for data center Ethernet networks", IEEE
//! Transactions on Computers 64 (9), 2015. Equations, theorems and remarks are numbered as there.
//!
//! # Where the paper is read, and where it is left
//!
//! * **Bandwidth.** The paper has one C. Here A is what constant-rate traffic leaves of the link, which is C in
//!   (12); the interval between samples is 1/(pC) with the whole link, since every frame counts towards a sample;
//!   and a sample is heard by a controlled source only if it hits one of its frames, pA times a second.
//! * **Time.** The gains of (15) and (26) are per message and have no unit of time in the paper. Here they are
//!   multiplied by how often a message is heard: see [`Notifications`] and [`Coefficients`].
//! * **Feedback** is not quantised, and the probability of sampling is that of an uncongested queue.
//! * **Sign.** The feedback F = x + w x'/(pC) is positive where there is congestion: it is minus (14).
//! * **Bounds.** A queue is held at zero and at its buffer, a rate at its least and at its largest. While the
//!   queue is held it does not change, and feedback sees a difference of zero.
//! * **Delay** is that of switching alone (section 2.3, figure 4); propagation is neglected, as in (12).
//! * Times of joining and leaving are left out: the plane is that of the end, with the last capacity and the sources
//!   that never stop, all of which are taken to be alike.

mod bounds;
mod build;
mod dynamics;
mod line;
mod linear_feedback;
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
