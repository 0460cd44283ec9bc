//! How much has come on whose account: the measurement that AF-QCN, AFD and FQCN share.
//!
//! A bounded table of soft state. Every arrival adds to the bytes of its account; at the end of an interval
//! ([`Arrivals::end_intervals`]) they become the account's estimate Mᵢ, and an account that has fallen silent
//! is forgotten once its estimate is below a byte. Nothing has to be announced or withdrawn.
//!
//! * Source: Kabbani and others, "AF-QCN" (2010), equation (5) and section III-C: a counter per account behind
//!   "a hash table or a similar data structure", a pass over the accounts per interval.
//! * Cost: O(1) expected per arrival, linear in the accounts held per interval. Memory is taken once, at the
//!   first arrival, for the number of accounts the table may hold.
//! * Bound: an account that comes when the table is full is not held, and has no estimate, until a place is
//!   free. The frames of such accounts are counted together ([`Arrivals::untracked`]).
//! * Order: the accounts lie in the order in which they came, whatever their ids hash to.
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

/// How many accounts a parameter can let a table hold.
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
    /// The most accounts a table can be made for.
    pub const MOST_ACCOUNTS: u32 = 1 << 16;

    /// An empty table for at most `bound` accounts, itself held between one and [`Self::MOST_ACCOUNTS`].
    #[must_use]
    pub const fn new(bound: u32) -> Self {
        let bound = match bound {
            0 => 1,
            1..=Self::MOST_ACCOUNTS => bound,
            _ => Self::MOST_ACCOUNTS,
        };
        Self { index: Index::new(), accounts: Vec::new(), bound, untracked: 0 }
    }

    /// Bytes on the heap of a table for at most `bound` accounts.
    #[must_use]
    pub fn most_heap_bytes(bound: u32) -> usize {
        let bound = Self::new(bound).bound as usize;
        bound * size_of::<Account>() + Index::heap_bytes(bound)
    }

    /// Adds a frame to an account. The tenant's weight and bound are those of its last frame.
    #[inline]
    pub fn count(&mut self, tenant: Tenant, frame: Bytes) {
        let position = self.index.position(tenant.id);
        match self.accounts.get_mut(position) {
            Some(account) => account.add(tenant, frame),
            None => self.open(tenant, frame),
        }
    }

    /// Ends a number of intervals, all but the first of which brought nothing: equation (5) for each, with
    /// a β that is a power of two from 2⁰ down to 2⁻⁸ (others are held within).
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
                // What comes after a gap moves up.
                accounts[kept] = accounts[position];
                index.move_to(id, kept);
            }
            kept += 1;
        }
        accounts.truncate(kept);
    }

    /// The account of an id, if it is held.
    #[must_use]
    pub fn account(&self, id: u32) -> Option<&Account> {
        self.accounts.get(self.index.position(id))
    }

    /// Every account that is held, in the order in which they came.
    #[must_use]
    pub fn accounts(&self) -> &[Account] {
        &self.accounts
    }

    /// Frames that came on accounts for which there was no place.
    #[must_use]
    pub fn untracked(&self) -> u64 {
        self.untracked
    }

    /// The state: bytes of the present interval and estimate, in 256ths of a byte, of each account by ascending
    /// id; and frames of accounts that are not held.
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
