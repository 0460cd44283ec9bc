//! How cost grows with ports, flows, hosts and threads, as a page in Markdown.

use std::num::NonZeroUsize;
use std::thread;
use std::time::Instant;

use serde_json::Value;
use setpoint_lab::bench::{Shape, all_shapes, growing_flows, growing_ports};
use setpoint_lab::results::FlowControlSummary;
use setpoint_lab::scenario::{Prepared, Scenario, Source};
use setpoint_sim::{Unwatched, simulate};

use super::{Bench, predict};
use crate::failure::{Failure, print_line};
use crate::memory;
use crate::progress::Visibility;
use crate::terminal::{self, Unit, count, quantity};

/// The shapes that are large enough for several threads.
const DIVIDED: [&str; 2] = ["fat-tree-16", "ports-640"];

/// The sizes of fat trees.
const FAT_TREES: [u32; 4] = [16, 32, 48, 64];

/// The number of cores for which the speed-up is predicted.
const MANY: NonZeroUsize = NonZeroUsize::new(16).unwrap();

/// Measures everything and prints the page.
pub(super) fn print(bench: &Bench) -> Result<(), Failure> {
    let cores = thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    let runs = match bench.repeat {
        1 => "every figure is from one run".to_owned(),
        several => format!("every figure is from the fastest of {several} runs"),
    };
    let mut page = format!(
        "# How cost grows\n\n\
         Made by `setpoint bench --growth --repeat {}` on a machine with {cores} cores; {runs}, with set-up. Other programs \
         disturb the figures. A hop is one data frame crossing one link or, inside a fabric, one cell.\n",
        bench.repeat
    );
    page += "\n## Ports\n\nThe rack fabric of 640 ports at 100 Gb/s, and smaller ones with the same load per port. Every port \
             sends to every other one, so the number of flows grows with the square of the ports. As long as the state of a \
             network fits into the caches, an event costs the same; beyond that, it waits for memory.\n\n";
    page += &table(bench, growing_ports())?;
    page += "\n## Flows\n\nA fat tree of 128 hosts at 10 Gb/s. Every host offers half the rate of its link, divided among more \
             and more flows, so the network carries the same number of frames.\n\n";
    page += &table(bench, growing_flows())?;
    page += "\n## Hosts\n\nFat trees in which every host sends to one other, with PFC. *Check* is what `setpoint check` computes: routes, \
             warnings, headroom and memory. *Start* is the set-up of a run and its first microsecond, on one thread.\n\n";
    page += &hosts(bench)?;
    page += "\n## Threads\n\nLarge networks on one thread and on more. A network is divided only if enough happens within the \
             shortest delay between its parts.\n\n";
    page += &threads(bench, cores)?;
    page += &format!(
        "\n## {MANY} cores, predicted\n\nOne thread does the work of {MANY} threads, window by window, and measures how long each \
         of them would take. With {MANY} cores, a window would take as long as its slowest thread and two barriers. \
         Everything else is taken to last as long as on one core: set-up, samples, and observing pauses. A barrier is measured with as many \
         threads as there are cores and taken to grow in proportion to the threads. Not considered: more cores have more \
         cache, and share the memory. (`setpoint bench SHAPE --predict {MANY}`)\n\n"
    );
    page += &prediction(bench)?;
    Ok(terminal::print(&page)?)
}

/// Says on a terminal what is being measured.
fn announce(what: &str) {
    if Visibility::unless_quiet(false) == Visibility::Shown {
        print_line(&format!("measuring {what}"));
    }
}

fn table(bench: &Bench, shapes: &[Shape]) -> Result<String, Failure> {
    let mut rows =
        "| network | million hops/s | time per event | peak memory |\n|---|---|---|---|\n".to_owned();
    for shape in shapes {
        announce(shape.name);
        let line = bench.measure_apart(shape, NonZeroUsize::MIN)?;
        let per_event = number(&line, "seconds") / number(&line, "events");
        rows += &format!(
            "| {} | {} | {} | {} |\n",
            shape.title,
            millions(&line),
            quantity(Unit::Seconds, per_event),
            peak(&line),
        );
    }
    Ok(rows)
}

