//! Pairs of senders and receivers.

use setpoint_sim::topology::{Node, NodeKind};
use setpoint_sim::traffic::matrix;
use setpoint_sim::{NodeId, Purpose, RandomStream, Topology};

use super::Setting;
use super::select::Names;
use crate::diagnostics::{Place, Problem};
use crate::format::{Choice, Flow, Names as Selection, Pattern, Placed};
use crate::limits::MAX_FLOWS;

/// Stations by name.
pub(super) struct Selector<'a> {
    stations: Vec<NodeId>,
    names: Names<'a>,
}

impl<'a> Selector<'a> {
    pub(super) fn new(topology: &'a Topology) -> Self {
        let stations: Vec<NodeId> = topology.stations().collect();
        let names = stations.iter().map(|&id| topology.node_at(id).name.as_str()).collect();
        let is_bridge = |node: &&Node| node.kind != NodeKind::Station;
        let bridges = topology.nodes().iter().filter(is_bridge).map(|node| node.name.as_str()).collect();
        let names =
            Names::new("station", names).with_others("a bridge; flows begin and end at stations", bridges);
        Self { stations, names }
    }

    /// The name of a station.
    pub(super) fn name(&self, station: NodeId) -> &'a str {
        let index = self.stations.iter().position(|&known| known == station);
        index.map_or("a station", |index| self.names.name(index))
    }

    /// The station with a name that is written at a place.
    pub(super) fn find(&self, name: &str, place: &Place) -> Result<NodeId, Problem> {
        Ok(self.stations[self.names.find(name, place)?])
    }

    /// The stations that names and patterns select, in order.
    pub(super) fn select(&mut self, selection: &[Placed<String>]) -> Result<Vec<NodeId>, Problem> {
        Ok(self.names.select(selection)?.into_iter().map(|index| self.stations[index]).collect())
    }

    /// The stations that a key selects; none if the key is not written.
    pub(super) fn select_any(&mut self, key: &Option<Selection>) -> Result<Vec<NodeId>, Problem> {
        self.select(key.as_deref().unwrap_or_default())
    }
}

/// The pairs of senders and receivers of an entry.
pub(super) fn pairs(
    entry: &Placed<Flow>,
    number: usize,
    seed: u64,
    selector: &mut Selector<'_>,
    room: usize,
) -> Result<Vec<(NodeId, NodeId)>, Problem> {
    let Flow { from, to, pattern, .. } = &**entry;
    let sources = selector.select(from)?;
    check_keys(entry)?;
    let each = if **pattern == Pattern::AllToAll { sources.len() - 1 } else { *entry.fan_out };
    let count = sources.len().saturating_mul(each);
    if count > room {
        return Err(too_many(pattern, count));
    }
    let pairs = match **pattern {
        Pattern::Incast => matrix::incast(&sources, single_sink(&selector.select_any(to)?, to)?),
        Pattern::Permutation => {
            let owner = u32::try_from(number).unwrap_or(u32::MAX);
            matrix::permutation(&sources, &mut RandomStream::new(seed, Purpose::Matrix, owner))
        }
        Pattern::AllToAll => matrix::all_to_all(&sources),
        Pattern::HotSpots => hot_spots(entry, selector, &sources)?,
        Pattern::Shift => shifted(entry, &sources)?,
        // Its pairs depend on its events (`incasts.rs`).
        Pattern::RandomIncast => Vec::new(),
        Pattern::Pairs => {
            let sinks = selector.select_any(to)?;
            zipped(entry, selector, (&sources, &sinks), room)?
        }
    };
    if pairs.is_empty() {
        let message = format!("the pattern {:?} creates no flow from these stations", pattern.word());
        return Err(Problem::at(from.place(), message, "")
            .help("it needs at least two stations, and a `shift` that does not end at the sender"));
    }
    Ok(pairs)
}

pub(super) fn too_many<T>(key: &Placed<T>, count: usize) -> Problem {
    let message = format!("this creates {count} flows; a scenario can have at most {MAX_FLOWS}");
    Problem::at(key.place(), message, "too many")
}

/// Refuses keys that the pattern would ignore, and requires those it needs.
pub(super) fn check_keys(entry: &Placed<Flow>) -> Result<(), Problem> {
    let Flow { to, shift, fan_out, .. } = &**entry;
    let (is_shift, pattern) = (*entry.pattern == Pattern::Shift, entry.pattern.word());
    let needs_to = matches!(*entry.pattern, Pattern::Pairs | Pattern::Incast | Pattern::HotSpots);
    if needs_to && !to.is_given() {
        let message = format!("the pattern {pattern:?} needs `to`");
        let problem = Problem::at(entry.place(), message, "`to` is missing");
        return Err(match *entry.pattern {
            Pattern::Pairs => problem.help("add it, or `group` for flows to all members of a group"),
            _ => problem,
        });
    }
    if !needs_to && to.is_given() && *entry.pattern != Pattern::RandomIncast {
        let message = format!("the pattern {pattern:?} takes no `to`: the senders are the receivers");
        return Err(Problem::at(to.place(), message, "would be ignored").help("remove it"));
    }
    if !is_shift && fan_out.is_given() {
        let message = format!("the pattern {pattern:?} takes no `fan_out`");
        return Err(
            Problem::at(fan_out.place(), message, "would be ignored").help("write `pattern = \"shift\"`")
        );
    }
    match (is_shift, shift.is_given()) {
        (true, false) => Err(Problem::at(entry.place(), "the pattern \"shift\" needs `shift`", "")
            .help("give the distance to the receiver, as in `shift = 64`")),
        (false, true) => {
            let message = format!("the pattern {pattern:?} takes no `shift`");
            Err(Problem::at(shift.place(), message, "would be ignored").help("write `pattern = \"shift\"`"))
        }
        _ => Ok(()),
    }
}

