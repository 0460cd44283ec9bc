//! Malformed files, with the place and the remedy that each message names.

use super::{goal, htsim, try_import};

const TOPOLOGY: &str = "4 1 3\n3\n0 3 10Gbps 1us 0\n1 3 10Gbps 1us 0\n2 3 10Gbps 1us 0\n";
const FLOW: &str = "2\n0 1 3 100 1000 2.0\n1 2 3 100 1000 2.0\n";

/// A text with a part replaced once.
fn with(text: &str, from: &str, to: &str) -> String {
    assert!(text.contains(from), "{from} in {text}");
    text.replacen(from, to, 1)
}

/// The messages about files, each with a heading.
fn messages(cases: &[(&str, &[(&str, String)])]) -> String {
    let message = |(name, files): &(&str, &[(&str, String)])| {
        let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (*name, text.as_str())).collect();
        let errors = try_import(&files).err().unwrap_or_else(|| panic!("{name} is accepted"));
        let text: Vec<String> = errors.to_string().lines().map(|line| line.trim_end().to_owned()).collect();
        format!("## {name}\n{}\n", text.join("\n"))
    };
    cases.iter().map(message).collect()
}

fn one(text: impl Into<String>) -> [(&'static str, String); 1] {
    [("topology.txt", text.into())]
}

fn flows(text: impl Into<String>) -> [(&'static str, String); 2] {
    [("topology.txt", TOPOLOGY.to_owned()), ("flow.txt", text.into())]
}

#[test]
fn hpcc() {
    let cases: &[(&str, &[(&str, String)])] = &[
        ("file-ends", &one(with(TOPOLOGY, "2 3 10Gbps 1us 0\n", "2 3 10Gbps"))),
        ("too-few-links", &one(with(TOPOLOGY, "4 1 3", "4 1 4"))),
        ("unknown-node", &one(with(TOPOLOGY, "2 3 10", "2 4 10"))),
        ("switch-twice", &one(with(TOPOLOGY, "4 1 3\n3", "4 2 3\n3 3"))),
        ("rate-without-unit", &one(with(TOPOLOGY, "10Gbps", "10"))),
        ("delay-as-a-length", &one(with(TOPOLOGY, "1us", "200m"))),
        ("errors", &one(with(TOPOLOGY, "1us 0", "1us 0.001"))),
        ("link-to-itself", &one(with(TOPOLOGY, "2 3 10", "3 3 10"))),
        ("link-twice", &one(with(TOPOLOGY, "2 3 10", "3 1 10"))),
        ("host-with-two-links", &one(with(&with(TOPOLOGY, "2 3 10", "1 2 10"), "4 1 3\n3", "4 2 3\n3 2"))),
        ("host-without-link", &one(with(&with(TOPOLOGY, "2 3 10Gbps 1us 0\n", ""), "4 1 3", "4 1 2"))),
        ("too-few-flows", &flows(with(FLOW, "2\n", "3\n"))),
        ("unknown-host", &flows(with(FLOW, "1 2 3 100", "1 7 3 100"))),
        ("switch-as-host", &flows(with(FLOW, "1 2 3 100", "1 3 3 100"))),
        ("to-itself", &flows(with(FLOW, "1 2 3 100", "2 2 3 100"))),
        ("group", &flows(with(FLOW, "1 2 3 100", "1 2 8 100"))),
        ("no-bytes", &flows(with(FLOW, "1 2 3 100 1000", "1 2 3 100 0"))),
        ("start", &flows(with(FLOW, "1000 2.0\n1", "1000 soon\n1"))),
        ("flows-alone", &[("flow.txt", FLOW.to_owned())]),
        ("two-topologies", &[("a.txt", TOPOLOGY.to_owned()), ("b.txt", TOPOLOGY.to_owned())]),
        ("trace-alone", &[("trace.txt", String::from("1\n0\n"))]),
        ("trace-ends", &[("topology.txt", TOPOLOGY.to_owned()), ("trace.txt", String::from("3\n0 1\n"))]),
        ("unknown-format", &[("paper.tex", String::from("\\documentclass{article}\n"))]),
        ("empty", &[("empty.txt", String::new())]),
        ("other-numbers", &[("data.txt", String::from("1 2\n3 4\n"))]),
    ];
    insta::assert_snapshot!(messages(cases));
}

#[test]
fn htsim() {
    let cm = |text: &str| [("x.cm", text.to_owned())];
    let topo = |text: String| [("x.topo", text)];
    let chain = |from: &str, to: &str| [("x.cm", with(htsim::CHAIN, from, to))];
    let (test, tiny) = (htsim::TEST, htsim::LEAF_SPINE);
    let cases: &[(&str, &[(&str, String)])] = &[
        ("count", &cm("Nodes 16\nConnections 2\n0->1 start 0 size 1\n")),
        ("no-nodes", &cm("Connections 1\n0->1 start 0 size 1\n")),
        ("no-default", &cm("Nodes 12\nConnections 1\n0->1 start 0 size 1\n")),
        ("unknown-line", &cm("Nodes 16\nConnections 1\n0-1 start 0 size 1\n")),
        ("unknown-attribute", &cm("Nodes 16\nConnections 1\n0->1 begin 0 size 1\n")),
        ("no-start", &cm("Nodes 16\nConnections 1\n0->1 size 1\n")),
        ("no-size", &cm("Nodes 16\nConnections 1\n0->1 start 0\n")),
        ("prio", &cm("Nodes 16\nConnections 1\n0->1 start 0 size 1 prio 2\n")),
        ("no-value", &cm("Nodes 16\nConnections 1\n0->1 start 0 size\n")),
        ("host", &cm("Nodes 16\nConnections 1\n0->16 start 0 size 1\n")),
        ("negative", &cm("Nodes 16\nConnections 1\n0->1 start -1 size 1\n")),
        (
            "too-many-hosts",
            &[
                ("x.topo", test.to_owned()),
                ("x.cm", String::from("Nodes 16\nConnections 1\n0->1 start 0 size 1\n")),
            ],
        ),
        ("trigger-and-start", &chain("trigger 1 size", "trigger 1 start 0 size")),
        ("trigger-without-id", &chain("3->9 id 2 trigger", "3->9 trigger")),
        ("trigger-undeclared", &chain("Triggers 2", "Triggers 1\n#").split_last_trigger()),
        ("trigger-twice", &chain("trigger id 2 barrier", "trigger id 1 barrier")),
        ("trigger-without-cause", &chain(" recv_done_trigger 2", "")),
        (
            "trigger-with-two-causes",
            &chain("trigger 2 size 2000000", "trigger 2 size 2000000 send_done_trigger 1"),
        ),
        ("trigger-of-another-host", &chain("9->6", "4->6")),
        ("trigger-of-the-receiver", &chain("9->6", "3->6")),
        ("trigger-after-the-end", &chain("trigger 1 size 2000000", "trigger 1 size 0")),
        ("trigger-without-end", &chain("start 0 size 2000000", "start 0 size 0")),
        ("trigger-cycle", &chain("3->4 id 1 start 0", "9->3 id 1 trigger 2")),
        ("trigger-given-twice", &chain("trigger 2 size", "trigger 2 trigger 1 size")),
        ("id-twice", &chain("id 2 trigger", "id 1 trigger")),
        (
            "multishot-with-two-causes",
            &chain("trigger id 1 oneshot", "trigger id 1 multishot").twice_caused(),
        ),
        ("multishot-too-rarely", &chain("trigger id 1 oneshot", "trigger id 1 multishot").twice_started()),
        ("barrier-count", &chain("count 1", "count 3")),
        ("barrier-without-count", &chain("barrier count 1", "barrier")),
        (
            "failure-of-a-core",
            &cm(
                "Nodes 16\nConnections 1\nFailures 1\n0->1 start 0 size 1\nfailure switch_type CORE switch_id 0 link_id 0\n",
            ),
        ),
        (
            "failure-unknown",
            &cm(
                "Nodes 16\nConnections 1\nFailures 1\n0->1 start 0 size 1\nfailure switch_type AGG switch_id 8 link_id 0\n",
            ),
        ),
        ("no-tiers", &topo(with(test, "Tiers 3\n", ""))),
        ("missing-key", &topo(with(test, "Radix_Up 2\n", ""))),
        ("unknown-key", &topo(with(test, "Radix_Up 2", "Radix_Upp 2"))),
        ("key-twice", &topo(with(test, "Radix_Up 2", "Radix_Up 2\nradix_up 4"))),
        ("uplinks-of-the-top", &topo(with(test, "Bundle 2", "Radix_Up 2"))),
        ("radix", &topo(with(test, "Radix_Up 4", "Radix_Up 3"))),
        ("radix-of-the-leaves", &topo(with(tiny, "Radix_Up 2", "Radix_Up 4"))),
        ("bundle", &topo(with(test, "Bundle 2", "Bundle 1"))),
        ("pods", &topo(with(test, "Podsize 4", "Podsize 3"))),
        ("oversubscribed", &topo(with(tiny, "Oversubscribed 4", "Oversubscribed 2"))),
        ("too-many-tiers", &topo(with(tiny, "Tiers 2", "Tiers 4"))),
        ("tier-beyond", &topo(with(test, "Tiers 3", "Tiers 2"))),
    ];
    insta::assert_snapshot!(messages(cases));
}

/// Further changes of the chain.
trait Changed {
    /// Removes the declaration of the last trigger.
    fn split_last_trigger(self) -> Self;
    /// A further connection activates trigger 1.
    fn twice_caused(self) -> Self;
    /// Trigger 1 starts a further connection.
    fn twice_started(self) -> Self;
}

fn fourth(text: &str, line: &str) -> String {
    with(&with(text, "Connections 3", "Connections 4"), "9->6", &format!("{line}\n9->6"))
}

impl Changed for [(&'static str, String); 1] {
    fn split_last_trigger(self) -> Self {
        self.map(|(name, text)| (name, with(&text, "trigger id 2 barrier count 1\n", "")))
    }

    fn twice_caused(self) -> Self {
        self.map(|(name, text)| (name, fourth(&text, "3->5 start 0 size 1 send_done_trigger 1")))
    }

    fn twice_started(self) -> Self {
        self.map(|(name, text)| (name, fourth(&text, "3->5 id 9 trigger 1 size 1")))
    }
}

#[test]
fn goal() {
    let tree = |from: &str, to: &str| [("x.goal", with(goal::TREE, from, to))];
    let cases: &[(&str, &[(&str, String)])] = &[
        ("no-number-of-ranks", &tree("num_ranks 4", "")),
        ("too-few-ranks", &tree("num_ranks 4", "num_ranks 3")),
        ("rank-twice", &tree("rank 2", "rank 1")),
        ("no-closing-brace", &tree("from 1 tag 0\n}", "from 1 tag 0\n")),
        ("unknown-operation", &tree("l1: recv", "l1: receive")),
        ("size-without-unit", &tree("send 1b", "send 1")),
        ("size-zero", &tree("send 1b", "send 0b")),
        ("unknown-label", &tree("requires l1", "requires l7")),
        ("label-twice", &tree("l2: send 1b to 2", "l1: send 1b to 2")),
        ("unknown-rank", &tree("to 3 tag", "to 9 tag")),
        ("cycle", &tree("l2 requires l1", "l2 requires l1\nl1 requires l2")),
        ("never-sent", &tree("from 1 tag 0", "from 1 tag 5")),
        ("never-received", &tree("l1: recv 1b from 1 tag 0", "")),
        ("any-source", &tree("recv 1b from 0 tag 0", "recv 1b from -1 tag 0")),
        ("two-statements", &tree("l2 requires l1", "l2 requires l1 l1 requires l2")),
        ("open-comment", &tree("rank 3", "/* rank 3")),
        ("no-messages", &[("x.goal", String::from("num_ranks 2\nrank 0 {\ncalc 5\n}\n"))]),
        ("character", &tree("rank 3", "rank §")),
    ];
    insta::assert_snapshot!(messages(cases));
}
