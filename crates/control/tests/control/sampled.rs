//! Congestion points that notify at most the source of the sampled frame.

use crate::told::Told;
use setpoint_control::{Arrival, Entropy, Notification, Observe};

pub(crate) trait Sampled {
    /// Passes a frame to the point. Returns the notification that it causes, if any.
    fn sampled(&mut self, arrival: Arrival, entropy: &mut dyn Entropy) -> Option<Notification>;
}

impl<P: Observe> Sampled for P {
    fn sampled(&mut self, arrival: Arrival, entropy: &mut dyn Entropy) -> Option<Notification> {
        let mut outbox = Told::default();
        self.on_enqueue(&arrival, entropy, &mut outbox);
        assert!(outbox.len() <= 1, "{outbox:?}");
        outbox.pop().map(|(to, notification)| {
            assert_eq!(to, arrival.flow);
            notification
        })
    }
}
