//! Words that are neither keys nor parameters: patterns of flows, and the figures of results.

/// A word and what it means.
#[derive(Clone, Copy, Debug)]
pub(super) struct Word {
    pub(super) name: &'static str,
    pub(super) text: &'static str,
    /// Where it stands, or where there is more about it.
    pub(super) place: &'static str,
}

const PATTERN: &str = "`pattern` in [[flows]]";
const RESULTS: &str = "docs/results.md";

/// All of them.
pub(super) const WORDS: [Word; 12] = [
    Word {
        name: "pairs",
        text: "A pattern of flows: the first of `from` sends to the first of `to`, the second to the second; one \
               name on either side serves all of the other.",
        place: PATTERN,
    },
    Word {
        name: "incast",
        text: "A pattern of flows: all stations of `from` send to the one of `to`, which is left out of the senders.",
        place: PATTERN,
    },
    Word {
        name: "hot-spots",
        text: "A pattern of flows: the stations of `from` are dealt out to those of `to` in turn, so that each of `to` \
               receives from as many.",
        place: PATTERN,
    },
    Word {
        name: "permutation",
        text: "A pattern of flows: everyone sends to one other station and receives from one, drawn at random from \
               the seed.",
        place: PATTERN,
    },
    Word {
        name: "all-to-all",
        text: "A pattern of flows: every station sends to every other.",
        place: PATTERN,
    },
    Word {
        name: "jain",
        text: "Jain's index of fairness: (sum of x)^2 / (n * sum of x^2) over the rates x of n flows, each divided by \
               its weight. 1 where all have their share, 1/n where one has everything. It compares backlogged flows \
               that were started during all of the measured time; in windows, during all of the window.",
        place: RESULTS,
    },
    Word {
        name: "utilisation",
        text: "Utilisation of a port: the share of the measured time in which it was transmitting, with preamble and \
               gap, notifications included.",
        place: RESULTS,
    },
    Word {
        name: "settling",
        text: "Settling time: how long after an event it took until the mean of the queue over every 10 ms (or a tenth of the \
               time to the next event) stayed within 10 % of the set point, or one frame, until the next event, with \
               the port loaded and the buffer not full.",
        place: RESULTS,
    },
    Word {
        name: "culprit",
        text: "A flow that a congestion point at an input holds responsible for its backlog. With \
               `marking = \"random-occupancy\"` it is the owner of an occupied unit of the buffer: words of the culprit \
               array, one for each unit, are read at random until one is found, and after `random_reads` of them one \
               after another (a search that fell back).",
        place: RESULTS,
    },
    Word {
        name: "slowdown",
        text: "Slowdown of a message: its completion time over the one that it would have on an empty network at the \
               flow's full rate. Messages of one flow wait behind each other, and that wait counts.",
        place: RESULTS,
    },
    Word {
        name: "fct",
        text: "Completion time of a message (flow completion time): from its offer at the station to the arrival of \
               its last byte.",
        place: RESULTS,
    },
    Word {
        name: "digest",
        text: "SHA-256 over the figures, the curves and the messages of a run. The same scenario, overrides, seed and \
               version give the same digest, on every machine.",
        place: RESULTS,
    },
];
