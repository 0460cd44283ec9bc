//! Built-in scenarios.

use setpoint_suggest::did_you_mean;

use super::diagnostics::{Diagnostics, Problem};
use super::source::{Files, Source, no_file};

/// A scenario that ships with Setpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Builtin {
    /// Its name, for `run` and `extends`.
    pub name: &'static str,
    /// A one-line description.
    pub title: &'static str,
    /// The text.
    pub text: &'static str,
}

/// The purpose of a built-in scenario.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Experiments of any kind.
    Experiments,
    /// The league, which compares algorithms.
    League,
    /// Real frames (`setpoint live`).
    Live,
    /// Measurements of the simulator's speed (`setpoint bench`).
    Bench,
}

impl Builtin {
    /// Its purpose, according to the prefix of its name.
    pub fn purpose(&self) -> Purpose {
        match self.name.split_once('-') {
            Some(("league", _)) => Purpose::League,
            Some(("live", _)) => Purpose::Live,
            Some(("bench", _)) => Purpose::Bench,
            _ => Purpose::Experiments,
        }
    }
}

macro_rules! builtins {
    ($($name:literal: $title:literal),* $(,)?) => {
        &[$(Builtin {
            name: $name,
            title: $title,
            text: include_str!(concat!("../scenarios/", $name, ".toml")),
        }),*]
    };
}

static BUILTINS: &[Builtin] = builtins! {
    "default": "ten senders share a 10 Gb/s link, which runs at 2 Gb/s for a second",
    "qcn-senders": "a sweep over 1, 4, 10 and 40 senders: utilisation and queue",
    "incast-pfc": "64 stations send to one, without loss",
    "parking-lot": "one flow crosses three congested links and competes with one flow on each",
    "fat-tree": "16 stations in a fat tree, each sending to another pod",
    "leaf-spine-web-search": "completion times of web search messages on a leaf-spine fabric",
    "fabric-incast": "web search messages and periodic incasts: slowdown by size with three schemes",
    "port-100g": "eight senders share a port at 100 Gb/s: headroom, set point and sampling",
    "link-failure": "a link of a leaf-spine fabric fails and recovers",
    "all-reduce": "a ring all-reduce in which one busy port delays every rank",
    "ets-classes": "two priorities share a link by weight while a third is served first",
    "mixed": "a network defined as a graph, with priorities, bursts, caps and changes",
    "cioq-fan-in": "four stations send to one through a bridge with input buffers and congestion points at its inputs",
    "rack-fabric": "a culprit and a victim share an input of a small rack fabric",
    "rack-fabric-640": "25 hot spots on top of 60 % load on a fabric with 640 stations at 100 Gb/s",
    "pfc-victim": "a flow waits for congestion that it does not cause",
    "pfc-deadlock": "five bridges in a ring wait for each other forever",
    "multicast-dumbbell": "six sources send to a group of two receivers, with multicast or multiple unicast",
    "multicast-multi-link": "three groups on a chain of four bridges; one of them crosses three congested links",
    "multicast-implosion": "a sweep over set points, group sizes and rules that shows when notifications implode",
    "qcn-loop": "QCN as in its fluid model: byte counter only (theory)",
    "live-shares": "four stations share a 95 Mb/s port under AF-QCN (live)",
    "live-sources": "three stations share a 95 Mb/s port under SMCC (live)",
    "live-dcqcn": "four stations share a 95 Mb/s port under DCQCN (live)",
    "league-few": "four senders, a short loop (league)",
    "league-many": "64 senders (league)",
    "league-far": "four senders, a long loop (league)",
    "league-change": "the link runs at a tenth of its rate for a while (league)",
    "league-parking-lot": "one flow crosses three congested links and competes with one on each (league)",
    "league-weights": "four senders with weights 4, 3, 2 and 1 (league)",
    "league-mice": "short messages alongside backlogged senders (league)",
    "league-incast": "32 messages to one station at once, lossless (league)",
    "league-fabric": "web search messages on a lossless fabric (league)",
    "league-data-mining": "data mining messages on a lossless fabric (league)",
    "league-hadoop": "Hadoop messages on a lossless fabric (league)",
    "league-storage": "storage messages on a lossless fabric (league)",
    "league-rpc": "remote procedure calls on a lossless fabric (league)",
    "bench-dumbbell-10": "ten senders, one link, QCN (bench)",
    "bench-dumbbell-10-cbr": "ten senders at constant rates, without control (bench)",
    "bench-dumbbell-400": "400 senders join one after another, QCN (bench)",
    "bench-fat-tree-8": "128 stations in a fat tree, QCN (bench)",
    "bench-fat-tree-16": "1024 stations at 100 Gb/s in a fat tree, QCN and PFC (bench)",
    "bench-incast-pfc": "64 stations send to one, PFC alone (bench)",
    "bench-fabric-640": "64 125 flows on a fabric with 640 stations at 100 Gb/s (bench)",
};

/// The scenarios that ship with Setpoint; the first is the default.
pub fn builtin() -> &'static [Builtin] {
    BUILTINS
}

impl Source {
    /// A built-in scenario by its name.
    ///
    /// # Errors
    /// If there is no built-in scenario with that name.
    pub fn builtin(name: &str) -> Result<Self, Diagnostics> {
        match BUILTINS.iter().find(|builtin| builtin.name == name) {
            Some(builtin) => Ok(Self::new(format!("{name} (built in)"), builtin.text)),
            None => Err(unknown_builtin(name).into()),
        }
    }

    /// The target of `extends`: a built-in scenario, or a regular file relative to this one.
    pub(crate) fn relative(&self, target: &str, files: &dyn Files) -> Result<Self, String> {
        if BUILTINS.iter().any(|builtin| builtin.name == target) {
            return Self::builtin(target).map_err(|error| error.to_string());
        }
        match &self.folder {
            Some(folder) => files.open(folder, target),
            None => no_file(target),
        }
    }
}

fn unknown_builtin(name: &str) -> Problem {
    let names: Vec<&str> = BUILTINS.iter().map(|builtin| builtin.name).collect();
    let problem = Problem::of_file(name, format!("there is no built-in scenario {name:?}"));
    let near = did_you_mean(name, names.iter().copied());
    problem.help_if(near).help(format!("built-in scenarios: {}", names.join(", ")))
}
