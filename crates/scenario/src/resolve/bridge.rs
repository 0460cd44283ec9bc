//! The settings of a scenario's bridges, and checks that frames, thresholds and congestion points fit them.

use setpoint_control::Marking;
use setpoint_sim::{
    self as sim, Alpha, Bridges, Cioq, HeadroomPool, SharedBuffer, Spec, SpecError, check_input_room,
    check_shared_buffers,
};
use setpoint_units::Bytes;

use super::Setting;
use crate::diagnostics::{Place, Problem, Problems};
use crate::format::{self, AnyKey, Cells, FlowControl, Placed, Root, Topology};
use crate::limits::MAX_FRAME;
use crate::port_names;

/// The settings of the bridges.
pub(super) fn bridges(root: &Root, problems: &mut Problems) -> Option<Bridges> {
    if let Some(keys) = root.cioq() {
        return cioq(keys, problems).map(Bridges::Cioq);
    }
    if matches!(*root.topology, Topology::RackFabric(_)) {
        problems.push(
            Problem::at(
                root.bridge.place(),
                "the leaves of a rack fabric have input buffers",
                "cannot be output-queued",
            )
            .context(root.topology.place(), "one bridge whose ports are the leaves")
            .help("remove `bridge`, or use `[topology.leaf_spine]`, where leaves and spines are separate bridges"),
        );
        return None;
    }
    match root.shared_buffer() {
        Some(keys) => shared_buffer(root, keys, problems).map(Bridges::SharedBuffer),
        None => Some(Bridges::OutputQueued),
    }
}

fn shared_buffer(root: &Root, keys: &format::SharedBuffer, problems: &mut Problems) -> Option<SharedBuffer> {
    let ingress = problems.take(alpha(&keys.alpha, *keys.alpha));
    let egress = problems.take(alpha(&keys.egress_alpha, *keys.egress_alpha));
    let priority_alpha = problems.take(priority_alpha(root, keys));
    Some(SharedBuffer {
        size: *keys.size,
        alpha: ingress?,
        egress_alpha: egress?,
        priority_alpha: priority_alpha?,
        reserve: *keys.reserve,
        headroom_pool: keys.headroom_pool.quantity.map_or(HeadroomPool::Sum, HeadroomPool::Fixed),
        resume_offset: *keys.resume_offset,
    })
}

fn alpha<T>(key: &Placed<T>, factor: f64) -> Result<Alpha, Problem> {
    Alpha::new(factor).ok_or_else(|| {
        let message = format!("a threshold of {factor} times the free space is not possible");
        Problem::at(key.place(), message, "must be between 1/65536 and 256")
            .help("switch chips use powers of two between 1/128 and 64; write 0.125 for 1/8")
    })
}

/// The factors of single priorities.
fn priority_alpha(root: &Root, keys: &format::SharedBuffer) -> Result<[Option<Alpha>; 8], Problem> {
    let mut factors = [None; 8];
    for (key, factor) in keys.priority_alpha.factors().into_iter().zip(&mut factors) {
        let Some(given) = **key else { continue };
        if let FlowControl::Pause(_) = &*root.flow_control {
            let message =
                "PAUSE does not distinguish priorities, so they cannot have thresholds of their own";
            return Err(Problem::at(key.place(), message, "not possible")
                .context(root.flow_control.chosen().place(), "stops the whole link")
                .help("use `flow_control.pfc`, or set `bridge.shared_buffer.alpha`"));
        }
        *factor = Some(alpha(key, given)?);
    }
    Ok(factors)
}

/// Refuses thresholds of flow control that a shared buffer replaces.
pub(super) fn check_fixed_thresholds(root: &Root) -> Result<(), Problem> {
    let (Some(shared), Some(keys)) = (root.shared_buffer(), root.flow_control.thresholds()) else {
        return Ok(());
    };
    let both: [(&str, &Placed<Bytes>); 2] = [("xoff", &keys.xoff), ("xon", &keys.xon)];
    match both.into_iter().find(|(_, key)| key.is_given()) {
        None => Ok(()),
        Some((name, key)) => {
            let message = format!(
                "`{name}` is a fixed threshold, but bridges with a shared buffer have dynamic thresholds"
            );
            Err(Problem::at(key.place(), message, "has no effect")
                .context(shared.place(), "the thresholds of inputs follow from `alpha` and the free space")
                .help(format!("remove `{name}`, and set `bridge.shared_buffer.alpha` and `resume_offset`")))
        }
    }
}

/// Refuses a shared buffer without room for its reserves, its headroom pool and a frame.
pub(super) fn check_shared_size(root: &Root, spec: &Spec) -> Result<(), Problem> {
    let Some(keys) = root.shared_buffer() else { return Ok(()) };
    let Err(SpecError::SharedTooSmall { bridge, size, reserves, headroom_pool, short_by }) =
        check_shared_buffers(spec)
    else {
        return Ok(());
    };
    let message = format!(
        "a shared buffer of {size} is too small by {short_by}: `{}` reserves {reserves}, its headroom pool has {headroom_pool}, and a \
         frame must fit into the rest",
        spec.topology.node_at(bridge).name
    );
    let enough = Bytes::new(size.get().saturating_add(short_by.get()));
    Err(Problem::at(keys.size.place(), message, "no shared space is left").help(format!(
        "write `size = \"{enough}\"` or more, or lower `reserve` or the headroom: shorter cables and frames need less"
    )))
}

