//! Parts of a batch of runs, for several processes or machines.

use std::fmt;
use std::num::NonZeroU32;
use std::str::FromStr;

use thiserror::Error;

/// One of several parts of a batch, written as `3/8` for the third of eight parts. Together, the parts cover every run
/// exactly once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// From 1 to `of`.
    number: NonZeroU32,
    of: NonZeroU32,
}

/// The text is not a shard.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error(
    "{0:?} is not a shard: write the number of this part and the number of all parts, from 1/N to N/N, as in 3/8"
)]
pub struct NotAShard(String);

impl Shard {
    /// Whether the run at this position, counted from 0, belongs to the part. Adjacent runs belong to different parts,
    /// because they often take about the same time in a sweep.
    pub fn takes(self, position: usize) -> bool {
        position % self.of.get() as usize == self.number.get() as usize - 1
    }

    /// The part, out of `of` parts, to which the run at this position, counted from 0, belongs.
    pub fn taking(position: usize, of: NonZeroU32) -> Self {
        let before = u32::try_from(position % of.get() as usize).expect("less than the number of parts");
        Self { number: NonZeroU32::MIN.saturating_add(before), of }
    }

    /// Its number, from 1.
    pub fn number(self) -> NonZeroU32 {
        self.number
    }

    /// Its name in file names, such as `3-of-8`.
    pub fn file_name(self) -> String {
        format!("{}-of-{}", self.number, self.of)
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}/{}", self.number, self.of)
    }
}

impl FromStr for Shard {
    type Err = NotAShard;

    fn from_str(text: &str) -> Result<Self, NotAShard> {
        let parts = text.split_once('/').and_then(|(number, of)| {
            let (number, of): (NonZeroU32, NonZeroU32) = (number.parse().ok()?, of.parse().ok()?);
            (number <= of).then_some(Self { number, of })
        });
        parts.ok_or_else(|| NotAShard(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_run_belongs_to_one_part() {
        let all = (1..=7).map(|number| format!("{number}/7").parse().unwrap());
        let all: Vec<Shard> = all.collect();
        for position in 0..100 {
            let taking = Shard::taking(position, NonZeroU32::new(7).unwrap());
            assert!(all.iter().all(|shard| shard.takes(position) == (*shard == taking)));
        }
    }

    #[test]
    fn nonsense_is_refused() {
        for text in ["", "1", "0/3", "4/3", "1/0", "a/b", "-1/3", "1/3/5", "1 / 3"] {
            assert!(text.parse::<Shard>().is_err(), "{text:?}");
        }
        assert_eq!("3/8".parse::<Shard>().unwrap().to_string(), "3/8");
    }
}
