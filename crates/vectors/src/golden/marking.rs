//! Further sequences for a congestion point that marks frames.
//!
//! Its smallest and its largest size are the thresholds of marking. The decision depends on the queue without the frame.

use super::Sequence;
use super::congestion::{FRAME, Frame, LONG_FRAME, arrive, frames, pass};
use super::player::Player;

pub(super) const SEQUENCES: &[Sequence] = &[
    ("up through the thresholds of marking, and down", ramp),
    ("every queue around the thresholds of marking", around),
    ("at random between the thresholds of marking", between),
];

/// A queue that rises to five quarters of the upper threshold in the first half of the sequence, and falls in the second.
fn ramp(player: &mut Player) {
    let ([_, upper], half) = (player.thresholds(), (frames(player) / 2).max(1));
    for index in 0..2 * half {
        let height = half - index.abs_diff(half);
        arrive(player, Frame::new(FRAME, (upper * 5 / 4 * height / half).max(FRAME)));
        pass(player, FRAME);
    }
}

fn around(player: &mut Player) {
    while player.goes_on() {
        for threshold in player.thresholds() {
            for queue in [threshold.saturating_sub(1), threshold, threshold + 1] {
                for bytes in [FRAME, 1, 64, LONG_FRAME] {
                    arrive(player, Frame::new(bytes, queue + bytes));
                    pass(player, bytes);
                }
            }
        }
        arrive(player, Frame::new(LONG_FRAME, 0));
    }
}

fn between(player: &mut Player) {
    while player.goes_on() {
        let [lower, upper] = player.thresholds();
        let queue = player.between(lower, upper);
        arrive(player, Frame::new(FRAME, queue + FRAME));
        pass(player, FRAME);
    }
}