fn cioq(keys: &format::Cioq, problems: &mut Problems) -> Option<Cioq> {
    let cells = &keys.cells;
    let fits = [problems.take(check_unit(keys)), problems.take(check_cells(cells))];
    fits.iter().all(Option::is_some).then(|| Cioq {
        input_buffer: *keys.input_buffer,
        unit: *keys.unit,
        speedup: *keys.speedup,
        control_delay: *keys.control_delay,
        delivery: *keys.delivery,
        cells: sim::Cells {
            payload: *cells.payload,
            header: *cells.header,
            spine_input: *cells.spine_input,
            spine_output: *cells.spine_output,
            spraying: *cells.spraying,
        },
    })
}

fn check_unit(keys: &format::Cioq) -> Result<(), Problem> {
    let (unit, buffer) = (&keys.unit, &keys.input_buffer);
    if unit.is_zero() {
        return Err(Problem::at(unit.place(), "`unit` is 0 B, but must be larger", "cannot be empty")
            .help("write a size such as \"256 B\""));
    }
    if **unit > **buffer {
        let (key, other) = if unit.is_given() { (unit, buffer) } else { (buffer, unit) };
        let message = format!("a unit of {} does not fit into an input buffer of {}", **unit, **buffer);
        let problem = Problem::at(key.place(), message, "no frame would fit");
        let label = if unit.is_given() { "`input_buffer`" } else { "`unit`" };
        let problem = if other.is_given() { problem.context(other.place(), label) } else { problem };
        return Err(problem.help("make `unit` smaller, or `input_buffer` larger"));
    }
    Ok(())
}

fn check_cells(cells: &Placed<Cells>) -> Result<(), Problem> {
    let (payload, header) = (*cells.payload, *cells.header);
    if payload.is_zero() {
        let message = "`payload` is 0 B, but must be larger";
        return Err(Problem::at(cells.payload.place(), message, "cannot be empty")
            .help("frames are cut into cells of this size; write a size such as \"256 B\""));
    }
    if payload.get().saturating_add(header.get()) > MAX_FRAME.get() {
        let message = format!("a cell of {payload} and its header of {header} together exceed {MAX_FRAME}");
        return Err(Problem::at(cells.place(), message, "out of range"));
    }
    Ok(())
}

/// Refuses frames that do not fit into an empty buffer, which is allocated in whole units.
pub(super) fn check_frame(setting: &Setting<'_>, key: &dyn AnyKey, frame: Bytes) -> Result<(), Problem> {
    let (Bridges::Cioq(cioq), Some(keys)) = (setting.bridges, setting.root.cioq()) else { return Ok(()) };
    let buffers =
        [(&keys.input_buffer, "bridge.cioq.input_buffer"), (&setting.root.network.buffer, "network.buffer")];
    for (buffer, name) in buffers {
        let room = **buffer;
        let units = room.get() / cioq.unit.get();
        if u64::from(cioq.units(frame)) > units {
            let unit = cioq.unit;
            let message = format!(
                "a frame of {frame} does not fit into a buffer of {room}, which has {units} units of {unit}"
            );
            let place = if key.is_given() { key.place() } else { buffer.place() };
            return Err(
                Problem::at(place, message, "no frame would fit").help(format!("make `{name}` larger"))
            );
        }
    }
    Ok(())
}

/// Refuses buffers with more units than can be counted.
pub(super) fn check_units(root: &Root, spec: &Spec) -> Result<(), Problem> {
    let (Bridges::Cioq(cioq), Some(keys)) = (spec.bridges, root.cioq()) else { return Ok(()) };
    let words = spec.control.marking != Marking::Arrival;
    let (most, why) = if words {
        (Cioq::MOST_WORDS, ", each with a word in the culprit array")
    } else {
        (Cioq::MOST_UNITS, "")
    };
    let inputs = (&keys.input_buffer, most, why);
    let outputs = (&root.network.buffer, Cioq::MOST_UNITS, "");
    for (key, most, why) in [inputs, outputs] {
        let room = **key;
        let units = room.get() / cioq.unit.get();
        if units > most {
            let message =
                format!("a buffer of {room} has {units} units of {}; the maximum is {most}{why}", cioq.unit);
            return Err(Problem::at(key.place(), message, "too many units")
                .help("make the buffer smaller, or `bridge.cioq.unit` larger"));
        }
    }
    Ok(())
}

/// Refuses flow-control thresholds that do not fit into an input buffer.
pub(super) fn check_thresholds(root: &Root, spec: &Spec) -> Result<(), Problem> {
    let (Bridges::Cioq(cioq), Some(params)) = (spec.bridges, spec.flow_control.params()) else {
        return Ok(());
    };
    let Err(SpecError::InputTooSmall { port, needed, room }) = check_input_room(spec) else { return Ok(()) };
    let message = format!(
        "`xoff` ({}) and the headroom of {} ({}) do not fit into an input buffer of {}, which holds {room} in whole units",
        params.xoff,
        port_names::shown(&spec.topology, port),
        needed.saturating_sub(params.xoff),
        cioq.input_buffer
    );
    let enough = Bytes::new(needed.get().next_multiple_of(cioq.unit.get()));
    Err(Problem::at(written(root), message, "frames could be lost").help(format!(
        "lower `xoff` and `xon`, or make `bridge.cioq.input_buffer` at least {enough}; shorter frames, shorter \
             cables and smaller units need less"
    )))
}

/// The place at which to report thresholds that exceed the buffer: the first key that is written.
fn written(root: &Root) -> &Place {
    let thresholds =
        root.flow_control.thresholds().map(|keys| -> [&dyn AnyKey; 2] { [&keys.headroom, &keys.xoff] });
    let written = thresholds.into_iter().flatten().find(|key| key.is_given()).map(AnyKey::place);
    written.or(root.cioq().map(|keys| keys.input_buffer.place())).unwrap_or(root.bridge.place())
}
