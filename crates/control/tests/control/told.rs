//! An outbox for algorithms that never stop a source.

use std::ops::{Deref, DerefMut};

use setpoint_control::{FlowKey, Notification, Outbox, Signal};

/// The notifications that a congestion point has sent.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Told(Vec<(FlowKey, Notification)>);

impl Outbox for Told {
    fn send(&mut self, to: FlowKey, signal: Signal) {
        self.0.push((to, signal.notification().expect("only BCN stops sources")));
    }
}

impl Deref for Told {
    type Target = Vec<(FlowKey, Notification)>;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl DerefMut for Told {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.0
    }
}
