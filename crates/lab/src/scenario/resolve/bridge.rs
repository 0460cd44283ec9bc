//! How the bridges of a scenario work, and whether frames, thresholds and congestion points fit them.

use setpoint_control::Marking;
use setpoint_sim::{Bridges, Cells, Cioq, Delivery, Spec, SpecError, Spraying, check_input_room};
use setpoint_units::Bytes;

use super::Setting;
use super::network::MAX_FRAME;
use crate::scenario::diagnostics::{Problem, Problems};
use crate::scenario::view::View;

/// The kind of bridge that was chosen, or that the topology asks for.
pub(super) fn kind<'a>(root: &View<'a>) -> View<'a> {
    let key = root.key("bridge");
    key.kind().unwrap_or_else(|| key.key(if is_rack_fabric(root) { "cioq" } else { "output-queued" }))
}

fn is_rack_fabric(root: &View<'_>) -> bool {
    root.key("topology").kind().is_some_and(|kind| kind.name() == "rack_fabric")
}

/// How bridges work.
pub(super) fn bridges(root: &View<'_>, problems: &mut Problems) -> Option<Bridges> {
    let kind = kind(root);
    if kind.name() == "cioq" {
        return cioq(&kind, problems).map(Bridges::Cioq);
    }
    if is_rack_fabric(root) {
        problems.push(
            Problem::at(
                root.key("bridge").place(),
                "the leaves of a rack fabric have input buffers",
                "cannot be output-queued",
            )
            .context(root.key("topology").place(), "one bridge whose ports are the leaves")
            .help("remove `bridge`, or take `[topology.leaf_spine]`, where leaves and spines are bridges of their own"),
        );
        return None;
    }
    Some(Bridges::OutputQueued)
}

fn cioq(kind: &View<'_>, problems: &mut Problems) -> Option<Cioq> {
    let cells = kind.key("cells");
    let unit = problems.take(unit(kind));
    let payload = problems.take(payload(&cells));
    let room = |name: &str| u32::try_from(cells.key(name).integer()?).ok();
    Some(Cioq {
        input_buffer: kind.key("input_buffer").size()?,
        unit: unit?,
        speedup: kind.key("speedup").percent()?,
        control_delay: kind.key("control_delay").time()?,
        delivery: match kind.key("delivery").text()? {
            "reliable" => Delivery::Reliable,
            _ => Delivery::Plain,
        },
        cells: Cells {
            payload: payload?,
            header: cells.key("header").size()?,
            spine_input: room("spine_input")?,
            spine_output: room("spine_output")?,
            spraying: match cells.key("spraying").text()? {
                "random" => Spraying::Random,
                _ => Spraying::RoundRobin,
            },
        },
    })
}

fn unit(kind: &View<'_>) -> Result<Bytes, Problem> {
    let (key, buffer_key) = (kind.key("unit"), kind.key("input_buffer"));
    let (unit, buffer) = (key.size().unwrap_or_default(), buffer_key.size().unwrap_or_default());
    if unit.is_zero() {
        return Err(Problem::at(key.place(), "`unit` is 0 B, and must be larger", "holds nothing")
            .help("write a size such as \"256 B\""));
    }
    if unit > buffer {
        let (place, other) = if key.is_given() { (&key, &buffer_key) } else { (&buffer_key, &key) };
        let message = format!("a unit of {unit} does not fit into an input buffer of {buffer}");
        let problem = Problem::at(place.place(), message, "no frame would ever find room");
        let problem = if other.is_given() { problem.context(other.place(), "the other") } else { problem };
        return Err(problem.help("make `unit` smaller, or `input_buffer` larger"));
    }
    Ok(unit)
}

