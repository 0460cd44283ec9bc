//! Frames, timers and interfaces of the Linux kernel: the only module in the crate with unsafe code.
//!
//! | type | purpose |
//! |---|---|
//! | [`PacketSocket`] | receives and sends whole frames on an interface |
//! | [`Tap`] | exchanges frames with the programs on this machine |
//! | [`Poller`] | waits for frames or for an instant |
//! | [`Clock`] | reads the monotonic clock |
//! | [`enter_namespace`] | gives a thread its own network |
//! | [`quiet`] | turns off the offloads that change frames |
//! | [`Silence`] | keeps the kernel from answering ARP on a link |
//!
//! Nothing here blocks except [`Poller::wait`] and [`PacketSocket::await_link`]. All handles belong to the network
//! namespace of the thread that opened them.

mod clock;
mod error;
mod interface;
mod namespace;
mod offload;
mod packet;
mod poller;
mod request;
mod schedule;
mod sent;
mod silence;
mod tap;

pub use self::clock::Clock;
pub use self::error::SysError;
pub use self::interface::{LinkState, interfaces};
pub use self::namespace::{enter_namespace, thread_identifier};
pub use self::offload::quiet;
pub use self::packet::{LONGEST_FRAME, PacketSocket, Statistics};
pub use self::poller::{Poller, Token};
pub use self::schedule::{Core, CoreWait, Urgency, make_urgent, pin, thread_time};
pub use self::sent::{Sent, SentAll};
pub use self::silence::Silence;
pub use self::tap::Tap;
