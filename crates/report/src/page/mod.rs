//! The page of a run: the template filled in.

mod cards;
pub(crate) mod command;
mod entries;
mod failed_links;
mod groups;
mod jobs;
mod links;
mod shared_buffers;
mod tables;
mod trees;

use askama::Template;
use setpoint_record::results::{Frames, QueueSummary, RunRecord, Summary, TotalSummary, Unsettled};

use self::cards::Card;
use self::entries::{EntryRow, SizeRow};
use self::failed_links::FailedLinks;
use self::groups::Groups;
use self::links::Links;
use self::shared_buffers::SharedBuffers;
use self::tables::{CounterRow, EventRow, FlowRow, ParameterGroup, PortRow, QueueRow, Reactions};
use self::trees::{DeadlockNote, Trees};
use crate::figures::{self, Subject};
use crate::{assets, contents, topology, words};
use setpoint_plot::{Figure, Room, Size, Surface};
use setpoint_units::quantity::{Unit, grouped};

/// Number of table rows shown; the rest are collapsed.
const OPEN_ROWS: usize = 50;
/// Maximum number of rows in a table, so that a page stays below a megabyte; `summary.json` has all of them.
const MOST_ROWS: usize = 200;

#[derive(Template)]
#[template(path = "run.html")]
struct RunPage<'a> {
    themes: &'static str,
    style: &'static str,
    script: &'static str,
    record: &'a RunRecord,
    summary: String,
    duration: String,
    /// The words that follow the duration, such as "of real frames".
    frames: &'static str,
    cards: Vec<Card>,
    /// Start of the measurement interval; `None` if it is the start of the run.
    measured_from: Option<String>,
    network: Option<Network>,
    sections: Vec<Section>,
    links: Option<Links>,
    shared_buffers: Option<SharedBuffers>,
    failed_links: Option<FailedLinks>,
    trees: Option<Trees>,
    deadlock: Option<DeadlockNote>,
    events: Vec<EventRow>,
    /// The reason why there is no settling time after any event.
    unsettled: Option<Unsettled>,
    entries: Option<Table<EntryRow>>,
    sizes: Vec<SizeRow>,
    groups: Option<Groups>,
    jobs: Vec<jobs::Job>,
    flows: Table<FlowRow>,
    reactions: Reactions,
    counters: Vec<CounterRow>,
    queues: Table<QueueRow>,
    ports: Table<PortRow>,
    parameters: Vec<ParameterGroup<'a>>,
    changed: usize,
    command: String,
    file: String,
    work: String,
}

struct Network {
    wide: String,
    narrow: String,
    alternative: String,
    /// How to read the drawing if boxes represent several nodes.
    note: &'static str,
}

/// Figures under one heading.
struct Section {
    id: &'static str,
    title: &'static str,
    figures: Vec<Drawn>,
}

/// A figure as the template needs it.
pub(crate) struct Drawn {
    pub(crate) name: String,
    pub(crate) title: String,
    pub(crate) alternative: String,
    pub(crate) note: String,
    pub(crate) wide: String,
    pub(crate) narrow: String,
    pub(crate) data: String,
    pub(crate) class: &'static str,
}

/// Rows of a table: visible ones, collapsed ones, and the number of omitted rows.
struct Table<Row> {
    open: Vec<Row>,
    folded: Vec<Row>,
    left_out: usize,
}

impl<Row> Table<Row> {
    fn new(all: usize, rows: impl Iterator<Item = Row>) -> Self {
        Self::opened(OPEN_ROWS, all, rows)
    }

    /// A table with at most this many visible rows.
    fn opened(most: usize, all: usize, rows: impl Iterator<Item = Row>) -> Self {
        let mut open: Vec<Row> = rows.take(MOST_ROWS).collect();
        let left_out = all - open.len();
        let folded = if open.len() > most { open.split_off(most) } else { Vec::new() };
        Self { open, folded, left_out }
    }

    fn is_empty(&self) -> bool {
        self.open.is_empty()
    }

    /// Describes which rows a shortened table contains; empty for a complete one.
    fn cut(&self, what: &str, order: &str) -> String {
        let (shown, all) =
            (self.open.len() + self.folded.len(), self.open.len() + self.folded.len() + self.left_out);
        let (shown, all) = (grouped(shown as f64), grouped(all as f64));
        match self.left_out {
            0 => String::new(),
            _ => format!("{shown} of {all} {what} are listed{order}; summary.json lists all of them."),
        }
    }
}

/// All rows in order; if there are too many for a table, in descending order of weight.
fn foremost<Row>(rows: &[Row], weight: impl Fn(&Row) -> (u64, f64)) -> Vec<&Row> {
    let mut rows: Vec<&Row> = rows.iter().collect();
    if rows.len() > MOST_ROWS {
        let falling = |a: &&Row, b: &&Row| {
            let ((one, first), (other, second)) = (weight(a), weight(b));
            other.cmp(&one).then(second.total_cmp(&first))
        };
        rows.sort_by(falling);
    }
    rows
}

