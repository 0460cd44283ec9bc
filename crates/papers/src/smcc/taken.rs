//! What is taken where the paper leaves something open, as far as several experiments share it.

/// The figures of scenarios that the paper does not give, or not clearly.
pub(super) const NETWORK: &str = "Every link has a delay of 3 us: section 2.1 has propagation within 3 us, and the round-trip \
    time of the runs is not given. KB is read as 1000 bytes.";

/// Which frames are sampled.
pub(super) const SAMPLING: &str = "One frame in a hundred of those that arrive is sampled, dropped or not: the paper samples \
    “incoming packets” (section 2.2 and figure 10). The usual jitter of 15 % is kept, since an exact count would beat with the \
    constant rate of background traffic.";

/// Which QCN it is.
pub(super) const REDUCED_QCN: &str = "QCN is the paper’s reduced one (section 5.1): decrease, fast recovery and active increase, \
    without timer, hyper-active increase, extra fast recovery and target rate reduction. The complete QCN is shown beside \
    it and not judged.";

/// What a and b are.
pub(super) const GAINS: &str = "R_a and R_b are read as the changes of the rate for an offset, or a difference, of 64 kB, the \
    largest offset there can be: a = R_a / 64 kB and b = R_b / 64 kB.";

/// What swings are.
pub(super) const SWINGS: &str = "Swing is the standard deviation of the queue, sampled every millisecond, in the steady part of \
    a phase, which begins half a second after a change. Amplitude is the distance from the lowest to the highest sample.";

/// Sentences as a list.
pub(super) fn list(sentences: &[&str]) -> Vec<String> {
    sentences.iter().map(|sentence| (*sentence).to_owned()).collect()
}
