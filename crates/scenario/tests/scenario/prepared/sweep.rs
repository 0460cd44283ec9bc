//! Sweeps and their variants.

use setpoint_scenario::{Scenario, Source};

use super::{load, prepare};

#[test]
fn a_sweep_multiplies_its_axes() {
    let scenario = load(
        r#"
        [topology.dumbbell]
        senders = 2
        [control.qcn]
        [[flows]]
        from = "s*"
        to = "r*"
        [sweep]
        "topology.dumbbell.senders" = [1, 4]
        control = ["qcn", "none"]
        flows.1.weight = [1, 2]
        seed = [3]
        "#,
    );
    assert_eq!(
        scenario.axes().collect::<Vec<_>>(),
        ["topology.dumbbell.senders", "control", "flows.1.weight", "seed"]
    );
    let variants = scenario.variants().unwrap();
    let shown: Vec<String> = variants
        .iter()
        .map(|variant| {
            let values: Vec<&str> = variant.assignments.iter().map(|(_, value)| value.as_str()).collect();
            let prepared = variant.scenario.prepare(variant.scenario.seed()).unwrap();
            assert_eq!(prepared.overrides, variant.assignments);
            assert_eq!(prepared.spec.seed, 3);
            format!(
                "{}: {} = {} flows, weight {}, {}",
                variant.index,
                values.join(" "),
                prepared.spec.flows.len(),
                prepared.spec.flows[0].weight,
                if prepared.set_point.is_some() { "controlled" } else { "free" }
            )
        })
        .collect();
    insta::assert_snapshot!(shown.join("\n"), @r"
    0: 1 qcn 1 3 = 1 flows, weight 1, controlled
    1: 1 qcn 2 3 = 1 flows, weight 2, controlled
    2: 1 none 1 3 = 1 flows, weight 1, free
    3: 1 none 2 3 = 1 flows, weight 2, free
    4: 4 qcn 1 3 = 4 flows, weight 1, controlled
    5: 4 qcn 2 3 = 4 flows, weight 2, controlled
    6: 4 none 1 3 = 4 flows, weight 1, free
    7: 4 none 2 3 = 4 flows, weight 2, free
    ");
}

#[test]
fn values_of_an_axis_have_short_names_or_labels() {
    let scenario = load(
        r#"
        [topology.dumbbell]
        senders = 2
        [sweep]
        control = [
            "none",
            { qcn = { preset = "40G" } },
            { qcn = { preset = "40G", rp = { time_reset = "2 ms" } } },
            { label = "slow", value = { qcn = { preset = "1G" } } },
        ]
        "network.buffer" = [{ label = "small", value = "100 kB" }]
        "#,
    );
    let variants = scenario.variants().unwrap();
    let names: Vec<&str> = variants.iter().map(|variant| variant.assignments[0].1.as_str()).collect();
    assert_eq!(names, ["none", "qcn, preset 40G", "qcn, preset 40G, rp time reset 2 ms", "slow"]);
    let last = variants[3].scenario.prepare(1).unwrap();
    assert_eq!(variants[3].assignments[1], ("network.buffer".to_owned(), "small".to_owned()));
    assert_eq!(last.spec.buffer.get(), 100_000);
    let full = ("control".to_owned(), "{ qcn = { preset = 1G } }".to_owned());
    assert!(last.overrides.contains(&full), "{:?}", last.overrides);
}

#[test]
fn a_key_that_is_set_is_not_swept() {
    let text =
        "[topology.dumbbell]\nsenders = 1\n[sweep]\n\"topology.dumbbell.senders\" = [1, 4]\nseed = [7, 8]\n";
    let given = ["topology.dumbbell.senders=5".parse().unwrap()];
    let scenario = Scenario::load(&Source::new("test.toml", text), &given).unwrap();
    assert_eq!(scenario.axes().collect::<Vec<_>>(), ["seed"]);
    let variants = scenario.variants().unwrap();
    assert_eq!(variants.len(), 2);
    for variant in &variants {
        let prepared = variant.scenario.prepare(variant.scenario.seed()).unwrap();
        assert_eq!(prepared.spec.flows.len(), 5);
    }
}

#[test]
fn without_a_sweep_there_is_one_variant() {
    let variants = overridden_scenario("default").variants().unwrap();
    assert_eq!(variants.len(), 1);
    assert!(variants[0].assignments.is_empty());
}

fn overridden_scenario(builtin: &str) -> Scenario {
    Scenario::load(&Source::builtin(builtin).unwrap(), &[]).unwrap()
}

#[test]
fn a_large_sweep_and_a_large_network_are_quick() {
    let numbers: Vec<String> = (1..=10_000).map(|number| number.to_string()).collect();
    let text = format!("[topology.dumbbell]\nsenders = 2\n[sweep]\nseed = [{}]\n", numbers.join(", "));
    assert_eq!(load(&text).variants().unwrap().len(), 10_000);
    let tree = "[topology.fat_tree]\nk = 48\n[[flows]]\nfrom = \"h*\"\npattern = \"permutation\"\n";
    assert_eq!(prepare(tree).spec.flows.len(), 27_648);
}
