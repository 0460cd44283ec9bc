//! Random numbers that are recorded for the answer and may be provided by the input.

use setpoint_control::Entropy;
use setpoint_random::RandomStream;

/// The random numbers of one input.
pub(super) struct Draws<'a> {
    given: Option<&'a [u32]>,
    stream: &'a mut RandomStream,
    drawn: Vec<u32>,
}

impl<'a> Draws<'a> {
    /// Uses the given numbers, or those of the stream if there are none.
    pub(super) fn new(given: Option<&'a [u32]>, stream: &'a mut RandomStream) -> Self {
        Self { given, stream, drawn: Vec::new() }
    }

    /// The numbers drawn, in order.
    pub(super) fn into_drawn(self) -> Vec<u32> {
        self.drawn
    }
}

impl Entropy for Draws<'_> {
    fn next_u32(&mut self) -> u32 {
        let next = match self.given {
            // Beyond the end the value does not matter, because the answer is then an error that gives the number of
            // draws.
            Some(given) => given.get(self.drawn.len()).copied().unwrap_or(0),
            None => self.stream.next_u32(),
        };
        self.drawn.push(next);
        next
    }
}
