//! The page of the atlas: small multiples of the stable region, the queue and the settling time, and packet simulations.

use setpoint_lab::theory::EquilibriumRecord;
use setpoint_lab::theory::atlas::{
    AtlasCell, AtlasRecord, AtlasRun, Limit, SchemeRecord, Stability, Verdict,
};
use setpoint_plot::{
    Axis, Better, Colour, Figure, HEAT_STEPS, HeatCell, HeatMap, Line, Mark, Panel, Places, Points,
    Reference, Room, Shape, Symbol, scale_for,
};
use setpoint_units::quantity::Unit;

use super::card;
use super::wording::{seconds, things};
use crate::document::{Block, Card, Cell, Column, Document, Section, Table};

/// The page of an atlas.
pub fn atlas(record: &AtlasRecord) -> Document {
    let mut page = Document::new("Stability atlas");
    page.description = "Where QCN and DCQCN are stable, over the number of flows, the delay of the network and the speed of the \
                        link."
        .into();
    page.facts = vec![
        things(record.cells.len() as u64, "network"),
        things(record.packets.len() as u64, "packet simulation"),
        format!("Setpoint {}", record.version),
    ];
    page.cards = cards(record);
    page.sections.push(reading(record));
    page.sections.push(boundaries(record));
    page.sections.push(margins(record));
    page.sections.push(queues(record));
    page.sections.extend(marks(record));
    page.sections.push(settling(record));
    page.sections.extend(packets(record));
    page.sections.push(models(record));
    page
}

fn modelled(record: &AtlasRecord) -> impl Iterator<Item = &SchemeRecord> {
    record.schemes.iter().filter(|scheme| scheme.model.is_some())
}

fn cells_of<'a>(record: &'a AtlasRecord, scheme: &'a SchemeRecord) -> impl Iterator<Item = &'a AtlasCell> {
    record.cells.iter().filter(|cell| cell.scheme == scheme.name)
}

fn cards(record: &AtlasRecord) -> Vec<Card> {
    let known = || record.cells.iter().filter(|cell| cell.limit != Some(Limit::NoModel));
    let count = |is: &dyn Fn(&&AtlasCell) -> bool| known().filter(is).count().to_string();
    let stable = |cell: &&AtlasCell| match cell.stability {
        Stability::Bounded => cell.margin_s.is_some_and(|margin| margin >= record.delay_s),
        other => other == Stability::Always,
    };
    let of = format!("of {} networks with a model", known().count());
    vec![
        card("Stable", count(&stable), format!("{of}, at a delay of {}", seconds(record.delay_s))),
        card("Never stable", count(&|cell| cell.stability == Stability::Never), "not even without delay"),
        card(
            "No equilibrium",
            count(&|cell| cell.stability == Stability::NoLoop),
            "the reasons are in the maps",
        ),
    ]
}

fn reading(record: &AtlasRecord) -> Section {
    let points = [
        "A line is the longest delay of the network at which the loop is stable. Below the line a disturbance decays; above it \
         the queue oscillates. Where a line is missing at some number of flows, the second map shows the reason."
            .to_owned(),
        format!(
            "The delay of the network is the time that a frame takes to reach the congested queue plus the time that the \
             feedback takes to return, without queueing. With DCQCN it covers the whole path to the receiver and back; with \
             QCN it covers the path to the bridge and back. All senders have the same delay. Frames have {}.",
            Unit::Bytes.text(record.frame_bytes)
        ),
        "The links of the senders are as fast as the congested link. The atlas assumes that nothing else limits the queue: \
         where the equilibrium is above the buffer, above Kmax, or needs less than the minimum rate, there is no line. \
         Where PFC would pause senders before the queue reaches its equilibrium, the map of queues says so."
            .to_owned(),
        "A stable loop still has a noisy queue, since marks are random and flows are few: stability means that \
         disturbances decay, not that they are small."
            .to_owned(),
    ];
    Section::new("reading", "How to read this page").with(Block::Points(points.to_vec()))
}

