//! Chrysos and others, "Unbiased QCN for scalable server-fabrics" (2014).
//!
//! A scenario is made of three files: the network with its traffic, the parameters of table I, and those that depend
//! on the speed. Rates of flows are raw, with preamble and gap, as the paper's.

mod fig02;
mod fig05;
mod fig06;
mod fig07;
mod measure;
mod multicast;
mod panel;
mod scale;
mod searches;
mod taken;

use crate::case::Case;
use crate::experiment::Paper;

/// From and to, in seconds of the full experiment.
type Phase = (f64, f64);

/// A set point, the paper's Qeq.
const SET_POINT: f64 = 60e3;
/// Room of an output, and of an input.
const BUFFER: f64 = 150e3;
/// The threshold at which an input pauses its sender, and that at which it lets go.
const PAUSE: (f64, f64) = (110e3, 44e3);

/// The output queue of the receiver that is congested.
const OUTPUT: &str = "leaf1.8->h36/3";
/// The input buffer of the first sender.
const INPUT: &str = "h1->leaf1.1/3 (input)";

pub(crate) fn paper() -> Paper {
    Paper {
        id: "unbiased",
        title: "Unbiased QCN for Scalable Server-Fabrics",
        source: "Chrysos, Neeser, Clauberg, Crisan, Valk, Basso, Minkenberg and Gusat, IBM Research Report RZ 3880, 2014",
        about: "In a fabric with input buffers QCN is unfair where it watches outputs, and slows down the wrong flows where it watches \
                inputs. Congestion points at inputs that tell a flow by what it has in the buffer should be fair and leave victims alone.",
        experiments: vec![
            fig02::experiment(),
            fig05::experiment(),
            fig06::experiment(),
            fig07::experiment(),
            multicast::experiment(),
            scale::experiment(),
        ],
    }
}

/// The text of a network with its traffic, table I and the parameters for a speed, as one scenario.
macro_rules! scenario {
    ($network:literal, $speed:literal) => {
        concat!(
            include_str!(concat!("../../scenarios/unbiased/", $network, ".toml")),
            include_str!("../../scenarios/unbiased/table-1.toml"),
            include_str!(concat!("../../scenarios/unbiased/", $speed, ".toml"))
        )
    };
}
use scenario;

/// PAUSE alone.
fn pause_only(scenario: &'static str) -> Case {
    Case::new("pause", "PAUSE only", scenario).set("control=none")
}

/// QCN as in the standard.
fn at_outputs(scenario: &'static str) -> Case {
    Case::new("outputs", "QCN at outputs", scenario)
}

/// QCN at inputs, which tells the source of the frame that was sampled.
fn at_inputs(name: &'static str, label: &'static str, scenario: &'static str) -> Case {
    Case::new(name, label, scenario).set("control.qcn.placement=inputs")
}

/// QCN at inputs, which tells a flow by what it has in the buffer.
fn by_occupancy(name: &'static str, label: &'static str, scenario: &'static str) -> Case {
    at_inputs(name, label, scenario).set("control.qcn.marking=random-occupancy")
}

/// With samples during PAUSE, a base interval apart.
fn kept_alive(case: Case) -> Case {
    case.set("control.qcn.keep_alive=150kB")
}
