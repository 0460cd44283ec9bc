//! Groups in scenarios: senders and receivers with either delivery, and stations that join and leave.

use setpoint_control::{Algorithm, GroupParams, GroupRule, NotificationPointParams, Params};
use setpoint_scenario::{Override, Prepared, Scenario, Source};
use setpoint_sim::{Change, Destination, FlowSpec, GroupId, NodeId};
use setpoint_units::{Time, TimeDelta};

fn scenario(text: &str, settings: &[&str]) -> Scenario {
    let settings: Vec<Override> = settings.iter().map(|setting| setting.parse().unwrap()).collect();
    let loaded = Scenario::load(&Source::new("test.toml", text), &settings);
    loaded.unwrap_or_else(|errors| panic!("{errors}"))
}

fn prepare(text: &str, settings: &[&str]) -> Prepared {
    let prepared = scenario(text, settings).prepare(1).unwrap();
    setpoint_sim::validate(&prepared.spec).unwrap();
    prepared
}

fn name(prepared: &Prepared, node: NodeId) -> String {
    prepared.spec.topology.node_at(node).name.clone()
}

/// The flows as `name: source -> destination`.
fn routes(prepared: &Prepared) -> Vec<String> {
    let route = |flow: &FlowSpec| {
        let destination = match flow.destination {
            Destination::Station(station) => name(prepared, station),
            Destination::Group(group) => prepared.spec.groups[group.index()].name.clone(),
        };
        format!("{}: {} -> {destination}", flow.name, name(prepared, flow.source))
    };
    prepared.spec.flows.iter().map(route).collect()
}

/// The times at which each flow starts and stops, in order; changes come before the flow's own start and stop.
fn courses(prepared: &Prepared) -> Vec<String> {
    let course = |(index, flow): (usize, &FlowSpec)| {
        let changes = prepared.spec.changes.iter().filter_map(|timed| match timed.change {
            Change::StartFlow(id) if id.index() == index => Some((timed.at, "start")),
            Change::StopFlow(id) if id.index() == index => Some((timed.at, "stop")),
            _ => None,
        });
        let own = std::iter::once((flow.start, "on")).chain(flow.stop.map(|stop| (stop, "off")));
        let mut course: Vec<(Time, &str)> = changes.chain(own).collect();
        course.sort_by_key(|(at, _)| *at);
        let said = |(at, what): &(Time, &str)| format!("{what} {}", at.as_picos() / 1_000_000_000);
        format!("{}: {}", flow.name, course.iter().map(said).collect::<Vec<_>>().join(", "))
    };
    prepared.spec.flows.iter().enumerate().map(course).collect()
}

const DUMBBELL: &str = "[topology.dumbbell]\nsenders = 3\nreceivers = 4\n";
const UNICAST: &str = "network.delivery=multiple-unicast";

fn dumbbell(rest: &str, settings: &[&str]) -> Prepared {
    prepare(&format!("{DUMBBELL}{rest}"), settings)
}

const TWO_TO_G1: &str = "[[groups]]\nmembers = \"r{1..2}\"\n[[flows]]\nfrom = \"s{1..2}\"\ngroup = \"g1\"\n";

#[test]
fn every_sender_sends_to_the_group() {
    let prepared = dumbbell(TWO_TO_G1, &[]);
    assert_eq!(routes(&prepared), ["f1: s1 -> g1", "f2: s2 -> g1"]);
    let members: Vec<String> =
        prepared.spec.groups[0].members.iter().map(|&node| name(&prepared, node)).collect();
    assert_eq!(members, ["r1", "r2"]);
    assert_eq!(prepared.groups[0].sessions.len(), 2);
    assert_eq!(prepared.groups[0].sessions[1].flows, 1..2);
}

