//! The QCN parameters and statistics of a card, as `linux/dcbnl.h` lays them out.

use setpoint_wire::{Priority, PrioritySet};

use super::{Malformed, Parameter, Setting};

const PRIORITIES: usize = 8;
/// The 32-bit parameters, all except `rpg_enable`.
const NUMBERS: usize = Parameter::ALL.len() - 1;

/// `struct ieee_qcn`: every parameter for each of the eight priorities.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Qcn {
    enable: [u8; PRIORITIES],
    /// In the order of [`Parameter::ALL`], without the first.
    numbers: [[u32; PRIORITIES]; NUMBERS],
}

impl Qcn {
    /// The length of the struct in octets; it has no padding.
    pub const LENGTH: usize = PRIORITIES + 4 * PRIORITIES * NUMBERS;

    /// The value of a parameter for a priority.
    pub fn get(&self, priority: Priority, parameter: Parameter) -> Setting {
        let priority = usize::from(priority.number());
        let raw = match parameter.index().checked_sub(1) {
            None => self.enable[priority].into(),
            Some(number) => self.numbers[number][priority],
        };
        Setting::new(parameter, raw)
    }

    /// Changes the value of a parameter for a priority.
    pub fn set(&mut self, priority: Priority, setting: Setting) {
        let priority = usize::from(priority.number());
        match setting.parameter().index().checked_sub(1) {
            // One octet is enough for "on" and "off", the only values that can be written as text.
            None => self.enable[priority] = u8::try_from(setting.raw()).unwrap_or(u8::MAX),
            Some(number) => self.numbers[number][priority] = setting.raw(),
        }
    }

    /// The priorities with an enabled reaction point.
    pub fn enabled(&self) -> PrioritySet {
        let is_enabled = |priority: &Priority| self.get(*priority, Parameter::Enable).raw() != 0;
        Priority::ALL.into_iter().filter(is_enabled).collect()
    }

    /// The struct as octets.
    pub fn encode(&self) -> Vec<u8> {
        let numbers = self.numbers.iter().flatten().flat_map(|number| number.to_ne_bytes());
        self.enable.into_iter().chain(numbers).collect()
    }

    /// Reads the struct from octets. A newer kernel may append fields, which are ignored.
    ///
    /// # Errors
    /// Returns an error if there are fewer than [`Qcn::LENGTH`] octets.
    pub fn decode(octets: &[u8]) -> Result<Self, Malformed> {
        let short = Malformed::truncated("struct ieee_qcn", Self::LENGTH, octets.len());
        let (enable, rest) = octets.split_first_chunk().ok_or(short)?;
        let (columns, _) = rest.as_chunks::<{ 4 * PRIORITIES }>();
        let columns = columns.first_chunk::<NUMBERS>().ok_or(short)?;
        Ok(Self { enable: *enable, numbers: columns.map(|column| column_of(&column)) })
    }
}

/// `struct ieee_qcn_stats`: counters for each of the eight priorities.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// The number of reaction points accumulated over time, in hundredths of a second (rpppRpCentiseconds).
    pub reaction_point_centiseconds: [u64; PRIORITIES],
    /// Reaction points created by a notification (rpppCreatedRps).
    pub created_reaction_points: [u32; PRIORITIES],
}

impl Statistics {
    /// The length of the struct in octets; it has no padding.
    pub const LENGTH: usize = 12 * PRIORITIES;

    /// The struct as octets.
    pub fn encode(&self) -> Vec<u8> {
        let times = self.reaction_point_centiseconds.iter().flat_map(|time| time.to_ne_bytes());
        times.chain(self.created_reaction_points.iter().flat_map(|count| count.to_ne_bytes())).collect()
    }

    /// Reads the struct from octets.
    ///
    /// # Errors
    /// Returns an error if there are fewer than [`Statistics::LENGTH`] octets.
    pub fn decode(octets: &[u8]) -> Result<Self, Malformed> {
        let short = Malformed::truncated("struct ieee_qcn_stats", Self::LENGTH, octets.len());
        let (times, rest) = octets.split_first_chunk::<{ 8 * PRIORITIES }>().ok_or(short)?;
        let (counts, _) = rest.split_first_chunk().ok_or(short)?;
        let mut statistics = Self { created_reaction_points: column_of(counts), ..Self::default() };
        let (times, _) = times.as_chunks();
        for (time, octets) in statistics.reaction_point_centiseconds.iter_mut().zip(times) {
            *time = u64::from_ne_bytes(*octets);
        }
        Ok(statistics)
    }
}

/// One number per priority.
fn column_of(octets: &[u8; 4 * PRIORITIES]) -> [u32; PRIORITIES] {
    let mut column = [0; PRIORITIES];
    for (number, octets) in column.iter_mut().zip(octets.as_chunks().0) {
        *number = u32::from_ne_bytes(*octets);
    }
    column
}