/// The common axes of all figures.
fn axes(record: &AtlasRecord) -> (Axis, Axis) {
    let flows = record.flows.iter().map(|flows| f64::from(*flows));
    let (few, many) = (flows.clone().fold(f64::INFINITY, f64::min), flows.clone().fold(1.0, f64::max));
    let mut x = Axis::logarithmic("Flows", Unit::Count, (few / 1.2, many * 1.2));
    x.marked = flows.collect();
    let delays = record.cells.iter().filter_map(|cell| cell.margin_s);
    let delays = delays.chain(record.packets.iter().map(|run| run.delay_s)).filter(|delay| *delay > 0.0);
    let (short, long) =
        (delays.clone().fold(f64::INFINITY, f64::min), delays.fold(f64::NEG_INFINITY, f64::max));
    (x, Axis::logarithmic("Longest stable delay", Unit::Seconds, (short.max(1e-7) / 1.3, long * 1.3)))
}

fn boundaries(record: &AtlasRecord) -> Section {
    let (x, y) = axes(record);
    let figure = |scheme: &SchemeRecord| boundary(record, scheme, (x.clone(), y.clone()));
    let figures: Vec<Figure> = record.schemes.iter().filter_map(figure).collect();
    let without =
        modelled(record).filter(|scheme| !cells_of(record, scheme).any(|cell| cell.margin_s.is_some()));
    let without: Vec<&str> = without.map(|scheme| scheme.name.as_str()).collect();
    let mut section = Section::new("region", "Stable region").with(Block::Figures(figures));
    if !without.is_empty() {
        section = section.with(Block::Note(format!(
            "Without a line at any speed and number of flows: {}.",
            without.join(", ")
        )));
    }
    section
}

fn boundary(record: &AtlasRecord, scheme: &SchemeRecord, (x, y): (Axis, Axis)) -> Option<Figure> {
    let name = format!("region-{}", scheme.name.replace(' ', "-"));
    let mut figure = Figure::new(&name, &scheme.name, x, y);
    for (index, speed) in record.speeds_bps.iter().enumerate() {
        let at = |cell: &&AtlasCell| cell.speed_bps == *speed;
        let point = |cell: &AtlasCell| (f64::from(cell.flows), cell.margin_s.unwrap_or(f64::NAN));
        let points: Vec<(f64, f64)> = cells_of(record, scheme).filter(at).map(point).collect();
        if points.iter().any(|point| point.1.is_finite()) {
            figure.marks.push(Mark::Line(Line {
                name: Unit::BitsPerSecond.text(*speed),
                colour: shade(index, record.speeds_bps.len()),
                shape: Shape::Dotted,
                points,
            }));
        }
    }
    let runs: Vec<&AtlasRun> = record.packets.iter().filter(|run| run.scheme == scheme.name).collect();
    if figure.marks.is_empty() && runs.is_empty() {
        return None;
    }
    let kinds = [
        (Verdict::Stable, "packets: stable", Symbol::Ring),
        (Verdict::Oscillates, "packets: oscillate", Symbol::Triangle),
        (Verdict::Unclear, "packets: unclear", Symbol::Cross),
    ];
    for (verdict, name, symbol) in kinds {
        let of = runs.iter().filter(|run| run.verdict == verdict);
        let points: Vec<(f64, f64)> = of.map(|run| (f64::from(run.flows), run.delay_s)).collect();
        if !points.is_empty() {
            figure.marks.push(Mark::Points(Points {
                name: name.to_owned(),
                colour: Colour::Ink,
                symbol,
                points,
            }));
        }
    }
    if scheme.model.is_none() {
        figure.note = "There is no model.".into();
    }
    figure.references.push(Reference {
        label: seconds(record.delay_s),
        at: record.delay_s,
        direction: setpoint_plot::Direction::Across,
    });
    figure.room = Room::Half;
    figure.alternative = alternative(record, scheme);
    Some(figure)
}

/// The colour of a speed: darker if it is faster.
fn shade(index: usize, count: usize) -> Colour {
    const LIGHTEST: usize = 5;
    Colour::Heat(LIGHTEST + index * (HEAT_STEPS - 1 - LIGHTEST) / (count.max(2) - 1))
}

