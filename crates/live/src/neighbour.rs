//! LLDP announcements of a port and of its neighbour, and the defence that follows from them.
//!
//! A priority under congestion notification is defended against neighbours that do not take part in it (IEEE 802.1Q,
//! clause 32.1). Frames that arrive from such a neighbour with this priority are assigned another one. The CN-TAG,
//! which the neighbour does not understand, is removed from outgoing frames.

use setpoint_units::{Time, TimeDelta};
use setpoint_wire::lldp::{CongestionTlv, PfcTlv};
use setpoint_wire::{Announcement, Conventions, Frame, MacAddress, Priority, PrioritySet};

/// How a port treats the priorities under congestion notification.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Defence {
    /// Follows the neighbour's announcements: [`Defence::Edge`] without one, [`Defence::Interior`] if the neighbour takes
    /// part, [`Defence::InteriorReady`] once the neighbour is ready, too.
    #[default]
    Automatic,
    /// The neighbour does not take part: arriving frames are assigned the alternate priority, and the CN-TAG is
    /// removed from outgoing frames.
    Edge,
    /// The neighbour takes part, but may not yet understand CN-TAGs, which are removed from outgoing frames.
    Interior,
    /// The neighbour takes part: frames keep their priority and CN-TAG.
    InteriorReady,
}

/// A port's side of the protocol.
#[derive(Clone, Debug)]
pub struct Neighbour {
    address: MacAddress,
    /// The name of the port.
    name: String,
    defence: Defence,
    managed: PrioritySet,
    lossless: PrioritySet,
    interval: TimeDelta,
    next: Time,
    heard: Option<Heard>,
}

/// The last announcement from the neighbour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Heard {
    /// The address of the neighbour.
    pub chassis: MacAddress,
    /// The time at which the announcement expires.
    pub until: Time,
    /// The priorities with congestion notification.
    pub managed: PrioritySet,
    /// The priorities for which the neighbour is ready.
    pub ready: PrioritySet,
    /// The priorities with PFC.
    pub lossless: PrioritySet,
}

/// The settings of a port for its announcements and its defence.
#[derive(Clone, Debug)]
pub struct Profile {
    /// The port's address.
    pub address: MacAddress,
    /// The port's name.
    pub name: String,
    /// How it treats priorities under congestion notification.
    pub defence: Defence,
    /// The priorities under congestion notification.
    pub managed: PrioritySet,
    /// The priorities with PFC.
    pub lossless: PrioritySet,
    /// The time between two announcements.
    pub interval: TimeDelta,
}

impl Neighbour {
    /// A port that has received no announcement yet, and whose own first announcement is due immediately.
    pub fn new(profile: Profile) -> Self {
        let Profile { address, name, defence, managed, lossless, interval } = profile;
        Self { address, name, defence, managed, lossless, interval, next: Time::ZERO, heard: None }
    }

    /// The time at which the next announcement is due.
    pub fn due(&self) -> Time {
        self.next
    }

    /// The last announcement from the neighbour, if it is still valid.
    pub fn heard(&self, now: Time) -> Option<&Heard> {
        self.heard.as_ref().filter(|heard| now < heard.until)
    }

    /// Replaces the profile. The next announcement is due immediately.
    pub fn set_profile(&mut self, profile: Profile) {
        let heard = self.heard.take();
        *self = Self { heard, ..Self::new(profile) };
    }

    /// Handles an announcement. The first one, and any that differs from the last one, is answered immediately.
    pub fn on_announcement(&mut self, now: Time, announcement: &Announcement<'_>) {
        let congestion = announcement.congestion.unwrap_or_default();
        let heard = Heard {
            chassis: announcement.chassis,
            until: now + TimeDelta::from_secs(announcement.seconds_to_live.into()),
            managed: congestion.managed,
            ready: congestion.ready,
            lossless: announcement.pfc.unwrap_or_default().enabled,
        };
        let same = |old: &Heard| Heard { until: heard.until, ..*old } == heard;
        if !self.heard(now).is_some_and(same) {
            self.next = self.next.min(now);
        }
        self.heard = Some(heard);
    }

    /// The announcement that is due, as a frame.
    pub fn announce<'a>(&mut self, now: Time, buffer: &'a mut [u8]) -> Option<&'a [u8]> {
        if now < self.next {
            return None;
        }
        self.next = now + self.interval;
        let ready = self.managed.0 & self.heard(now).map_or(0, |heard| heard.managed.0);
        let announcement = Announcement {
            chassis: self.address,
            port: self.name.as_bytes(),
            seconds_to_live: (self.interval.as_picos() * 4 / 1_000_000_000_000).clamp(1, 65_535) as u16,
            congestion: Some(CongestionTlv { managed: self.managed, ready: PrioritySet(ready) }),
            pfc: Some(PfcTlv { willing: false, macsec_bypass: false, capability: 8, enabled: self.lossless }),
        };
        Frame::lldp(self.address, announcement).encode(&Conventions::default(), buffer).ok()
    }

    /// The defence in effect for a priority; `None` if the priority is not under congestion notification.
    pub fn defence(&self, now: Time, priority: Priority) -> Option<Defence> {
        if !self.managed.contains(priority) {
            return None;
        }
        Some(match (self.defence, self.heard(now)) {
            (Defence::Automatic, Some(heard)) if heard.ready.contains(priority) => Defence::InteriorReady,
            (Defence::Automatic, Some(heard)) if heard.managed.contains(priority) => Defence::Interior,
            (Defence::Automatic, _) => Defence::Edge,
            (chosen, _) => chosen,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use setpoint_wire::Content;

    fn side(last: u8) -> Neighbour {
        Neighbour::new(Profile {
            address: MacAddress([2, 0, 0, 0, 0, last]),
            name: format!("p{last}"),
            defence: Defence::Automatic,
            managed: PrioritySet(0b1000),
            lossless: PrioritySet(0b1000),
            interval: TimeDelta::from_secs(30),
        })
    }

    fn tell(now: Time, from: &mut Neighbour, to: &mut Neighbour) {
        let mut buffer = [0; 512];
        let Some(frame) = from.announce(now, &mut buffer) else { return };
        let frame = Frame::parse(frame, &Conventions::default()).unwrap();
        let Content::Lldp(announcement) = frame.content else { panic!("{frame:?}") };
        to.on_announcement(now, &announcement);
    }

    /// Two neighbours are ready for each other after three announcements, without waiting for an announcement interval.
    #[test]
    fn neighbours_become_ready_at_once() {
        let (mut one, mut other) = (side(1), side(2));
        let (now, three) = (Time::ZERO, Priority::new(3).unwrap());
        assert_eq!(one.defence(now, three), Some(Defence::Edge));
        assert_eq!(one.defence(now, Priority::new(0).unwrap()), None);
        tell(now, &mut one, &mut other);
        assert_eq!(other.defence(now, three), Some(Defence::Interior));
        tell(now, &mut other, &mut one);
        assert_eq!(one.defence(now, three), Some(Defence::InteriorReady));
        tell(now, &mut one, &mut other);
        assert_eq!(other.defence(now, three), Some(Defence::InteriorReady));
        assert!(one.due() > now, "nothing changed: the next announcement waits for its interval");
    }

    #[test]
    fn an_announcement_expires() {
        let (mut one, mut other) = (side(1), side(2));
        tell(Time::ZERO, &mut one, &mut other);
        let three = Priority::new(3).unwrap();
        let later = Time::ZERO + TimeDelta::from_secs(121);
        assert_eq!(other.defence(later, three), Some(Defence::Edge));
    }
}
