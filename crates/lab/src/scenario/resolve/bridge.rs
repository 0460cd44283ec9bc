//! How the bridges of a scenario work, and whether frames, thresholds and congestion points fit them.

use setpoint_sim::topology::NodeKind;
use setpoint_sim::{
    Bridges, Cells, Cioq, Delivery, FlowControl, Headroom, PortId, Spec, Spraying, required_headroom,
};
use setpoint_units::Bytes;

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
    let payload = problems.take(payload(&cells.key("payload")));
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

fn payload(key: &View<'_>) -> Result<Bytes, Problem> {
    match key.size().unwrap_or_default() {
        Bytes::ZERO => Err(Problem::at(key.place(), "`payload` is 0 B, and must be larger", "holds nothing")
            .help("a frame is cut into cells of this size")),
        payload => Ok(payload),
    }
}

/// Refuses frames that find no room in an empty input buffer, given out in units.
pub(super) fn check_frame(
    root: &View<'_>,
    key: &View<'_>,
    frame: Bytes,
    bridges: &Bridges,
) -> Result<(), Problem> {
    let Bridges::Cioq(cioq) = bridges else { return Ok(()) };
    let units = cioq.input_buffer.get() / cioq.unit.get();
    if u64::from(cioq.units(frame)) <= units {
        return Ok(());
    }
    let message = format!(
        "a frame of {frame} does not fit into an input buffer of {}, which has {units} units of {}",
        cioq.input_buffer, cioq.unit
    );
    let place = if key.is_given() { *key } else { kind(root).key("input_buffer") };
    Err(Problem::at(place.place(), message, "no frame would get in")
        .help("make `bridge.cioq.input_buffer` larger"))
}

/// Refuses thresholds of flow control beyond the room of an input.
pub(super) fn check_thresholds(root: &View<'_>, spec: &Spec) -> Result<(), Problem> {
    let Bridges::Cioq(cioq) = spec.bridges else { return Ok(()) };
    let (FlowControl::Pause(params) | FlowControl::Pfc(params, _)) = spec.flow_control else { return Ok(()) };
    let room = |port: PortId| match params.headroom {
        Headroom::Fixed(headroom) => headroom,
        Headroom::Automatic => required_headroom(spec, port),
    };
    let beyond =
        |port: &PortId| params.xoff.get().saturating_add(room(*port).get()) > cioq.input_buffer.get();
    let Some(port) = spec.topology.ports().filter(|port| is_input(spec, *port)).find(beyond) else {
        return Ok(());
    };
    let message = format!(
        "`xoff` ({}) and the headroom of {} ({}) do not fit into an input buffer of {}",
        params.xoff,
        spec.topology.port_name(port),
        room(port),
        cioq.input_buffer
    );
    Err(Problem::at(written(root).place(), message, "frames could be lost")
        .help("lower `xoff` and `xon`, or make `bridge.cioq.input_buffer` larger"))
}

/// The key to blame for thresholds beyond the buffer: the first that is written.
fn written<'a>(root: &View<'a>) -> View<'a> {
    let input_buffer = kind(root).key("input_buffer");
    let Some(flow_control) = root.key("flow_control").kind() else { return input_buffer };
    let thresholds = ["headroom", "xoff"].map(|name| flow_control.key(name));
    thresholds.into_iter().find(View::is_given).unwrap_or(input_buffer)
}

/// Whether a port feeds an input buffer: what comes from a spine is on its way to an output.
fn is_input(spec: &Spec, port: PortId) -> bool {
    let kind = |node| spec.topology.node_at(node).kind;
    kind(spec.topology.target(port)) == NodeKind::Bridge
        && kind(spec.topology.source(port)) != NodeKind::Spine
}