fn alternative(record: &AtlasRecord, scheme: &SchemeRecord) -> String {
    if scheme.model.is_none() {
        return format!(
            "The verdicts on packet simulations of {} over the number of flows and the delay.",
            scheme.name
        );
    }
    let margins: Vec<f64> = cells_of(record, scheme).filter_map(|cell| cell.margin_s).collect();
    let least = margins.iter().copied().fold(f64::INFINITY, f64::min);
    let most = margins.iter().copied().fold(0.0, f64::max);
    format!(
        "The longest stable delay of {} over the number of flows, one line for each speed: from {} to {}.",
        scheme.name,
        seconds(least),
        seconds(most)
    )
}

/// A map with one panel for each algorithm.
fn map(
    record: &AtlasRecord,
    (name, title): (&str, &str),
    scale: (Unit, Option<Better>),
    cell: impl Fn(&AtlasCell) -> HeatCell,
) -> HeatMap {
    let (unit, better) = scale;
    let speeds = record.speeds_bps.iter().map(|speed| gigabits(*speed)).collect();
    let flows = record.flows.iter().map(ToString::to_string).collect();
    let panel = |scheme: &SchemeRecord| {
        let row = |flows: &u32| {
            let here = |speed: &f64| {
                let found =
                    cells_of(record, scheme).find(|cell| cell.speed_bps == *speed && cell.flows == *flows);
                found.map_or_else(HeatCell::default, &cell)
            };
            record.speeds_bps.iter().map(here).collect()
        };
        Panel { title: scheme.name.clone(), rows: record.flows.iter().map(row).collect() }
    };
    let panels: Vec<Panel> = modelled(record).map(panel).collect();
    let values = panels.iter().flat_map(|panel| panel.rows.iter().flatten()).filter_map(|cell| cell.value);
    let scale = scale_for(title, unit, values);
    let sides = (Places::new("Speed in Gb/s", speeds), Places::new("Flows", flows));
    let mut map = HeatMap::new(name, title, sides, scale);
    map.better = better;
    map.missing = "no value (see tooltip)".into();
    map.panels = panels;
    map.room = Room::Full;
    map
}

fn gigabits(speed: f64) -> String {
    setpoint_units::quantity::significant(speed / 1e9, 3)
}

/// The reason for a cell without an equilibrium, in a few words.
fn why(cell: &AtlasCell) -> String {
    match cell.limit {
        None => String::new(),
        Some(Limit::MinRate) => "the flows exceed the link at their minimum rate".into(),
        Some(Limit::BeyondKmax) => "the queue moves around Kmax".into(),
        Some(Limit::Full | Limit::NoModel | Limit::Other) => cell.reason.clone().unwrap_or_default(),
    }
}

fn margins(record: &AtlasRecord) -> Section {
    let cell = |cell: &AtlasCell| match cell.stability {
        Stability::Never => HeatCell { value: Some(0.0), note: "unstable even without delay".into() },
        Stability::Always => HeatCell { value: None, note: "stable at every delay".into() },
        _ => HeatCell { value: cell.margin_s, note: why(cell) },
    };
    let mut map =
        map(record, ("margins", "Longest stable delay"), (Unit::Seconds, Some(Better::Larger)), cell);
    map.note = "0 s: unstable even without delay.".into();
    let mut section = Section::new("margins", "Longest stable delay").with(Block::HeatMaps(vec![map]));
    let limits = [
        (
            Limit::BeyondKmax,
            "need more marks than the congestion point sets up to Kmax, so that the queue moves around Kmax",
        ),
        (
            Limit::MinRate,
            "exceed the link even if every flow sends at its minimum rate, so that the queue is always full",
        ),
        (Limit::Full, "have an equilibrium beyond the buffer or the range of the feedback"),
        (Limit::Other, "have no loop for another reason"),
    ];
    let sentence = |(limit, words): (Limit, &str)| {
        let count = record.cells.iter().filter(|cell| cell.limit == Some(limit)).count();
        (count > 0).then(|| format!("{} {words}.", things(count as u64, "network")))
    };
    let sentences: Vec<String> = limits.into_iter().filter_map(sentence).collect();
    if !sentences.is_empty() {
        section = section.with(Block::Points(sentences));
    }
    section
}