#[test]
fn multiple_unicast_is_one_flow_for_each_sender_and_member() {
    let text = format!("{TWO_TO_G1}[[flows]]\nfrom = \"s3\"\nto = \"r4\"\n");
    let prepared = dumbbell(&text, &[UNICAST]);
    let expected =
        ["f1.r1: s1 -> r1", "f1.r2: s1 -> r2", "f2.r1: s2 -> r1", "f2.r2: s2 -> r2", "f3: s3 -> r4"];
    assert_eq!(routes(&prepared), expected);
    assert!(prepared.spec.groups.is_empty());
    let sessions: Vec<_> =
        prepared.groups[0].sessions.iter().map(|session| (&*session.name, session.flows.clone())).collect();
    assert_eq!(sessions, [("f1", 0..2), ("f2", 2..4)]);
}

#[test]
fn size_limits_the_members_of_a_group() {
    let group = "[[groups]]\nname = \"all\"\nmembers = [\"r4\", \"r*\"]\nsize = 2\n";
    let text = group.replace("[\"r4\", \"r*\"]", "[\"r4\", \"r{1..3}\"]");
    let prepared = dumbbell(&format!("{text}[[flows]]\nfrom = \"s1\"\ngroup = \"all\"\n"), &[]);
    let members: Vec<String> =
        prepared.spec.groups[0].members.iter().map(|&node| name(&prepared, node)).collect();
    assert_eq!(members, ["r4", "r1"], "in the order of the file");
}

#[test]
fn keys_of_groups_can_be_swept() {
    let text = format!(
        "{DUMBBELL}[control.qcn]\n[[groups]]\nmembers = \"r*\"\n[[flows]]\nfrom = \"s1\"\ngroup = \"g1\"\n\
         [sweep]\n\"groups.1.size\" = [1, 4]\n\"network.delivery\" = [\"multicast\", \"multiple-unicast\"]\n\
         \"control.qcn.group_rule\" = [\"slowest-path\", \"worst-point\"]\n"
    );
    let variants = scenario(&text, &[]).variants().unwrap();
    let shape = |index: usize| {
        let prepared = variants[index].scenario.prepare(1).unwrap();
        let rule = prepared.spec.control.group.rule;
        (prepared.groups[0].members.len(), prepared.spec.flows.len(), rule)
    };
    assert_eq!(variants.len(), 8);
    assert_eq!(shape(0), (1, 1, GroupRule::SlowestPath));
    assert_eq!(shape(5), (4, 1, GroupRule::WorstPoint));
    assert_eq!(shape(6), (4, 4, GroupRule::SlowestPath));
}

#[test]
fn rules_reach_the_limiters_of_every_algorithm_that_notifies() {
    // The receivers of a group cannot reply.
    let replies = |algorithm: &Algorithm| {
        algorithm.notification_point(&Params::default()) != NotificationPointParams::None
    };
    let for_groups = |algorithm: &Algorithm| algorithm.notifies() && !replies(algorithm);
    for algorithm in Algorithm::ALL.into_iter().filter(for_groups) {
        let rule = format!("control.{}.group_rule=worst-point", algorithm.name());
        let memory = format!("control.{}.group_memory=20ms", algorithm.name());
        let prepared = dumbbell(TWO_TO_G1, &[&rule, &memory]);
        let expected = GroupParams { rule: GroupRule::WorstPoint, memory: TimeDelta::from_millis(20) };
        assert_eq!(prepared.spec.control.group, expected, "{}", algorithm.name());
    }
    assert_eq!(dumbbell(TWO_TO_G1, &["control=qcn"]).spec.control.group, GroupParams::default());
}

/// r3 joins at 100 ms and leaves at 400 ms; r1 leaves at 200 ms and joins again at 300 ms; r4 does not take part.
const COMING_AND_GOING: &str = r#"
    [[at]]
    time = "400 ms"
    group = "g1"
    leave = "r3"
    [[at]]
    time = "100 ms"
    group = "g1"
    join = "r3"
    [[at]]
    time = "200 ms"
    group = "g1"
    leave = "r1"
    [[at]]
    time = "300 ms"
    group = "g1"
    join = ["r1"]
"#;

