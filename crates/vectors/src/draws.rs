//! Random numbers that are kept for the answer, and may be given from outside.

use setpoint_control::Entropy;
use setpoint_sim::RandomStream;

/// The random numbers of one input.
pub(super) struct Draws<'a> {
    given: Option<&'a [u32]>,
    stream: &'a mut RandomStream,
    drawn: Vec<u32>,
}

impl<'a> Draws<'a> {
    /// Takes the numbers that were given or, if none were, those of the stream.
    pub(super) fn new(given: Option<&'a [u32]>, stream: &'a mut RandomStream) -> Self {
        Self { given, stream, drawn: Vec::new() }
    }

    /// The numbers that were drawn, in their order.
    pub(super) fn into_drawn(self) -> Vec<u32> {
        self.drawn
    }
}

impl Entropy for Draws<'_> {
    fn next_u32(&mut self) -> u32 {
        let next = match self.given {
            // Past the end the number does not matter: the answer is an error that says how many are drawn.
            Some(given) => given.get(self.drawn.len()).copied().unwrap_or(0),
            None => self.stream.next_u32(),
        };
        self.drawn.push(next);
        next
    }
}
