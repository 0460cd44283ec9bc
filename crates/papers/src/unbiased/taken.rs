//! What is taken where the paper leaves something open; on several pages.

pub(super) const PART_OF_THE_FABRIC: &str = "Eight leaves of one rack are run, with all 32 spines. The leaves that are left out would be \
    idle, and cells are sprayed over the same links: the paper’s whole fabric would do the same.";

pub(super) const TABLE_1: &str = "KB are 1000 bytes, as elsewhere in Setpoint, and so is the bare “60” of the set point in table I. A buffer of \
    150 kB is each input’s and each output’s.";

pub(super) const TIMER: &str = "The paper takes “standard settings” at 10 Gb/s, and says later that the timer’s cycle goes “from 10 to 2 ms”; the \
    standard has 15 ms. 10 ms are taken. What the paper does not give is the standard’s, the jitter of 15 % included.";

pub(super) const FABRIC: &str = "Links have a delay of 100 ns, and requests and grants between inputs and outputs take 300 ns each, which makes a fall-through \
    latency of about 1 µs. Cells hold 256 bytes and 16 of their own, spines have room for 16 cells at each input and output, and leaves spray cells over spines in \
    turn. The paper gives none of these.";

pub(super) const RAW: &str = "Rates are raw: with the 20 bytes of preamble and gap of every frame.";

/// The choices of an experiment as a list.
pub(super) fn list(choices: &[&str]) -> Vec<String> {
    choices.iter().map(|&choice| choice.to_owned()).collect()
}