/// The times of checks and starts, the fastest of several.
fn hosts(bench: &Bench) -> Result<String, Failure> {
    let mut rows = "| network | hosts | links | check | check per host | start | start per host |\n|---|---|---|---|---|---|---|\n".to_owned();
    for k in FAT_TREES {
        announce(&format!("fat tree with k = {k}"));
        let text = format!(
            "duration = \"1 us\"\nmeasure_from = \"0 s\"\nflow_control = \"pfc\"\n\
             [topology.fat_tree]\nk = {k}\n[[flows]]\nfrom = \"*\"\npattern = \"permutation\"\n"
        );
        let (mut checked, mut started) = (f64::INFINITY, f64::INFINITY);
        let mut size = (0, 0);
        for _ in 0..bench.repeat {
            let begin = Instant::now();
            let prepared = check(&text)?;
            checked = checked.min(begin.elapsed().as_secs_f64());
            let begin = Instant::now();
            simulate(&prepared.spec, &mut Unwatched).map_err(|error| Failure::Run(error.to_string()))?;
            started = started.min(begin.elapsed().as_secs_f64());
            let topology = &prepared.spec.topology;
            size = (topology.stations().count(), topology.links().len());
        }
        let (hosts, links) = size;
        let seconds = |value| quantity(Unit::Seconds, value);
        rows += &format!(
            "| fat tree with k = {k} | {} | {} | {} | {} | {} | {} |\n",
            count(hosts as u64),
            count(links as u64),
            seconds(checked),
            seconds(checked / hosts as f64),
            seconds(started),
            seconds(started / hosts as f64),
        );
    }
    Ok(rows)
}

/// Everything that `setpoint check` computes.
fn check(text: &str) -> Result<Prepared, Failure> {
    let scenario = Scenario::load(&Source::new("fat-tree.toml", text), &[])?;
    let prepared = scenario.prepare(1)?;
    let found = prepared.warnings().len()
        + FlowControlSummary::planned(&prepared.spec).map_or(0, |plan| plan.links.len());
    std::hint::black_box(found);
    memory::describe(&prepared.spec)?;
    Ok(prepared)
}

fn threads(bench: &Bench, cores: NonZeroUsize) -> Result<String, Failure> {
    let mut rows =
        "| network | threads | million hops/s | speed-up | peak memory |\n|---|---|---|---|---|\n".to_owned();
    for shape in divided() {
        let mut alone = None;
        // 1, 2, 4, … and all cores.
        let powers =
            std::iter::successors(Some(1), |count| Some(count * 2)).take_while(|count| *count < cores.get());
        for count in powers.chain([cores.get()]).filter_map(NonZeroUsize::new) {
            announce(&format!("{} on {count} threads", shape.name));
            let line = bench.measure_apart(shape, count)?;
            let speed = number(&line, "packet_hops_per_second");
            let one = *alone.get_or_insert(speed);
            rows += &format!(
                "| {} | {count} | {} | {:.2} | {} |\n",
                shape.title,
                millions(&line),
                speed / one,
                peak(&line),
            );
        }
    }
    Ok(rows)
}

fn prediction(bench: &Bench) -> Result<String, Failure> {
    let mut rows = "| network | events per window and thread | imbalance | barrier | predicted speed-up |\n\
                    |---|---|---|---|---|\n"
        .to_owned();
    for shape in divided() {
        announce(&format!("{} divided for {MANY} cores", shape.name));
        let line = predict::measure(bench, shape, MANY)?;
        rows += &format!(
            "| {} | {:.0} | {:.2} | {} | {:.1} |\n",
            shape.title,
            number(&line, "events_per_window"),
            number(&line, "imbalance"),
            quantity(Unit::Seconds, number(&line, "barrier_seconds")),
            number(&line, "predicted_speed_up"),
        );
    }
    Ok(rows)
}

fn divided() -> impl Iterator<Item = &'static Shape> {
    all_shapes().filter(|shape| DIVIDED.contains(&shape.name))
}

fn number(line: &Value, key: &str) -> f64 {
    line[key].as_f64().unwrap_or(f64::NAN)
}

/// The peak memory, if the system reports it.
fn peak(line: &Value) -> String {
    line["peak_memory_bytes"].as_f64().map_or_else(|| "–".to_owned(), |peak| quantity(Unit::Bytes, peak))
}

fn millions(line: &Value) -> String {
    format!("{:.1}", number(line, "packet_hops_per_second") / 1e6)
}
