//! The running network: its components, their parallel execution, and the observers of a run.
//!
//! * [`node`]: stations, bridges and links. They communicate with each other only through frames on links, and with other
//!   partitions through [messages](node::remote). Behaviour is in the folder of its component: [`station`](node::station)
//!   (sending, rate limiters, pauses), [`bridge`](node::bridge) (forwarding, queues, congestion points, flow control, and
//!   `cioq` with input buffers), [`receive`](node::receive) (arrivals at stations), [`multicast`](node::multicast) (copies).
//! * [`parallel`]: the plan of the partitions, and the windows in which threads process them.
//! * [`observe`]: time series, conservation, congestion trees, victims and deadlocks (the consequences of flow control,
//!   derived from the [`traces`](node::traces) that components record), and frames passed to an observer.
//!
//! [`Network`] runs its [`components`] from one item of the [`agenda`] to the next and applies [`changes`] and
//! [`failures`] of links during the run.

mod agenda;
mod build;
mod changes;
mod components;
mod dependents;
mod failures;
mod finish;
mod forecast;
mod memory;
mod node;
mod observe;
mod parallel;
mod run;

pub use build::point_id;
pub use forecast::memory_of;
pub(crate) use run::Network;