fn is_paused(cell: &AtlasCell) -> bool {
    let queue = cell.equilibrium.as_ref().map(|at| at.queue_bytes);
    queue.zip(cell.pauses_from_bytes).is_some_and(|(queue, pauses)| queue > pauses)
}

fn queues(record: &AtlasRecord) -> Section {
    let cell = |cell: &AtlasCell| {
        let paused = if is_paused(cell) { "PFC with its default thresholds pauses first" } else { "" };
        let note = if cell.limit.is_some() { why(cell) } else { paused.to_owned() };
        HeatCell { value: cell.equilibrium.as_ref().map(|at| at.queue_bytes), note }
    };
    let map = map(record, ("queues", "Queue at the equilibrium"), (Unit::Bytes, Some(Better::Neither)), cell);
    let paused = record.cells.iter().filter(|cell| is_paused(cell)).count();
    let words = match paused {
        0 => "In none of these networks would PFC with its default thresholds pause senders below the equilibrium.".to_owned(),
        some => format!(
            "In {} PFC with its default thresholds would pause senders before the queue reaches its equilibrium, so that PFC \
             and not the algorithm holds the queue.",
            things(some as u64, "network")
        ),
    };
    Section::new("queues", "Queue at the equilibrium")
        .with(Block::Prose(words))
        .with(Block::HeatMaps(vec![map]))
}

/// The marking probability and α at the equilibrium; none if no algorithm marks frames.
fn marks(record: &AtlasRecord) -> Option<Section> {
    let of = |id: &str, title: &str, unit: Unit, read: fn(&EquilibriumRecord) -> Option<f64>| {
        let cell =
            |cell: &AtlasCell| HeatCell { value: cell.equilibrium.as_ref().and_then(read), note: why(cell) };
        let mut map = map(record, (id, title), (unit, Some(Better::Neither)), cell);
        map.panels.retain(|panel| panel.rows.iter().flatten().any(|cell| cell.value.is_some()));
        map
    };
    let marking = of("marking", "Marking probability at the equilibrium", Unit::Share, |at| at.marking_share);
    let alpha = of("alpha", "α at the equilibrium", Unit::Ratio, |at| at.alpha);
    let maps: Vec<HeatMap> = [marking, alpha].into_iter().filter(|map| !map.panels.is_empty()).collect();
    let words = "The probability with which the congestion point marks a frame, and α, the estimate of it by which the sources cut \
                 their rates.";
    (!maps.is_empty()).then(|| {
        Section::new("marks", "Marks at the equilibrium")
            .with(Block::Prose(words.into()))
            .with(Block::HeatMaps(maps))
    })
}

fn settling(record: &AtlasRecord) -> Section {
    let cell = |cell: &AtlasCell| {
        let unstable = cell.limit.is_none() && cell.settling_s.is_none();
        let note = if unstable { "unstable at this delay".to_owned() } else { why(cell) };
        HeatCell { value: cell.settling_s, note }
    };
    let title = format!("Settling time at a delay of {}", seconds(record.delay_s));
    let mut map = map(record, ("settling", &title), (Unit::Seconds, Some(Better::Smaller)), cell);
    map.missing = "unstable at this delay, or no equilibrium".into();
    let words = "The settling time is the time in which a small disturbance falls to 2 %, according to the slowest mode of \
                 the linear loop.";
    Section::new("settling", "Settling time")
        .with(Block::Prose(words.into()))
        .with(Block::HeatMaps(vec![map]))
}

