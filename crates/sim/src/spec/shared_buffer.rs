//! Bridges whose ports share one buffer.

use setpoint_units::Bytes;

use super::FlowControl;
use crate::ids::Priority;

/// A buffer that all ports of a bridge share, divided into reserves, a headroom pool and a shared pool.
///
/// * A frame of a priority under flow control is charged to its input. It takes the input's reserve first, then shared space as
///   long as the input uses at most α times the free shared space, and otherwise headroom. The bridge pauses the sender while the
///   input uses headroom, or more shared space than this threshold.
/// * A frame of any other priority is charged to its output queue. It takes the queue's reserve first, then shared space in the
///   same way with its own α, and is otherwise dropped.
///
/// Sources: Choudhury and Hahne, "Dynamic queue length thresholds for shared-memory packet switches" (IEEE/ACM Transactions on
/// Networking, 1998) for the threshold; the switch of the HPCC simulator (`switch-mmu.cc`) for its use at inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SharedBuffer {
    /// The size of each bridge's buffer.
    pub size: Bytes,
    /// α of inputs, for priorities under flow control.
    pub alpha: Alpha,
    /// α of output queues, for all other priorities.
    pub egress_alpha: Alpha,
    /// α of single priorities, beginning with priority 0, in place of the other two.
    pub priority_alpha: [Option<Alpha>; Priority::COUNT],
    /// Buffer space reserved for each input and priority under flow control, and for each output queue of any other priority.
    pub reserve: Bytes,
    /// The headroom that the inputs of a bridge share.
    pub headroom_pool: HeadroomPool,
    /// An input releases its sender when its shared use is this far below the threshold.
    pub resume_offset: Bytes,
}

/// The size of a headroom pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HeadroomPool {
    /// The sum of the headrooms of all inputs and priorities.
    Sum,
    /// A fixed size. If it is below that sum, the pool is oversubscribed.
    Fixed(Bytes),
}

/// The factor α of a dynamic threshold, in units of 1/65536.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Alpha(u32);

impl Alpha {
    /// 1, in units.
    const ONE: u32 = 1 << 16;
    /// The largest factor.
    pub const MOST: f64 = 256.0;

    /// The factor nearest to a number. `None` if the number is below 1/65536, above [`Alpha::MOST`] or not a number.
    pub fn new(factor: f64) -> Option<Self> {
        let units = factor * f64::from(Self::ONE);
        (units >= 1.0 && factor <= Self::MOST).then_some(Self((units + 0.5) as u32))
    }

    /// The factor as a number.
    pub fn factor(self) -> f64 {
        f64::from(self.0) / f64::from(Self::ONE)
    }

    /// The threshold for the given free space, rounded down.
    #[inline]
    pub fn of(self, free: u64) -> u64 {
        u64::try_from((u128::from(free) * u128::from(self.0)) >> 16).unwrap_or(u64::MAX)
    }
}

impl SharedBuffer {
    /// The factor for a priority: of its inputs if flow control protects it, otherwise of its output queues.
    pub fn alpha_of(&self, priority: Priority, flow_control: &FlowControl) -> Alpha {
        let protected = flow_control.protected().contains(priority);
        let general = if protected { self.alpha } else { self.egress_alpha };
        self.priority_alpha[usize::from(priority.get())].unwrap_or(general)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_threshold_is_rounded_down() {
        let eighth = Alpha::new(0.125).unwrap();
        assert_eq!([eighth.of(80), eighth.of(87), eighth.of(88)], [10, 10, 11]);
        assert_eq!(Alpha::new(2.0).unwrap().of(1_000), 2_000);
        assert_eq!(Alpha::new(256.0).unwrap().of(u64::MAX), u64::MAX);
        assert_eq!([Alpha::new(0.0), Alpha::new(257.0), Alpha::new(f64::NAN)], [None; 3]);
    }
}
