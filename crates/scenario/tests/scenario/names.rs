//! Short forms of lists of names, and the members of a group over time.

use setpoint_scenario::{Group, Member, named_together};
use setpoint_sim::NodeId;
use setpoint_units::Time;

#[test]
fn a_group_is_occupied_while_anybody_is_in_it() {
    let at = Time::from_picos;
    let member = |spans: &[(u64, u64)]| Member {
        station: NodeId(1),
        spans: spans.iter().map(|&(begin, end)| (at(begin), at(end))).collect(),
    };
    let members = vec![member(&[(10, 20), (50, 60)]), member(&[(15, 30)]), member(&[(30, 40)])];
    let group = Group { members, ..Group::default() };
    assert_eq!(group.occupied(), [(at(10), at(40)), (at(50), at(60))]);
    assert_eq!(group.occupied_within(at(35), at(55)).as_picos(), 10);
}

#[test]
fn membership_is_counted_within_bounds() {
    let at = Time::from_picos;
    let member = Member { station: NodeId(1), spans: vec![(at(10), at(20)), (at(30), Time::MAX)] };
    let within = |from, to| member.time_within(at(from), at(to)).as_picos();
    assert_eq!(within(0, 40), 20);
    assert_eq!(within(12, 18), 6);
    assert_eq!(within(20, 30), 0);
    assert_eq!(within(15, 35), 10);
    assert_eq!(within(0, 5), 0);
}

#[test]
fn names_that_count_up_are_a_range() {
    let together =
        |names: &[&str]| named_together(&names.iter().map(ToString::to_string).collect::<Vec<_>>());
    assert_eq!(together(&["h1->bridge"]), "h1->bridge");
    let hosts: Vec<String> = (1..=64).map(|n| format!("h{n}->bridge")).collect();
    assert_eq!(named_together(&hosts), "h{1..64}->bridge");
    assert_eq!(together(&["h10->b", "h11->b", "h12->b"]), "h{10..12}->b");
    assert_eq!(together(&["h1->b", "h3->b"]), "h1->b, h3->b");
    assert_eq!(together(&["b->h1", "b->h2"]), "b->h{1..2}");
    assert_eq!(together(&["a->b", "c->d", "e->f", "g->h"]), "a->b and 3 more");
    assert_eq!(together(&["leaf1.1->s", "leaf1.2->s"]), "leaf1.{1..2}->s");
}