#[test]
fn members_come_and_go() {
    let prepared = dumbbell(&format!("{TWO_TO_G1}{COMING_AND_GOING}"), &[]);
    let node = |name: &str| prepared.spec.topology.find(name).unwrap();
    let group = GroupId(0);
    let changes: Vec<Change> = prepared.spec.changes.iter().map(|timed| timed.change).collect();
    let expected = [
        Change::Join(group, node("r3")),
        Change::Leave(group, node("r1")),
        Change::Join(group, node("r1")),
        Change::Leave(group, node("r3")),
    ];
    assert_eq!(changes, expected);
    let labels: Vec<&str> = prepared.event_labels.iter().map(|(_, label)| label.as_str()).collect();
    assert_eq!(labels, ["g1: r3 joins", "g1: r1 leaves", "g1: r1 joins", "g1: r3 leaves"]);
    let at = |millis| Time::ZERO + TimeDelta::from_millis(millis);
    let spans: Vec<_> = prepared.groups[0].members.iter().map(|member| member.spans.clone()).collect();
    let expected =
        [vec![(at(0), at(200)), (at(300), Time::MAX)], vec![(at(0), Time::MAX)], vec![(at(100), at(400))]];
    assert_eq!(spans, expected);
}

#[test]
fn several_come_and_go_at_once() {
    let text = "[[groups]]\nmembers = \"r1\"\n[[flows]]\nfrom = \"s1\"\ngroup = \"g1\"\n\
                [[at]]\ntime = \"100 ms\"\ngroup = \"g1\"\njoin = \"r{2..4}\"\nleave = \"r1\"\n";
    let prepared = dumbbell(text, &[]);
    assert_eq!(prepared.event_labels[0].1, "g1: 3 stations join, r1 leaves");
    assert_eq!(prepared.spec.changes.len(), 4);
}

#[test]
fn a_group_can_begin_empty() {
    let text = "[[groups]]\n[[flows]]\nfrom = \"s1\"\ngroup = \"g1\"\n\
                [[at]]\ntime = \"100 ms\"\ngroup = \"g1\"\njoin = \"r2\"\n";
    assert!(dumbbell(text, &[]).spec.groups[0].members.is_empty());
    assert_eq!(courses(&dumbbell(text, &[UNICAST])), ["f1.r2: on 100"]);
}

#[test]
fn membership_starts_and_stops_the_flows_of_multiple_unicast() {
    let prepared = dumbbell(&format!("{TWO_TO_G1}{COMING_AND_GOING}"), &[UNICAST]);
    let expected = [
        "f1.r1: on 0, off 200, start 300",
        "f1.r2: on 0",
        "f1.r3: on 100, off 400",
        "f2.r1: on 0, off 200, start 300",
        "f2.r2: on 0",
        "f2.r3: on 100, off 400",
    ];
    assert_eq!(courses(&prepared), expected);
    let labels: Vec<&str> = prepared.event_labels.iter().map(|(_, label)| label.as_str()).collect();
    assert_eq!(labels, ["g1: r3 joins", "g1: r1 leaves", "g1: r1 joins", "g1: r3 leaves"]);
}

#[test]
fn a_flow_of_multiple_unicast_runs_within_its_own_start_and_stop() {
    let flows = "[[groups]]\nmembers = \"r{1..2}\"\n[[flows]]\nfrom = \"s{1..3}\"\ngroup = \"g1\"\n\
                 start = \"50 ms\"\nstagger = \"100 ms\"\nstop = \"350 ms\"\n";
    let prepared = dumbbell(&format!("{flows}{COMING_AND_GOING}"), &[UNICAST]);
    let expected = [
        "f1.r1: on 50, off 200, start 300, stop 350",
        "f1.r2: on 50, off 350",
        "f1.r3: on 100, off 350",
        "f2.r1: on 150, off 200, start 300, stop 350",
        "f2.r2: on 150, off 350",
        "f2.r3: on 150, off 350",
        // r1 is not a member when f3 starts.
        "f3.r1: on 300, off 350",
        "f3.r2: on 250, off 350",
        "f3.r3: on 250, off 350",
    ];
    assert_eq!(courses(&prepared), expected);
}