/// The report of a run as one HTML file.
pub(crate) fn html(record: &RunRecord) -> String {
    let summary = &record.summary;
    let file = command::file_name(&record.manifest.scenario);
    let reactions = Reactions::of(&summary.flows);
    let page = RunPage {
        themes: setpoint_plot::THEMES,
        style: assets::STYLE,
        script: assets::SCRIPT,
        record,
        summary: words::summary(record),
        duration: Unit::Seconds.text(summary.duration_s),
        frames: match record.manifest.frames {
            Frames::Simulated if record.manifest.controllers.is_some() => {
                "simulated with external controllers"
            }
            Frames::Simulated => "simulated",
            Frames::Real => "of real frames",
            Frames::Bridge => "of real frames at a bridge",
            Frames::Station => "of real frames at a station",
        },
        cards: cards::cards(record),
        measured_from: summary.skips_beginning().then(|| Unit::Seconds.text(summary.measure_from_s)),
        network: network(record),
        sections: sections(record),
        links: Links::of(record),
        shared_buffers: SharedBuffers::of(record),
        failed_links: FailedLinks::of(record),
        trees: Trees::of(record),
        deadlock: DeadlockNote::of(record),
        events: tables::events(record),
        unsettled: record.summary.why_nothing_settles(),
        entries: entries::entries(record),
        sizes: entries::sizes(record),
        groups: Groups::of(record),
        jobs: jobs::jobs(record),
        flows: Table::new(
            summary.flows.len(),
            foremost(&summary.flows, |flow| (flow.dropped_frames, flow.rate_bps))
                .into_iter()
                .map(|flow| FlowRow::new(flow, reactions, record.manifest.frames)),
        ),
        reactions,
        counters: tables::counters(&summary.flows),
        queues: queues(summary),
        ports: Table::new(
            summary.ports.len(),
            foremost(&summary.ports, |port| (port.pauses, port.utilisation_share))
                .into_iter()
                .map(PortRow::new),
        ),
        parameters: tables::parameters(&record.manifest.parameters),
        changed: record.manifest.parameters.iter().filter(|row| row.changed).count(),
        command: command::repeat(&record.manifest, &file),
        file,
        work: tables::work(record),
    };
    contents::insert(&page.render().expect("a template of strings renders"))
}

/// The queues, longest first; queues that were nearly always empty are collapsed.
fn queues(summary: &Summary) -> Table<QueueRow> {
    let worth = |queue: &QueueSummary| queue.mean_bytes >= 1.0 || queue.dropped_frames > 0;
    let used = summary.queues.iter().rposition(worth).map_or(0, |last| last + 1);
    let rows = summary.queues.iter().map(QueueRow::new);
    Table::opened(used.clamp(1, OPEN_ROWS), summary.queues.len(), rows)
}

fn network(record: &RunRecord) -> Option<Network> {
    let wide = topology::svg(record, Size::Wide, Surface::Page)?;
    let narrow = topology::svg(record, Size::Narrow, Surface::Page)?;
    Some(Network { wide, narrow, alternative: topology::alternative(record), note: topology::note(record) })
}

/// The title of the section on feedback from bridges.
fn feedback(record: &RunRecord) -> &'static str {
    match record.summary.total {
        TotalSummary { marked_frames: None | Some(0), .. } => "Notifications",
        TotalSummary { notifications: 0, .. } => "Marks",
        _ => "Notifications and marks",
    }
}

/// The figures in their sections; a section without content is left out.
fn sections(record: &RunRecord) -> Vec<Section> {
    let mut sections = [
        (Subject::Rates, Section { id: "rates", title: "Rates", figures: Vec::new() }),
        (Subject::Queues, Section { id: "queues", title: "Queues", figures: Vec::new() }),
        (Subject::Sources, Section { id: "sources", title: "Acknowledgements", figures: Vec::new() }),
        (
            Subject::Notifications,
            Section { id: "notifications", title: feedback(record), figures: Vec::new() },
        ),
        (Subject::Pauses, Section { id: "pauses", title: "Flow control", figures: Vec::new() }),
        (Subject::Messages, Section { id: "messages", title: "Messages", figures: Vec::new() }),
    ];
    for (subject, figure) in figures::all(record) {
        let section = sections.iter_mut().find(|(of, _)| *of == subject);
        section.expect("every subject has a section").1.figures.push(Drawn::new(&figure));
    }
    // The table of size classes belongs to the messages.
    let has_sizes = !entries::sizes(record).is_empty();
    let filled = |(subject, section): (Subject, Section)| {
        let is_filled = !section.figures.is_empty() || (subject == Subject::Messages && has_sizes);
        is_filled.then_some(section)
    };
    sections.into_iter().filter_map(filled).collect()
}

impl Drawn {
    pub(crate) fn new(figure: &Figure) -> Self {
        Self {
            name: figure.name.clone(),
            title: figure.title.clone(),
            alternative: figure.alternative.clone(),
            note: figure.note.clone(),
            wide: figure.svg(Size::Wide, Surface::Page),
            narrow: figure.svg(Size::Narrow, Surface::Page),
            data: figure.data(),
            class: match figure.room {
                Room::Full => "full",
                Room::Half => "half",
                Room::Major => "major",
                Room::Minor => "minor",
            },
        }
    }
}
