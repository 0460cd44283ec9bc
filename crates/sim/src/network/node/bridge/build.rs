//! Construction of bridges from a spec.

use std::ops::Range;

use setpoint_control::{Audience, CongestionPoint, CongestionPointParams};
use setpoint_random::{Purpose, RandomStream};
use setpoint_units::Bytes;

use super::cioq::Cioq;
use super::core::Core;
use super::numbers::{Numbers, QueueNumbers, point_of};
use super::output_queued::OutputQueued;
use super::set::BridgeSet;
use super::shared::SharedBuffers;
use super::{Bridges, Input, Queue};
use crate::clock::Clock;
use crate::controllers::MakeCongestionPoint;
use crate::dwell::Dwell;
use crate::ids::{PortId, Priority};
use crate::index::{BridgeNo, QueueNo, Stretch};
use crate::lossless::{LinkBudget, response_on};
use crate::network::node::context::Classes;
use crate::network::node::pause::{Counting, PauseRules, PauseState};
use crate::network::node::port::Port;
use crate::network::node::turns::Turns;
use crate::passing::PointPlace;
use crate::ring::Ring;
use crate::spec::{self, FlowControl, Side, Spec};
use crate::topology::NodeKind;

impl Bridges {
    /// Builds a range of a spec's bridges, without traffic.
    pub(in crate::network) fn new(
        spec: &Spec,
        numbers: &Numbers,
        queue_numbers: QueueNumbers,
        classes: &Classes,
        budgets: &[LinkBudget],
        range: &Range<BridgeNo>,
    ) -> Self {
        let core = |queue_numbers| Core::new(spec, numbers, queue_numbers, classes, budgets, range);
        match spec.bridges {
            spec::Bridges::OutputQueued => {
                Self::OutputQueued(Box::new(BridgeSet { core: core(queue_numbers), buffers: OutputQueued }))
            }
            spec::Bridges::SharedBuffer(shared) => {
                let buffers =
                    SharedBuffers::new(spec, &shared, classes, numbers, &queue_numbers, budgets, range);
                Self::SharedBuffer(Box::new(BridgeSet { core: core(queue_numbers), buffers }))
            }
            spec::Bridges::Cioq(cioq) => {
                let buffers = Cioq::new(spec, &cioq, numbers, &queue_numbers, classes, range);
                Self::Cioq(Box::new(BridgeSet { core: core(queue_numbers), buffers }))
            }
        }
    }
}

impl Core {
    /// The common state of a range of a spec's bridges.
    fn new(
        spec: &Spec,
        numbers: &Numbers,
        queue_numbers: QueueNumbers,
        classes: &Classes,
        budgets: &[LinkBudget],
        range: &Range<BridgeNo>,
    ) -> Self {
        let ports = numbers.ports_of(range);
        let first = ports.start;
        let ids = || numbers.ids_of(&ports).iter();
        let mut inputs = Stretch::new(first, ids().map(|_| Input::default()));
        for budget in budgets {
            // Inputs that carry no frames under flow control have no reserved buffer space and need none.
            if let Some(input) = numbers.find(budget.port.peer()).filter(|input| inputs.includes(*input)) {
                inputs[input] = Input::new(budget);
            }
        }
        let with_queues = |&id: &PortId| port(spec, id).with_queues(queue_numbers.first_of(numbers.of(id)));
        let outside = ids().filter(|id| !spec.topology.is_inside(**id));
        Self {
            ports: Stretch::new(first, ids().map(with_queues)),
            inputs,
            pause_state: Stretch::new(
                first,
                ids().map(|id| PauseState::new(response_on(spec, spec.topology.link_at(id.link())))),
            ),
            queues: Stretch::new(
                queue_numbers.from(first),
                outside.flat_map(|&id| queues(spec, classes, id)),
            ),
            pause_rules: pause_rules(spec, classes),
            turns: Turns::of(spec, classes).map(|turns| Stretch::new(first, ids().map(|_| turns.clone()))),
            outputs: Stretch::default(),
            readying: None,
            feedback: [0; 64],
            taken_back: Vec::new(),
            queue_numbers,
            ids: numbers.ids().as_slice().into(),
        }
    }
}