fn packets(record: &AtlasRecord) -> Option<Section> {
    if record.packets.is_empty() {
        return None;
    }
    let seeds = record.packets.first().map_or(0, |run| run.seed);
    let words = format!(
        "Every point was simulated with seed {seeds}. For DCQCN, the same network was also simulated with a quarter of the \
         flows, of the link’s rate and of the thresholds, for which the model is the same: if the queue’s deviation relative \
         to its mean falls to about a half from the smaller to the larger network, it is noise; if it does not change, the queue \
         oscillates. QCN’s queue oscillates if it has a period. “Unclear” is neither agreement nor contradiction. Algorithms \
         without a model were simulated at a delay of {} and at ten times this delay.",
        seconds(record.delay_s)
    );
    let mut table = Table::new(
        [Column::words("Algorithm"), Column::words("Model")]
            .into_iter()
            .chain(["Stable", "Oscillate", "Unclear"].map(Column::figures)),
    );
    for scheme in &record.schemes {
        for (stable, word) in [(Some(true), "stable"), (Some(false), "unstable"), (None, "none")] {
            let runs = || {
                let of = |run: &&AtlasRun| run.scheme == scheme.name && run.model_is_stable == stable;
                record.packets.iter().filter(of)
            };
            if runs().next().is_none() {
                continue;
            }
            let count = |verdict: Verdict| runs().filter(|run| run.verdict == verdict).count().to_string();
            table.row([
                Cell::words(scheme.name.clone()),
                Cell::words(word),
                Cell::words(count(Verdict::Stable)),
                Cell::words(count(Verdict::Oscillates)),
                Cell::words(count(Verdict::Unclear)),
            ]);
        }
    }
    let contradicts = |run: &&AtlasRun| match run.verdict {
        Verdict::Stable => run.model_is_stable == Some(false),
        Verdict::Oscillates => run.model_is_stable == Some(true),
        Verdict::Unclear => false,
    };
    let mut section =
        Section::new("packets", "Packet simulations").with(Block::Prose(words)).with(Block::Table(table));
    let contradictions: Vec<String> = record.packets.iter().filter(contradicts).map(contradiction).collect();
    if !contradictions.is_empty() {
        section = section
            .with(Block::Prose(format!(
                "In {} the packet simulation and the model differ:",
                things(contradictions.len() as u64, "point")
            )))
            .with(Block::Points(contradictions));
    }
    let unclear: Vec<String> =
        record.packets.iter().filter(|run| run.verdict == Verdict::Unclear).map(unclear).collect();
    if !unclear.is_empty() {
        let summary = format!("{} unclear", unclear.len());
        section = section.with(Block::More { summary, blocks: vec![Block::Points(unclear)] });
    }
    if !record.failed.is_empty() {
        section = section.with(Block::Note(format!("Without a result: {}.", record.failed.join("; "))));
    }
    Some(section)
}

fn place(run: &AtlasRun) -> String {
    format!(
        "{}, {}, {}, delay {}",
        run.scheme,
        Unit::BitsPerSecond.text(run.speed_bps),
        things(run.flows.into(), "flow"),
        seconds(run.delay_s)
    )
}

fn contradiction(run: &AtlasRun) -> String {
    let (model, verdict) = match run.verdict {
        Verdict::Oscillates => ("stable", "oscillates"),
        _ => ("unstable", "does not oscillate"),
    };
    let ratio = run.deviation_ratio.map(|ratio| format!(", ratio of deviations {ratio:.2}"));
    format!(
        "{}: the model is {model}, and the queue {verdict}: mean {}, deviation {}{}.",
        place(run),
        Unit::Bytes.text(run.queue_mean_bytes.round()),
        Unit::Bytes.text(run.queue_deviation_bytes.round()),
        ratio.unwrap_or_default()
    )
}

fn unclear(run: &AtlasRun) -> String {
    format!("{}: {}.", place(run), run.why.as_deref().unwrap_or("no reason is known"))
}

fn models(record: &AtlasRecord) -> Section {
    let sentence = |scheme: &SchemeRecord| match (&scheme.model, &scheme.reason) {
        (Some(model), _) => format!("{}: {model}.", scheme.name),
        (None, Some(reason)) => format!("{}: no model, since {reason}.", scheme.name),
        (None, None) => format!("{}: no model.", scheme.name),
    };
    let mut section =
        Section::new("models", "Models").with(Block::Points(record.schemes.iter().map(sentence).collect()));
    let simplified = modelled(record).filter(|scheme| !scheme.leaves_out.is_empty());
    let blocks: Vec<Block> = simplified
        .flat_map(|scheme| {
            [Block::Prose(format!("{}:", scheme.name)), Block::Points(scheme.leaves_out.clone())]
        })
        .collect();
    if !blocks.is_empty() {
        section = section.with(Block::More { summary: "Simplifications".into(), blocks });
    }
    section
}
