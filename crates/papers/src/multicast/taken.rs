//! What is taken where the paper leaves something open; on several pages.

pub(super) const NETWORK: &str = "All links have 1 Gb/s and a delay of 1 µs, which the paper does not give. Queues of bridges hold 100 frames of 1500 bytes each. \
    The 20 bytes of preamble and gap of each frame count on links, and not in queues.";

pub(super) const TRAFFIC: &str = "A source makes a frame of 1500 bytes every 60 µs. What its limiter holds back waits in the source, where there is room for all of \
    it; UDP itself waits for nobody. 10 s are run; the paper does not say how long.";

pub(super) const QCN: &str = "QCN is the paper’s: every notification makes the current rate the target (no extra fast recovery, no target reduction), and Qold is the queue at \
    the last feedback. Cycles have 150 kB, and 75 kB past fast recovery, or 15 and 7.5 ms: the paper has the timer, and not its length. In hyper-active increase the paper adds 50 Mb/s \
    in every cycle (“i equal to one”), and we i times as much in the i-th, as the standard. Gd is 1/128, the nearest power of two. A feedback of less than one of the 63 steps is \
    not sent.";

pub(super) const REACTION_POINT: &str = "Each source has one reaction point, at its interface: with multiple unicast its flows share a limiter. CR is the rate of that limiter, \
    and that of the line without one. It obeys every notification (“legacy QCN”): the paper’s CR = min r_i would need a state for each congestion point, and in the dumbbell there is \
    but one.";

pub(super) const SAMPLINGS: &str = "How frames are sampled is not in the paper. With the standard’s table at most one frame in 18.5 kB is looked at, and feedback cannot exceed 8.1 % \
    of the frames; some of the paper’s figures do. Every claim is judged with the standard’s sampling and with sampling of every frame.";

pub(super) const SETTLED: &str = "Settled is from 6 s on, a second after the last source has come. Feedback and loss are of the whole run, over the frames that sources have sent.";

pub(super) const OF_A_CHAIN: &str = "Figure 17 is not in our copy. By the text G1 passes three bottlenecks (switches 1, 2 and 3), and G2 and G3 one each. We take a chain of four switches: six \
    sources of G1 at sw1, its receivers R5 and R6 at sw4; six of G2 at sw2, R1 and R2 at sw3; six of G3 at sw3, R3 and R4 at sw4.";

/// The choices of an experiment as a list.
pub(super) fn list(choices: &[&str]) -> Vec<String> {
    choices.iter().map(|&choice| choice.to_owned()).collect()
}

/// What all experiments on the dumbbell take.
pub(super) fn dumbbell() -> Vec<String> {
    list(&[NETWORK, TRAFFIC, QCN, REACTION_POINT, SAMPLINGS, SETTLED])
}
