//! The pauses that the neighbour of a port has requested, and a watchdog against pause storms.
//!
//! A pause ends when its time expires or when the neighbour ends it. A neighbour that is broken or hostile could
//! renew its pauses forever. If a priority has been paused without interruption for the watchdog's timeout, its
//! pauses are ignored for the same time.

use setpoint_units::{Rate, Time, TimeDelta};
use setpoint_wire::{Pause, Pfc, Priority};

/// The bit times in one quantum of a pause.
const QUANTUM_BITS: u64 = 512;

/// The time for which a pause of this many quanta stops a port.
pub fn pause_time(quanta: u16, rate: Rate) -> TimeDelta {
    let bits = u128::from(quanta) * u128::from(QUANTUM_BITS) * 1_000_000_000_000;
    TimeDelta::from_picos((bits / u128::from(rate.bits_per_second())) as u64)
}

/// The pauses of a port.
#[derive(Clone, Debug)]
pub struct Pauses {
    priorities: [Paused; 8],
    patience: TimeDelta,
    /// The time since which at least one priority has been paused.
    since: Option<Time>,
    /// The total time with at least one paused priority, excluding the current pause.
    total: TimeDelta,
    /// The number of pauses that have begun.
    pub begun: u64,
    /// The number of pause storms that the watchdog has ended.
    pub storms: u64,
}

#[derive(Clone, Copy, Debug, Default)]
struct Paused {
    /// The end of the current or the last pause.
    until: Time,
    /// The start of the current pause.
    since: Option<Time>,
    /// The time until which pauses are ignored.
    deaf_until: Time,
}

impl Pauses {
    /// A port without pauses. `patience` is the watchdog's timeout.
    pub fn new(patience: TimeDelta) -> Self {
        Self {
            priorities: [Paused::default(); 8],
            patience,
            since: None,
            total: TimeDelta::ZERO,
            begun: 0,
            storms: 0,
        }
    }

    /// Handles a PFC frame, at a port with the given rate.
    pub fn on_pfc(&mut self, now: Time, pfc: &Pfc, rate: Rate) {
        self.expire(now);
        for priority in Priority::ALL {
            if let Some(quanta) = pfc.quanta(priority) {
                self.set(now, priority, pause_time(quanta, rate));
            }
        }
        self.account(now);
    }

    /// Handles a PAUSE frame, which stops all priorities.
    pub fn on_pause(&mut self, now: Time, pause: Pause, rate: Rate) {
        self.expire(now);
        for priority in Priority::ALL {
            self.set(now, priority, pause_time(pause.quanta, rate));
        }
        self.account(now);
    }

    fn set(&mut self, now: Time, priority: Priority, span: TimeDelta) {
        let entry = &mut self.priorities[usize::from(priority.number())];
        if span.is_zero() {
            entry.until = entry.until.min(now);
            entry.since = None;
        } else if now >= entry.deaf_until {
            self.begun += u64::from(entry.since.is_none());
            entry.since.get_or_insert(now);
            entry.until = now + span;
        }
    }

    /// Ends pauses that have expired or have exceeded the watchdog's timeout.
    pub fn expire(&mut self, now: Time) {
        for entry in &mut self.priorities {
            let Some(since) = entry.since else { continue };
            let bark = since + self.patience;
            if bark <= now && bark < entry.until {
                self.storms += 1;
                entry.until = bark;
                entry.deaf_until = bark + self.patience;
            }
            if entry.until <= now {
                entry.since = None;
            }
        }
        self.account(now);
    }

    fn account(&mut self, now: Time) {
        match (self.since, self.priorities.iter().any(|entry| entry.since.is_some())) {
            (None, true) => self.since = Some(now),
            (Some(since), false) => {
                // A pause that expired by itself may have ended before this call.
                let end = self.priorities.iter().map(|entry| entry.until).max().unwrap_or(now).min(now);
                self.total += end.saturating_since(since);
                self.since = None;
            }
            _ => {}
        }
    }

    /// The time at which a priority may send: in the past if it may send now.
    pub fn ready(&self, priority: Priority) -> Time {
        let entry = &self.priorities[usize::from(priority.number())];
        match entry.since {
            Some(since) => entry.until.min(since + self.patience),
            None => entry.until,
        }
    }

    /// Whether any priority is paused.
    pub fn is_paused(&self) -> bool {
        self.since.is_some()
    }

    /// The total time until now with at least one paused priority.
    pub fn total(&self, now: Time) -> TimeDelta {
        self.total + self.since.map_or(TimeDelta::ZERO, |since| now.saturating_since(since))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RATE: Rate = Rate::from_mbps(100);

    fn at(millis: u64) -> Time {
        Time::ZERO + TimeDelta::from_millis(millis)
    }

    fn three() -> Priority {
        Priority::new(3).unwrap()
    }

    fn stop(quanta: u16) -> Pfc {
        let mut times = [0; 8];
        times[3] = quanta;
        Pfc { enabled: [three()].into_iter().collect(), times }
    }

    #[test]
    fn a_quantum_is_512_bit_times() {
        assert_eq!(pause_time(1, Rate::from_gbps(10)), TimeDelta::from_picos(51_200));
        assert_eq!(pause_time(65_535, RATE), TimeDelta::from_nanos(335_539_200));
    }

    #[test]
    fn a_pause_ends_by_itself_or_by_a_frame() {
        let mut pauses = Pauses::new(TimeDelta::from_secs(1));
        pauses.on_pfc(at(0), &stop(65_535), RATE);
        assert!(pauses.ready(three()) > at(335) && pauses.is_paused());
        pauses.on_pfc(at(10), &stop(0), RATE);
        assert_eq!(pauses.ready(three()), at(10));
        pauses.on_pfc(at(20), &stop(1_953), RATE);
        pauses.expire(at(40));
        assert!(!pauses.is_paused() && pauses.ready(three()) < at(30));
        assert_eq!(pauses.begun, 2);
        let total = pauses.total(at(100));
        assert!(total > TimeDelta::from_millis(19) && total < TimeDelta::from_millis(21), "{total}");
    }

    /// A pause that is renewed forever lasts for the watchdog's timeout and is then ignored for the same time.
    #[test]
    fn a_storm_does_not_stop_a_port_for_ever() {
        let mut pauses = Pauses::new(TimeDelta::from_millis(200));
        let mut stopped = 0;
        for millis in 0..10_000 {
            pauses.on_pfc(at(millis), &stop(65_535), RATE);
            stopped += u64::from(pauses.ready(three()) > at(millis));
        }
        assert!((4_900..=5_100).contains(&stopped), "{stopped}");
        assert_eq!(pauses.storms, 25);
    }

    #[test]
    fn a_pause_stops_every_priority() {
        let mut pauses = Pauses::new(TimeDelta::from_secs(1));
        pauses.on_pause(at(0), Pause { quanta: 65_535 }, RATE);
        assert!(Priority::ALL.into_iter().all(|priority| pauses.ready(priority) > at(300)));
        pauses.on_pause(at(5), Pause { quanta: 0 }, RATE);
        assert!(Priority::ALL.into_iter().all(|priority| pauses.ready(priority) == at(5)));
    }
}
