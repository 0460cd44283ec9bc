//! Arrivals by account: the measurement shared by AF-QCN, AFD and FQCN.
//!
//! A bounded table of soft state. Every arrival adds to the bytes of its account; the end of an interval
//! ([`Arrivals::end_intervals`]) turns them into the account's estimate Mᵢ. An account without arrivals is forgotten
//! once its estimate is below one byte. Accounts need not be registered or removed explicitly.
//!
//! * Source: Kabbani et al., "AF-QCN" (2010), equation (5) and section III-C: a counter per account behind
//!   "a hash table or a similar data structure", and a pass over the accounts per interval.
//! * Cost: O(1) expected per arrival, and linear in the number of accounts per interval. Memory for the maximum number
//!   of accounts is allocated once, at the first arrival.
//! * Bound: an account that arrives when the table is full has no entry and no estimate until an entry becomes free. The
//!   frames of such accounts are counted together ([`Arrivals::untracked`]).
//! * Order: accounts are kept in the order of their first arrival, independent of hashes.
//! * Rounding: see [`Account::estimate`].

mod account;
mod index;
mod intervals;

use alloc::vec::Vec;

use setpoint_units::Bytes;

pub use self::account::{Account, Amount};
use self::index::Index;
pub(crate) use self::intervals::Intervals;
use crate::parameter::range::counts;
use crate::parameter::{Power, Range};
use crate::{Entry, Reading, Show, Tenant};

/// The range of parameters that set the size of the table.
pub(crate) const ENTRIES: Range = counts(1, Arrivals::MOST_ACCOUNTS);

/// Arrivals by account.
#[derive(Clone, Debug)]
pub struct Arrivals {
    index: Index,
    accounts: Vec<Account>,
    bound: u32,
    untracked: u64,
}

impl Arrivals {
    /// The maximum number of accounts in a table.
    pub const MOST_ACCOUNTS: u32 = 1 << 16;

    /// Creates an empty table for at most `bound` accounts, clamped to between one and
    /// [`Self::MOST_ACCOUNTS`].
    pub const fn new(bound: u32) -> Self {
        let bound = match bound {
            0 => 1,
            1..=Self::MOST_ACCOUNTS => bound,
            _ => Self::MOST_ACCOUNTS,
        };
        Self { index: Index::new(), accounts: Vec::new(), bound, untracked: 0 }
    }

    /// The maximum heap memory of a table for `bound` accounts, in bytes.
    pub fn most_heap_bytes(bound: u32) -> usize {
        let bound = Self::new(bound).bound as usize;
        bound * size_of::<Account>() + Index::heap_bytes(bound)
    }

    /// Adds a frame to an account. The tenant's weight and bound are taken from its last frame.
    #[inline]
    pub fn count(&mut self, tenant: Tenant, frame: Bytes) {
        let position = self.index.position(tenant.id);
        match self.accounts.get_mut(position) {
            Some(account) => account.add(tenant, frame),
            None => self.open(tenant, frame),
        }
    }

    /// Ends the given number of intervals, of which only the first had arrivals, by applying equation (5) to
    /// each. β is a power of two, clamped to between 2⁻⁸ and 2⁰.
    pub fn end_intervals(&mut self, beta: Power, intervals: u64) {
        let shift = u32::from(beta.exponent().clamp(-8, 0).unsigned_abs());
        let Self { index, accounts, .. } = self;
        let mut kept = 0;
        for position in 0..accounts.len() {
            let account = &mut accounts[position];
            let idle = account.end_intervals(shift, intervals);
            let id = account.id();
            if idle && account.estimate() < Amount::BYTE {
                index.remove(id);
                continue;
            }
            if kept < position {
                // Accounts after a gap move up to fill it.
                accounts[kept] = accounts[position];
                index.move_to(id, kept);
            }
            kept += 1;
        }
        accounts.truncate(kept);
    }

    /// The account with the given id, if it has an entry.
    pub fn account(&self, id: u32) -> Option<&Account> {
        self.accounts.get(self.index.position(id))
    }

    /// Every account, in the order of first arrival.
    pub fn accounts(&self) -> &[Account] {
        &self.accounts
    }

    /// Frames of accounts without an entry.
    pub fn untracked(&self) -> u64 {
        self.untracked
    }

    /// Shows the state: for each account by ascending id, the bytes in the current interval and the estimate in 256ths
    /// of a byte; then the frames of accounts without an entry.
    pub fn state(&self, show: &mut dyn Show) {
        let mut accounts: Vec<&Account> = self.accounts.iter().collect();
        accounts.sort_unstable_by_key(|account| account.id());
        for account in accounts {
            let of = Some(account.id());
            show.entry(Entry { name: "arrived", of, reading: Reading::bytes(account.arrived()) });
            let estimate = Reading::Number(account.estimate().get() as i64);
            show.entry(Entry { name: "estimate_256", of, reading: estimate });
        }
        show.show("untracked", Reading::Number(self.untracked as i64));
    }

    #[cold]
    #[inline(never)]
    fn open(&mut self, tenant: Tenant, frame: Bytes) {
        if self.accounts.len() >= self.bound as usize {
            self.untracked += 1;
            return;
        }
        if self.accounts.capacity() == 0 {
            self.accounts.reserve_exact(self.bound as usize);
            self.index.reserve(self.bound as usize);
        }
        self.index.insert(tenant.id, self.accounts.len());
        self.accounts.push(Account::new(tenant, frame));
    }
}
