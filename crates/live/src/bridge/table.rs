//! The addresses that a bridge has learned.

use std::collections::HashMap;

use setpoint_units::{Time, TimeDelta};
use setpoint_wire::MacAddress;

/// The maximum number of addresses that are kept. A flood of forged addresses therefore cannot use more memory; when
/// the table is full, unknown addresses are not learned, and frames to them are sent to all ports.
const MOST: usize = 16_384;
/// An address is removed if no frame has arrived from it for this time (IEEE 802.1Q, clause 8.8.3).
const AGEING: TimeDelta = TimeDelta::from_secs(300);

/// Interval between searches of a full table for expired addresses. This limit keeps a flood of addresses from causing
/// a search for each of them.
const PURGE_EVERY: TimeDelta = TimeDelta::from_secs(1);

/// Addresses and the ports through which they are reached.
#[derive(Clone, Debug, Default)]
pub(super) struct AddressTable {
    entries: HashMap<MacAddress, Entry>,
    /// The time at which the table was last searched for expired addresses.
    purged: Time,
    /// Addresses that were refused because the table was full.
    pub(super) refused: u64,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    port: usize,
    seen: Time,
}

impl AddressTable {
    /// Learns the source of a frame.
    pub(super) fn learn(&mut self, now: Time, address: MacAddress, port: usize) {
        if let Some(entry) = self.entries.get_mut(&address) {
            *entry = Entry { port, seen: now };
            return;
        }
        if self.entries.len() >= MOST && now.saturating_since(self.purged) >= PURGE_EVERY {
            self.purged = now;
            self.entries.retain(|_, entry| now.saturating_since(entry.seen) < AGEING);
        }
        if self.entries.len() < MOST {
            self.entries.insert(address, Entry { port, seen: now });
        } else {
            self.refused += 1;
        }
    }

    /// The port through which an address is reached, if known.
    pub(super) fn find(&self, now: Time, address: MacAddress) -> Option<usize> {
        let entry = self.entries.get(&address)?;
        (now.saturating_since(entry.seen) < AGEING).then_some(entry.port)
    }

    /// Removes the addresses learned at a port whose link went down.
    pub(super) fn forget(&mut self, port: usize) {
        self.entries.retain(|_, entry| entry.port != port);
    }

    /// The number of addresses.
    #[cfg(test)]
    fn len(&self) -> usize {
        self.entries.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(number: u32) -> MacAddress {
        let [a, b, c, d] = number.to_be_bytes();
        MacAddress([2, 0, a, b, c, d])
    }

    #[test]
    fn addresses_move_age_and_are_forgotten() {
        let mut table = AddressTable::default();
        table.learn(Time::ZERO, address(1), 0);
        table.learn(Time::ZERO, address(1), 2);
        assert_eq!(table.find(Time::ZERO, address(1)), Some(2));
        assert_eq!(table.find(Time::ZERO + AGEING, address(1)), None);
        table.forget(2);
        assert_eq!(table.find(Time::ZERO, address(1)), None);
    }

    #[test]
    fn forged_addresses_use_bounded_memory() {
        let mut table = AddressTable::default();
        for number in 0..100_000 {
            table.learn(Time::ZERO, address(number), 1);
        }
        assert_eq!((table.len(), table.refused), (MOST, 100_000 - MOST as u64));
        table.learn(Time::ZERO + AGEING, address(100_000), 1);
        assert_eq!(table.len(), 1);
    }
}
