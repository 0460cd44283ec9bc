//! The page of an experiment with real frames, compared with simulations of the same scenarios.

use setpoint_plot::{Figure, Room};
use setpoint_record::results::{QueueSummary, RunRecord};
use setpoint_units::quantity::Unit;

use crate::document::{Block, Cell, Column, Document, Link, Section, Table};
use crate::figures::{self, Subject};

/// A part of an experiment with real frames.
#[derive(Clone, Debug)]
pub struct LivePart<'a> {
    /// Its name in links: letters, digits and hyphens. The report of its run is in the folder of this name.
    pub name: &'a str,
    /// Its title.
    pub title: &'a str,
    /// The weights of its flows.
    pub weights: &'a [u32],
    /// The run with real frames.
    pub live: &'a RunRecord,
    /// A simulation of the same scenario.
    pub simulated: &'a RunRecord,
    /// The paper's claims that this part judges.
    pub claims: &'a [LiveClaim],
    /// Remarks, such as lost frames and stalls of the machine.
    pub remarks: Vec<String>,
}

/// A claim of a paper, judged with real frames and with the corresponding simulation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LiveClaim {
    /// The experiment and the claim's name.
    pub name: String,
    /// The paper's statement.
    pub statement: String,
    /// The rule by which it is judged, in words.
    pub expected: String,
    /// The verdict with real frames, and its figure.
    pub live: String,
    /// The verdict in the simulation, and its figure.
    pub simulated: String,
}

/// The page of an experiment. `claim` is the paper's observation.
pub fn live(title: &str, claim: &str, parts: &[LivePart<'_>]) -> Document {
    let mut page = Document::new(title);
    page.part_of = "Real frames".to_owned();
    page.description =
        "Measured on real Ethernet frames in network namespaces on one machine, and compared with a \
    simulation of the same scenario."
            .to_owned();
    page =
        page.section(Section::new("paper", "The paper’s observation").with(Block::Prose(claim.to_owned())));
    for part in parts {
        page = page.section(section(part));
    }
    page
}

fn section(part: &LivePart<'_>) -> Section {
    let mut blocks = vec![Block::Table(rates(part)), Block::Table(queues(part))];
    if !part.claims.is_empty() {
        blocks.push(Block::Table(claims(part.claims)));
    }
    for (name, record) in [("live", part.live), ("simulated", part.simulated)] {
        let named = Block::Figures(drawn(record, if name == "live" { "real frames" } else { "simulated" }));
        blocks.push(named.named(&format!("{}-{name}", part.name)));
    }
    blocks.push(Block::Points(part.remarks.clone()));
    Section { id: part.name.to_owned(), title: part.title.to_owned(), blocks }
}

/// The rate of each flow, and the share that corresponds to its weight.
fn rates(part: &LivePart<'_>) -> Table {
    let columns = ["Weight", "Weighted share", "Real frames", "Simulated"].map(Column::figures);
    let mut table = Table::new([Column::words("Flow")].into_iter().chain(columns));
    let total: f64 = part.live.summary.flows.iter().map(|flow| flow.rate_bps).sum();
    let weights: f64 = part.weights.iter().map(|weight| f64::from(*weight)).sum();
    let flows = part.live.summary.flows.iter().zip(&part.simulated.summary.flows).zip(part.weights);
    for ((live, simulated), weight) in flows {
        let share = total * f64::from(*weight) / weights;
        let rates = [share, live.rate_bps, simulated.rate_bps].map(|rate| Unit::BitsPerSecond.text(rate));
        let cells = [live.name.clone(), weight.to_string()].into_iter().chain(rates);
        table.row(cells.map(Cell::words));
    }
    table
}

/// The verdicts.
fn claims(claims: &[LiveClaim]) -> Table {
    let columns = ["Claim", "Statement", "Expected", "Real frames", "Simulated"].map(Column::words);
    let mut table = Table::new(columns);
    for LiveClaim { name, statement, expected, live, simulated } in claims {
        table.row([name, statement, expected, live, simulated].map(|text| Cell::words(text.clone())));
    }
    table
}

/// The longest queue, and the feedback that it caused.
fn queues(part: &LivePart<'_>) -> Table {
    let marks = part.live.summary.total.marked_frames.is_some();
    let feedback: &[&str] = if marks { &["Marked frames", "CNPs received"] } else { &["Notifications"] };
    let columns = ["Mean queue", "Standard deviation"].into_iter().chain(feedback.iter().copied());
    let mut table = Table::new([Column::words("Run")].into_iter().chain(columns.map(Column::figures)));
    let report = Link::new(format!("{}/report.html", part.name), "real frames");
    for (record, link) in [(part.live, Some(report)), (part.simulated, None)] {
        let longest =
            record.summary.queues.iter().max_by(|one, other| one.mean_bytes.total_cmp(&other.mean_bytes));
        let feedback = |queue: &QueueSummary| match queue.marked_frames {
            None => vec![queue.notifications.to_string()],
            Some(marked) => {
                let received: u64 = record.summary.flows.iter().map(|flow| flow.notifications).sum();
                vec![marked.to_string(), received.to_string()]
            }
        };
        let lengths = |queue: &QueueSummary| {
            [queue.mean_bytes, queue.deviation_bytes].map(|length| Unit::Bytes.text(length)).to_vec()
        };
        let figures = longest.map(|queue| [lengths(queue), feedback(queue)].concat()).unwrap_or_default();
        let text = if link.is_some() { "" } else { "simulated" };
        let name = Cell { link, ..Cell::words(text) };
        table.row([name].into_iter().chain(figures.into_iter().map(Cell::words)));
    }
    table
}

/// The rates of the flows and the longest queue, with their subject in the titles.
fn drawn(record: &RunRecord, of: &str) -> Vec<Figure> {
    let all = figures::all(record);
    let first =
        |subject: Subject| all.iter().find(|(of, _)| *of == subject).map(|(_, figure)| figure.clone());
    let titled =
        |figure: Figure| Figure { title: format!("{}: {of}", figure.title), room: Room::Half, ..figure };
    [Subject::Rates, Subject::Queues].into_iter().filter_map(first).map(titled).collect()
}
