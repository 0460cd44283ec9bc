//! The buffers of switch chips, as far as public sources describe them.
//!
//! Sources: the buffer configurations of SONiC (sonic-net/sonic-buildimage, commit 086b03bd), which operators use with these chips, and
//! section 4 of Zhu and others, "Congestion control for large-scale RDMA deployments" (2015). docs/flow-control.md gives the source of
//! each value. A `dynamic_th` or `threshold` of n in SONiC is a factor of 2^n.

use setpoint_units::Bytes;

use super::bridge::{BufferPreset, SharedBuffer};
use super::values::OrWord;

/// The values of a preset.
#[derive(Clone, Copy, Debug)]
struct BufferValues {
    size: Bytes,
    alpha: f64,
    egress_alpha: f64,
    reserve: Bytes,
    /// `None` for the sum of all headrooms.
    headroom_pool: Option<Bytes>,
    resume_offset: Bytes,
}

/// Memory cells of the first generations. SONiC's values for them are whole cells.
const CELL: u64 = 208;

impl SharedBuffer {
    /// Replaces the defaults of keys that the scenario does not set by the values of its preset.
    pub(super) fn apply_preset(&mut self) {
        let Some(values) = BufferValues::of(*self.preset) else { return };
        self.size.default_to(|_, _| values.size);
        self.alpha.default_to(|_, _| values.alpha);
        self.egress_alpha.default_to(|_, _| values.egress_alpha);
        self.reserve.default_to(|_, _| values.reserve);
        self.resume_offset.default_to(|_, _| values.resume_offset);
        if let Some(pool) = values.headroom_pool {
            self.headroom_pool.default_to(|_, _| OrWord { quantity: Some(pool), word: "" });
        }
    }
}

impl BufferValues {
    /// The values of a preset; `None` for the one whose values are the defaults of the keys.
    fn of(preset: BufferPreset) -> Option<Self> {
        match preset {
            BufferPreset::Hpcc => None,
            BufferPreset::Trident2 => Some(Self {
                size: Bytes::new(12_766_208),
                // The paper's t_PFC is β (B - 8 n t_flight - s) / 8, with β = 8. SONiC has had 1/8 and 1/2.
                alpha: 1.0,
                egress_alpha: 8.0,
                // `size` minus `xoff`.
                reserve: Bytes::new(6 * CELL),
                // The paper reserves headroom for every port and priority.
                headroom_pool: None,
                resume_offset: Bytes::new(12 * CELL),
            }),
            BufferPreset::Tomahawk => Some(Self {
                size: Bytes::new(15_982_720),
                alpha: 1.0,
                egress_alpha: 8.0,
                reserve: Bytes::new(6 * CELL),
                headroom_pool: Some(Bytes::new(4_194_112)),
                resume_offset: Bytes::new(11 * CELL),
            }),
            BufferPreset::Trident3 => Some(Self {
                size: Bytes::new(32_599_040),
                alpha: 1.0,
                egress_alpha: 8.0,
                reserve: Bytes::new(4_608),
                headroom_pool: Some(Bytes::new(1_622_016)),
                resume_offset: Bytes::new(4_608),
            }),
        }
    }
}
