//! DCQCN at live nodes: traces computed by hand.

mod bridge;
mod decoded;
mod receiver;
mod source;
#[path = "../support/mod.rs"]
mod support;

use setpoint_control::dcqcn::{CpParams, NpParams, RpParams};
use setpoint_control::{Algorithm, Params};
use setpoint_live::plan;
use setpoint_live::station::{LINK, Station};
use setpoint_sim::{FlowControl, Reaction, Spec};
use setpoint_units::{Bytes, Rate, Time, TimeDelta};
use support::{SENDERS, address};

/// Frames with the ports through which a node sent them.
type Sent = Vec<(usize, Vec<u8>)>;

/// The given time after the first millisecond, by the end of which nodes have announced themselves.
fn at(nanoseconds: u64) -> Time {
    Time::ZERO + TimeDelta::from_millis(1) + TimeDelta::from_nanos(nanoseconds)
}

/// Marks every frame behind which another one waits, and no other.
fn params() -> Params {
    let mut params = Params::default();
    params.dcqcn.cp = CpParams { k_min: Bytes::new(1_000), k_max: Bytes::new(1_000), ..params.dcqcn.cp };
    params.dcqcn.rp = RpParams { min_rate: Rate::from_mbps(1), ..params.dcqcn.rp };
    params
}

fn spec_with(params: &Params, flow_control: FlowControl) -> Spec {
    let control = support::control(Algorithm::Dcqcn, params);
    support::incast(control, flow_control, |_| Rate::from_mbps(100), |_| TimeDelta::from_micros(1))
}

fn spec() -> Spec {
    spec_with(&params(), FlowControl::None)
}

/// A spec with other parameters of the notification point.
fn spec_of_np(np: NpParams) -> Spec {
    let mut params = params();
    params.dcqcn.np = np;
    spec_with(&params, FlowControl::None)
}

fn station(spec: &Spec, number: usize) -> Station {
    let node = spec.topology.find(&format!("h{number}")).unwrap();
    Station::new(plan::station(spec, node, address(number), support::options()).unwrap())
}

/// The frames that a station sent on its link, without announcements, which have no tag.
fn on_link(sent: &Sent) -> Vec<&[u8]> {
    let is_tagged = |octets: &[u8]| octets[12..14] == [0x81, 0];
    sent.iter().filter(|(port, octets)| *port == LINK && is_tagged(octets)).map(|sent| &sent.1[..]).collect()
}

#[test]
fn networks_that_live_nodes_cannot_run_are_refused_with_a_remedy() {
    use setpoint_control::dcqcn::Reports;
    use setpoint_sim::{Bridges, Placement};

    assert_eq!(plan::check(&spec()), Ok(()));
    for reports in [Reports::Deferred, Reports::Polled] {
        assert_eq!(plan::check(&spec_of_np(NpParams { reports, ..NpParams::default() })), Ok(()));
    }
    let refused = |spec: &Spec| plan::check(spec).unwrap_err().to_string();
    let np = NpParams { reports: Reports::Acknowledged, ..NpParams::default() };
    assert_eq!(
        refused(&spec_of_np(np)),
        "`control.dcqcn.np.reports` is \"acknowledged\", which does not run on real frames: acknowledgements of RoCEv2 have no \
         field for a mark; set it to \"paced\", \"deferred\" or \"polled\""
    );
    let mut inputs = spec();
    inputs.control.placement = Placement::Inputs;
    assert!(matches!(inputs.bridges, Bridges::OutputQueued));
    assert!(refused(&inputs).starts_with("bridges with input buffers are not supported on real frames"));
}

/// A network in which the first station's flow is background traffic.
fn with_background() -> Spec {
    let mut spec = spec();
    spec.flows[0].reaction = Reaction::Uncontrolled;
    spec
}

/// The receiver.
const RECEIVER: usize = SENDERS;