/// A stopped flow stays stopped for stations that join; a flow that starts again does so for its current members.
#[test]
fn joining_does_not_restart_a_stopped_flow() {
    let switched = format!(
        "{TWO_TO_G1}{COMING_AND_GOING}[[at]]\ntime = \"250 ms\"\nflow = \"f1\"\nstop = true\n\
         [[at]]\ntime = \"350 ms\"\nflow = \"f*\"\nstart = true\n\
         [[at]]\ntime = \"500 ms\"\nflow = \"f2\"\nstop = true\n"
    );
    let expected = [
        "f1.r1: on 0, off 200, start 350",
        "f1.r2: on 0, off 250, start 350",
        "f1.r3: on 100, off 250, start 350, stop 400",
        // Starting a running flow is passed on: with messages, it sends another message.
        "f2.r1: on 0, off 200, start 300, start 350, stop 500",
        "f2.r2: on 0, start 350, off 500",
        "f2.r3: on 100, start 350, off 400",
    ];
    assert_eq!(courses(&dumbbell(&switched, &[UNICAST])), expected);
}

#[test]
fn a_flow_stopped_before_anybody_joined_never_runs() {
    let text = "[[groups]]\nmembers = \"r1\"\n[[flows]]\nfrom = \"s1\"\ngroup = \"g1\"\nstop = \"100 ms\"\n\
                [[at]]\ntime = \"200 ms\"\ngroup = \"g1\"\njoin = \"r2\"\n";
    assert_eq!(courses(&dumbbell(text, &[UNICAST])), ["f1.r1: on 0, off 100", "f1.r2: on 0, off 0"]);
}

#[test]
fn coming_and_going_at_one_instant() {
    let at = |what: &str| format!("[[at]]\ntime = \"100 ms\"\ngroup = \"g1\"\n{what}\n");
    let base = "[[groups]]\nmembers = \"r1\"\n[[flows]]\nfrom = \"s1\"\ngroup = \"g1\"\n";
    let out_and_in = format!("{base}{}{}", at("leave = \"r1\""), at("join = \"r1\""));
    // Both are changes, in this order: the flow's own stop would come after the start.
    assert_eq!(courses(&dumbbell(&out_and_in, &[UNICAST])), ["f1.r1: on 0, stop 100, start 100"]);
    let in_and_out = format!("{base}{}{}", at("join = \"r2\""), at("leave = \"r2\""));
    assert_eq!(courses(&dumbbell(&in_and_out, &[UNICAST])), ["f1.r1: on 0", "f1.r2: on 0, off 0"]);
}

#[test]
fn changes_of_a_flow_reach_all_its_parts_once() {
    let change = "[[at]]\ntime = \"100 ms\"\nflow = \"f*\"\nweight = 3\n\
                  [[at]]\ntime = \"200 ms\"\nflow = \"f2.r1\"\ncap = \"1 Gb/s\"\n";
    let prepared = dumbbell(&format!("{TWO_TO_G1}{change}"), &[UNICAST]);
    let changed: Vec<usize> = prepared
        .spec
        .changes
        .iter()
        .map(|timed| match timed.change {
            Change::Weight(flow, 3) | Change::Cap(flow, _) => flow.index(),
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(changed, [0, 1, 2, 3, 2]);
}

#[test]
fn messages_go_to_a_group_as_multiple_unicast() {
    let text = "[[groups]]\nmembers = \"r*\"\n[[flows]]\nfrom = \"s1\"\ngroup = \"g1\"\n\
                traffic.message.size = \"1 MB\"\n";
    assert_eq!(dumbbell(text, &[UNICAST]).spec.flows.len(), 4);
}

#[test]
fn parameters_include_the_delivery_and_the_rule() {
    let prepared = dumbbell(TWO_TO_G1, &["control=qcn", UNICAST]);
    let row = |key: &str| {
        let row = prepared.parameters.iter().find(|row| row.key == key).unwrap_or_else(|| panic!("{key}"));
        (row.value.clone(), row.changed)
    };
    assert_eq!(row("network.delivery"), ("multiple-unicast".to_owned(), true));
    assert_eq!(row("control.qcn.group_rule"), ("every-notification".to_owned(), false));
    assert_eq!(row("control.qcn.group_memory"), ("50 ms".to_owned(), false));
}
