//! Who sends to whom.

use setpoint_control::Entropy;

use crate::ids::NodeId;

/// Everyone in `sources` to one sink; a source that is the sink is left out.
#[must_use]
pub fn incast(sources: &[NodeId], sink: NodeId) -> Vec<(NodeId, NodeId)> {
    sources.iter().filter(|&&source| source != sink).map(|&source| (source, sink)).collect()
}

/// Everyone to everyone else.
#[must_use]
pub fn all_to_all(stations: &[NodeId]) -> Vec<(NodeId, NodeId)> {
    stations.iter().flat_map(|&source| incast_from(source, stations)).collect()
}

fn incast_from(source: NodeId, stations: &[NodeId]) -> impl Iterator<Item = (NodeId, NodeId)> + '_ {
    stations.iter().filter(move |&&sink| sink != source).map(move |&sink| (source, sink))
}

/// Station `i` to station `i + shift`, round the list; a shift that maps stations to themselves
/// gives nothing.
#[must_use]
pub fn shifted(stations: &[NodeId], shift: usize) -> Vec<(NodeId, NodeId)> {
    let count = stations.len();
    let pair = |index: usize| (stations[index], stations[(index + shift) % count]);
    (0..count).map(pair).filter(|(source, sink)| source != sink).collect()
}

/// Everyone to one other and from one other, at random: a single cycle through all stations
/// (Sattolo's shuffle), so that nobody sends to itself.
#[must_use]
pub fn permutation(stations: &[NodeId], entropy: &mut impl Entropy) -> Vec<(NodeId, NodeId)> {
    let mut sinks = stations.to_vec();
    for last in (1..sinks.len()).rev() {
        let other = (u64::from(entropy.next_u32()) * last as u64) >> 32;
        sinks.swap(last, other as usize);
    }
    stations.iter().copied().zip(sinks).filter(|(source, sink)| source != sink).collect()
}
