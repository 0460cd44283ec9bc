//! Traffic matrices: lists of (source, destination) pairs.

use setpoint_control::Entropy;

use crate::ids::NodeId;

/// Every station in `sources`, except the sink itself, sends to one sink.
pub fn incast(sources: &[NodeId], sink: NodeId) -> Vec<(NodeId, NodeId)> {
    sources.iter().filter(|&&source| source != sink).map(|&source| (source, sink)).collect()
}

/// Every station sends to every other station.
pub fn all_to_all(stations: &[NodeId]) -> Vec<(NodeId, NodeId)> {
    stations.iter().flat_map(|&source| incast_from(source, stations)).collect()
}

fn incast_from(source: NodeId, stations: &[NodeId]) -> impl Iterator<Item = (NodeId, NodeId)> + '_ {
    stations.iter().filter(move |&&sink| sink != source).map(move |&sink| (source, sink))
}

/// Station `i` sends to station `i + shift`, wrapping around; a shift that maps stations to
/// themselves yields an empty list.
pub fn shifted(stations: &[NodeId], shift: usize) -> Vec<(NodeId, NodeId)> {
    let count = stations.len();
    let pair = |index: usize| (stations[index], stations[(index + shift) % count]);
    (0..count).map(pair).filter(|(source, sink)| source != sink).collect()
}

/// A random permutation in which every station sends to one other and receives from one other: a single cycle
/// through all stations (Sattolo's shuffle), so that no station sends to itself.
pub fn permutation(stations: &[NodeId], entropy: &mut impl Entropy) -> Vec<(NodeId, NodeId)> {
    let mut sinks = stations.to_vec();
    for last in (1..sinks.len()).rev() {
        let other = (u64::from(entropy.next_u32()) * last as u64) >> 32;
        sinks.swap(last, other as usize);
    }
    stations.iter().copied().zip(sinks).filter(|(source, sink)| source != sink).collect()
}
