//! What is taken where the paper leaves something open, as far as several experiments share it.

/// The parameters of QCN.
pub(super) const PARAMETERS: &str = "QCN is the pseudo-code’s, to which the paper refers, with the standard’s parameters but for those that the paper \
    gives: a set point of 30 kB (the occupancy it asks for, and about a fifth of a buffer of 150 kB, as it says) and cycles of the timer of 10 ms (its 50 ms of \
    five cycles). Frames have 1500 bytes, so that 100 of them are a cycle of the byte counter; KB is read as 1000 bytes.";

/// What the cases called "as described" are.
pub(super) const AS_DESCRIBED: &str = "As described is QCN by the letter of the paper’s text: each frame is sampled with a probability from 1 % to 10 % in \
    proportion to the feedback (figure 2, of which our copy has the caption only), growth is counted from the last feedback and not the last sample, and there is no \
    extra fast recovery and no target rate reduction (remark 3). It is shown beside the other and not judged.";

/// What a round-trip time is.
pub(super) const ROUND_TRIP: &str = "The round-trip time is propagation from a source to the queue and back. A congestion point samples frames as they are \
    enqueued, so that waiting in the queue is no part of the loop.";

/// Sentences as a list.
pub(super) fn list(sentences: &[&str]) -> Vec<String> {
    sentences.iter().map(|sentence| (*sentence).to_owned()).collect()
}
