//! The frames to capture.

use setpoint_sim::{ControlSpec, PortId, Topology};
use setpoint_units::{Bytes, Time};
use setpoint_wire::{Conventions, MIN_FRAME};

use super::Setting;
use super::network::chosen;
use super::run::Schedule;
use super::select::Names;
use crate::capture::{Capture, default_snap_length};
use crate::diagnostics::{Problem, Problems};
use crate::format::{self, Placed};
use crate::limits::MAX_FRAME;
use crate::port_names::PortNames;

/// How notifications are encoded as octets.
pub(super) fn conventions(keys: &format::Wire) -> Conventions {
    Conventions {
        offset_sign: *keys.queue_offset,
        queue_unit: *keys.queue_unit,
        priority_place: *keys.priority_place,
    }
}

pub(super) fn capture(
    keys: &format::Capture,
    conventions: Conventions,
    setting: &Setting<'_>,
    problems: &mut Problems,
) -> Option<Capture> {
    let Setting { topology, control, schedule, .. } = setting;
    let ports = problems.take(ports(&keys.ports, topology));
    let window = problems.take(window(keys, schedule));
    let snap_length = problems.take(snap_length(&keys.snap_length, control));
    let (from, until) = window?;
    Some(Capture {
        ports: ports?,
        priorities: chosen(&keys.priorities),
        from,
        until,
        snap_length: snap_length?,
        conventions,
    })
}

fn ports(key: &Placed<Option<format::Names>>, topology: &Topology) -> Result<Vec<PortId>, Problem> {
    let all: Vec<PortId> = topology.ports().filter(|port| !topology.is_inside(*port)).collect();
    let Some(selection) = &**key else { return Ok(all) };
    let names = PortNames::of_all(topology);
    let mut names = Names::new("port", all.iter().map(|port| names.of(*port)).collect());
    let mut chosen: Vec<PortId> = names.select(selection)?.into_iter().map(|index| all[index]).collect();
    chosen.sort_unstable();
    Ok(chosen)
}

fn window(keys: &format::Capture, schedule: &Schedule) -> Result<(Time, Time), Problem> {
    let from = *keys.from;
    if from >= schedule.duration {
        let message = format!("the capture begins at {from}, but the run ends at {}", schedule.duration);
        return Err(Problem::at(keys.from.place(), message, "nothing would be captured"));
    }
    match *keys.until {
        Some(until) if until <= from => {
            let message = format!("the capture ends at {until}, but begins at {from}");
            Err(Problem::at(keys.until.place(), message, "nothing would be captured"))
        }
        Some(until) => Ok((Time::ZERO + from, Time::ZERO + until)),
        None => Ok((Time::ZERO + from, Time::MAX)),
    }
}

fn snap_length(key: &Placed<Option<Bytes>>, control: &ControlSpec) -> Result<Bytes, Problem> {
    let shortest = Bytes::new(MIN_FRAME as u64);
    let length = key.unwrap_or_else(|| default_snap_length(control));
    if (shortest..=MAX_FRAME).contains(&length) {
        return Ok(length);
    }
    let message = format!("`snap_length` is {length}, but must be {shortest} to {MAX_FRAME}");
    Err(Problem::at(key.place(), message, "out of range"))
}