/// An idle port.
pub(in crate::network) fn port(spec: &Spec, id: PortId) -> Port {
    let topology = &spec.topology;
    let overhead = if topology.is_inside(id) { Bytes::ZERO } else { spec.overhead };
    Port::new(id, topology.link_at(id.link()), overhead, Clock::of(spec, topology.source(id)))
}

impl Core {
    /// Replaces all congestion points.
    pub(in crate::network) fn make_congestion_points(
        &mut self,
        make: &MakeCongestionPoint,
        audience: Audience,
    ) {
        let numbers: Vec<QueueNo> = self.queues.numbers().collect();
        for queue in numbers {
            if matches!(self.queues[queue].congestion_point, CongestionPoint::None) {
                continue;
            }
            let (_, port, _) = self.place_of(queue);
            let point = make(self.ports[port].nominal_rate());
            self.queues[queue].congestion_point = CongestionPoint::custom(point, audience);
        }
    }
}

/// The output queues of a port, followed by its input buffers if bridges have them.
fn queues(spec: &Spec, classes: &Classes, id: PortId) -> impl Iterator<Item = Queue> {
    let sides: &[Side] = match spec.bridges {
        spec::Bridges::OutputQueued | spec::Bridges::SharedBuffer(_) => &[Side::Output],
        spec::Bridges::Cioq(_) => &[Side::Output, Side::Input],
    };
    sides.iter().flat_map(move |&side| {
        let port = if side == Side::Output { id } else { id.peer() };
        let place = move |&priority: &Priority| PointPlace { port, side, priority };
        classes.priorities.iter().map(move |priority| queue(spec, classes, place(priority)))
    })
}

fn queue(spec: &Spec, classes: &Classes, place: PointPlace) -> Queue {
    let PointPlace { port, side, priority } = place;
    let (source, target) = (spec.topology.source(port), spec.topology.target(port));
    let (node, limit) = match (side, spec.bridges) {
        (Side::Input, spec::Bridges::Cioq(cioq)) => (target, cioq.input_buffer),
        _ => (source, spec.buffer),
    };
    let controlled = spec.topology.node_at(node).kind == NodeKind::Bridge
        && spec.control.placement.includes(side)
        && spec.control.priorities.contains(priority);
    let params = if controlled { spec.control.congestion_point } else { CongestionPointParams::None };
    let point = point_of(classes, spec.topology.links().len() * 2, &place, classes.of(priority));
    Queue {
        frames: Ring::default(),
        committed: Ring::default(),
        length: 0,
        limit: limit.get(),
        congestion_point: CongestionPoint::for_audience(&params, point, spec.control.audience),
        entropy: RandomStream::new(spec.seed, Purpose::CongestionPoint, point.0),
        dwell: Dwell::new(),
        largest: 0,
        dropped_frames: 0,
        dropped: 0,
        notifications: 0,
        point,
    }
}

fn pause_rules(spec: &Spec, classes: &Classes) -> PauseRules {
    let Some(params) = spec.flow_control.params() else { return PauseRules::NONE };
    let counting = match spec.flow_control {
        FlowControl::Pause(_) => Counting::WholeLink,
        _ => Counting::PerClass,
    };
    let is_protected = |priority: &Priority| spec.flow_control.protected().contains(*priority);
    let bits = classes.priorities.iter().enumerate();
    let protected =
        bits.filter(|(_, priority)| is_protected(priority)).fold(0, |set, (class, _)| set | 1 << class);
    PauseRules { protected, counting, xoff: params.xoff.get(), xon: params.xon.get(), quanta: params.quanta }
}