/// What a cell holds of a frame.
fn payload(cells: &View<'_>) -> Result<Bytes, Problem> {
    let (key, header) = (cells.key("payload"), cells.key("header").size().unwrap_or_default());
    let payload = key.size().unwrap_or_default();
    if payload.is_zero() {
        return Err(Problem::at(key.place(), "`payload` is 0 B, and must be larger", "holds nothing")
            .help("a frame is cut into cells of this size; write one such as \"256 B\""));
    }
    if payload.get().saturating_add(header.get()) > MAX_FRAME.get() {
        let message = format!("a cell of {payload} with a header of {header}; at most {MAX_FRAME} together");
        return Err(Problem::at(cells.place(), message, "out of range"));
    }
    Ok(payload)
}

/// Refuses frames that find no room in an empty buffer, given out in whole units.
pub(super) fn check_frame(setting: &Setting<'_>, key: &View<'_>, frame: Bytes) -> Result<(), Problem> {
    let Bridges::Cioq(cioq) = setting.bridges else { return Ok(()) };
    let buffers = [
        (kind(&setting.root).key("input_buffer"), "bridge.cioq.input_buffer", cioq.input_buffer),
        (setting.root.key("network").key("buffer"), "network.buffer", setting.network.buffer),
    ];
    for (buffer, name, room) in buffers {
        let units = room.get() / cioq.unit.get();
        if u64::from(cioq.units(frame)) > units {
            let unit = cioq.unit;
            let message = format!(
                "a frame of {frame} does not fit into a buffer of {room}, which has {units} units of {unit}"
            );
            let place = if key.is_given() { *key } else { buffer };
            return Err(Problem::at(place.place(), message, "no frame would get in")
                .help(format!("make `{name}` larger")));
        }
    }
    Ok(())
}

/// Refuses buffers of more units than can be counted.
pub(super) fn check_units(root: &View<'_>, spec: &Spec) -> Result<(), Problem> {
    let Bridges::Cioq(cioq) = spec.bridges else { return Ok(()) };
    let words = spec.control.marking != Marking::Arrival;
    let (most, why) = if words {
        (Cioq::MOST_WORDS, ", each with a word in the culprit array")
    } else {
        (Cioq::MOST_UNITS, "")
    };
    let inputs = (kind(root).key("input_buffer"), cioq.input_buffer, most, why);
    let outputs = (root.key("network").key("buffer"), spec.buffer, Cioq::MOST_UNITS, "");
    for (key, room, most, why) in [inputs, outputs] {
        let units = room.get() / cioq.unit.get();
        if units > most {
            let message =
                format!("a buffer of {room} has {units} units of {}; at most {most}{why}", cioq.unit);
            return Err(Problem::at(key.place(), message, "too many units")
                .help("make the buffer smaller, or `bridge.cioq.unit` larger"));
        }
    }
    Ok(())
}

/// Refuses thresholds of flow control beyond the room of an input.
pub(super) fn check_thresholds(root: &View<'_>, spec: &Spec) -> Result<(), Problem> {
    let (Bridges::Cioq(cioq), Some(params)) = (spec.bridges, spec.flow_control.params()) else {
        return Ok(());
    };
    let Err(SpecError::InputTooSmall { port, needed, room }) = check_input_room(spec) else { return Ok(()) };
    let message = format!(
        "`xoff` ({}) and the headroom of {} ({}) do not fit into an input buffer of {}, which holds {room} in whole units",
        params.xoff,
        spec.topology.port_name(port),
        needed.saturating_sub(params.xoff),
        cioq.input_buffer
    );
    let enough = Bytes::new(needed.get().next_multiple_of(cioq.unit.get()));
    Err(Problem::at(written(root).place(), message, "frames could be lost").help(format!(
        "lower `xoff` and `xon`, or make `bridge.cioq.input_buffer` at least {enough}; shorter frames, cables and `unit`s need less"
    )))
}

/// The key to blame for thresholds beyond the buffer: the first that is written.
fn written<'a>(root: &View<'a>) -> View<'a> {
    let input_buffer = kind(root).key("input_buffer");
    let Some(flow_control) = root.key("flow_control").kind() else { return input_buffer };
    let thresholds = ["headroom", "xoff"].map(|name| flow_control.key(name));
    thresholds.into_iter().find(View::is_given).unwrap_or(input_buffer)
}