fn single_sink<T>(sinks: &[NodeId], key: &Placed<T>) -> Result<NodeId, Problem> {
    match sinks {
        [sink] => Ok(*sink),
        _ => Err(Problem::at(key.place(), format!("an incast has one receiver, not {}", sinks.len()), "")),
    }
}

/// Each station sends to those `shift`, 2 × `shift`, … places further along the list. A multiple
/// that ends at the sender would create fewer flows than requested, and larger multiples would
/// repeat the first ones.
fn shifted(entry: &Flow, sources: &[NodeId]) -> Result<Vec<(NodeId, NodeId)>, Problem> {
    let (shift, fan_out) = (entry.shift.unwrap_or(1), *entry.fan_out);
    let places = |multiple: usize| multiple.saturating_mul(shift);
    let back = (1..=fan_out).find(|&multiple| places(multiple).is_multiple_of(sources.len()));
    if let Some(multiple) = back.filter(|_| fan_out > 1) {
        let message = format!(
            "in a list of {} stations, the station {multiple} × {shift} places further on is the sender itself",
            sources.len()
        );
        return Err(Problem::at(entry.fan_out.place(), message, "too many")
            .help(format!("write at most {} for this `shift`, or change `shift`", multiple - 1)));
    }
    Ok((1..=fan_out).flat_map(|multiple| matrix::shifted(sources, places(multiple))).collect())
}

/// Assigns the senders to the receivers in turn.
fn hot_spots(
    entry: &Flow,
    selector: &mut Selector<'_>,
    sources: &[NodeId],
) -> Result<Vec<(NodeId, NodeId)>, Problem> {
    let to = &entry.to;
    let sinks = selector.select_any(to)?;
    if !sources.len().is_multiple_of(sinks.len()) {
        let message =
            format!("{} senders cannot be assigned evenly to {} receivers", sources.len(), sinks.len());
        return Err(Problem::at(to.place(), message, format!("{} stations", sinks.len()))
            .context(entry.from.place(), format!("{} stations", sources.len()))
            .help("the number of senders must be a multiple of the number of receivers"));
    }
    let pairs: Vec<_> = sources.iter().copied().zip(sinks.into_iter().cycle()).collect();
    check_loops(entry, selector, &pairs)?;
    Ok(pairs)
}

/// Refuses a station that would send to itself.
fn check_loops(entry: &Flow, selector: &Selector<'_>, pairs: &[(NodeId, NodeId)]) -> Result<(), Problem> {
    match pairs.iter().find(|(source, sink)| source == sink) {
        None => Ok(()),
        Some((station, _)) => {
            let name = selector.name(*station);
            Err(Problem::at(entry.to.place(), format!("{name:?} would send to itself"), "")
                .help("remove it from `from`; the pattern \"incast\" does so automatically"))
        }
    }
}

fn zipped(
    entry: &Placed<Flow>,
    selector: &Selector<'_>,
    (from, to): (&[NodeId], &[NodeId]),
    room: usize,
) -> Result<Vec<(NodeId, NodeId)>, Problem> {
    let count = from.len().max(to.len());
    if count > room {
        return Err(too_many(entry, count));
    }
    if from.len() != to.len() && from.len() != 1 && to.len() != 1 {
        let message = format!("{} senders cannot be paired with {} receivers", from.len(), to.len());
        return Err(Problem::at(entry.to.place(), message, format!("{} stations", to.len()))
            .context(entry.from.place(), format!("{} stations", from.len()))
            .help("give equal numbers of senders and receivers, or a single station on one side"));
    }
    let pairs: Vec<_> = from.iter().copied().cycle().zip(to.iter().copied().cycle()).take(count).collect();
    check_loops(entry, selector, &pairs)?;
    Ok(pairs)
}

/// Refuses pairs that are not connected by a path.
pub(super) fn check_reachable(
    entry: &Flow,
    pairs: &[(NodeId, NodeId)],
    setting: &Setting<'_>,
) -> Result<(), Problem> {
    let apart = |pair: &&(NodeId, NodeId)| setting.islands[pair.0.index()] != setting.islands[pair.1.index()];
    match pairs.iter().find(apart) {
        None => Ok(()),
        Some((source, sink)) => {
            let name = |id: &NodeId| &setting.topology.node_at(*id).name;
            let message = format!("{:?} cannot reach {:?}", name(source), name(sink));
            Err(Problem::at(entry.to.place(), message, "there is no path")
                .help("add a link between the two parts of the network"))
        }
    }
}
