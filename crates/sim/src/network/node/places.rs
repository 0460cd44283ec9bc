//! The location of each component of a network: its partition, and its number there.
//!
//! Bridges and their ports have the same numbers in all partitions, and each partition owns a range of them. Stations,
//! senders and receivers are numbered within each partition, in the order of the spec.

use std::sync::Arc;

use crate::ids::{FlowId, PortId};
use crate::index::{Number, PartNo, PortNo, StationNo, Table};

/// The location of a port.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::network) struct Owner {
    pub(in crate::network) part: PartNo,
    pub(in crate::network) place: Place,
}

/// A port within its partition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::network) enum Place {
    Station(StationNo),
    Bridge(PortNo),
}

/// The owner of every port.
pub(in crate::network) type Owners = Table<PortId, Owner>;

/// The location of one end of every flow.
#[derive(Clone, Debug)]
pub(in crate::network) enum Ends<N> {
    /// All ends are in the only partition, and each has the number of its flow.
    Together,
    /// Distributed over several partitions.
    Apart(Arc<[(PartNo, N)]>),
}

impl<N: Number> Ends<N> {
    /// Numbers the ends of flows in the given number of partitions.
    pub(in crate::network) fn new(parts: usize, part_of: impl Iterator<Item = PartNo>) -> Self {
        if parts == 1 {
            return Self::Together;
        }
        let mut counts = vec![0; parts];
        let numbered = part_of.map(|part| {
            let count = &mut counts[part.place()];
            *count += 1;
            (part, N::of_place(*count - 1))
        });
        Self::Apart(numbered.collect())
    }

    /// The partition of a flow's end, and its number there.
    #[inline]
    pub(in crate::network) fn of(&self, flow: FlowId) -> (PartNo, N) {
        match self {
            Self::Together => (PartNo(0), N::of_place(flow.index())),
            Self::Apart(places) => places[flow.index()],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::SenderNo;

    #[test]
    fn numbers_count_up_in_each_partition() {
        let parts = [1, 0, 1, 1, 0].map(PartNo);
        let ends: Ends<SenderNo> = Ends::new(2, parts.into_iter());
        let numbers: Vec<u32> = (0..5).map(|flow| ends.of(FlowId(flow)).1.0).collect();
        assert_eq!(numbers, [0, 0, 1, 2, 1]);
        assert_eq!(ends.of(FlowId(3)), (PartNo(1), SenderNo(2)));
        assert_eq!(Ends::<SenderNo>::new(1, [PartNo(0)].into_iter()).of(FlowId(7)), (PartNo(0), SenderNo(7)));
    }
}
