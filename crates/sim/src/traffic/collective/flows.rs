//! Messages between ranks as flows.

use std::collections::BTreeMap;

use crate::ids::{FlowId, MessageId};
use crate::traffic::DependentMessage;

use super::RankMessage;

/// The messages from one rank to another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PairFlow {
    /// The sender.
    pub from: u32,
    /// The receiver.
    pub to: u32,
    /// Its messages.
    pub messages: Vec<DependentMessage>,
    /// For each of them, its position in the list of all messages.
    pub places: Vec<usize>,
}

/// Groups messages into one flow for each pair of ranks, ordered by sender and then by receiver. The first flow has the number
/// `first`, and the others follow.
pub fn flows(messages: &[RankMessage], first: FlowId) -> Vec<PairFlow> {
    let mut pairs: BTreeMap<(u32, u32), Vec<usize>> = BTreeMap::new();
    for (place, message) in messages.iter().enumerate() {
        pairs.entry((message.from, message.to)).or_default().push(place);
    }
    let mut ids = vec![MessageId { flow: first, number: 0 }; messages.len()];
    for (flow, places) in (first.0..).map(FlowId).zip(pairs.values()) {
        for (number, &place) in (0..).zip(places) {
            ids[place] = MessageId { flow, number };
        }
    }
    let message = |place: &usize| {
        let RankMessage { size, gap, after, .. } = &messages[*place];
        DependentMessage::new(*size).with_gap(*gap).after(after.iter().map(|place| ids[*place]))
    };
    pairs
        .into_iter()
        .map(|((from, to), places)| PairFlow {
            from,
            to,
            messages: places.iter().map(message).collect(),
            places,
        })
        .collect()
}
