//! `live`: what is refused before anything is opened, and a short demonstration.
#![cfg(target_os = "linux")]

use crate::support::Place;

#[test]
fn wrong_nodes_and_ports_have_a_remedy() {
    let place = Place::new();
    let bridge = ["live", "bridge", "live-shares"];
    let station = ["live", "station", "live-shares", "--link", "lo"];
    let calls: [&[&str]; 8] = [
        &["--port", "h1"],
        &["--port", "h9=eth1"],
        &["--port", "h1=eth1"],
        &[
            "--port", "h1=a", "--port", "h2=b", "--port", "h3=c", "--port", "h4=d", "--port", "h5=e",
            "--port", "h1=f",
        ],
        &["--as", "h1", "--port", "h1=eth1"],
        &["--as", "bridge1", "--port", "h1=eth1"],
        &["--port", "h1=eth1", "--set", "control=bcn"],
        &["--as", "h1", "--port", "bridge=eth1"],
    ];
    let mut messages = String::new();
    for call in calls {
        let ended = place.setpoint(&[&bridge, call].concat());
        messages += &format!("live bridge {}\n{}\n", call.join(" "), ended.complained(2));
    }
    for node in ["h9", "bridge"] {
        let ended = place.setpoint(&[&station[..], &["--as", node]].concat());
        messages += &format!("live station --as {node}\n{}\n", ended.complained(2));
    }
    insta::assert_snapshot!(messages);
    assert!(!place.path("results").exists(), "nothing is left behind");
}

#[test]
fn an_interface_must_exist() {
    let place = Place::new();
    let ports: Vec<String> = (1..=5).map(|number| format!("h{number}=no-such-if")).collect();
    let ports = ports.iter().flat_map(|port| ["--port", port]);
    let arguments: Vec<&str> = ["live", "bridge", "live-shares"].into_iter().chain(ports).collect();
    let ended = place.setpoint(&arguments);
    let message = ended.complained(2);
    assert!(message.starts_with("error: there is no network interface \"no-such-if\"; "), "{message}");
}

/// Where namespaces are not allowed, the program says what grants them.
#[test]
fn a_short_demonstration_leaves_a_page_and_two_results() {
    let place = Place::new();
    let settings = ["duration=1500ms", "measure_from=500ms"].iter().flat_map(|setting| ["--set", setting]);
    let arguments: Vec<&str> = ["live", "demo", "-q"].into_iter().chain(settings).collect();
    let ended = place.setpoint(&arguments);
    if ended.code == Some(1) {
        assert!(
            ended.stderr.contains("CAP_SYS_ADMIN") || ended.stderr.contains("/dev/net/tun"),
            "{}",
            ended.stderr
        );
        return println!("skipped: {}", ended.stderr);
    }
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    for (title, statement) in [
        ("Equal weights", "With equal weights the flows get equal rates."),
        ("Weights 1, 2, 3 and 4", "With weights 1:2:3:4 the rates follow the weights."),
    ] {
        assert!(ended.stdout.contains(title) && ended.stdout.contains(statement), "{}", ended.stdout);
    }
    let folder = place.path("results/live-demo");
    let page = std::fs::read_to_string(folder.join("index.html")).unwrap();
    assert!(
        page.contains("af-qcn/fig13 equal-weights") && page.contains("at most 10"),
        "the page judges the claims"
    );
    for part in ["equal", "weighted"] {
        let manifest = std::fs::read_to_string(folder.join(part).join("manifest.json")).unwrap();
        assert!(manifest.contains("\"frames\": \"real\""), "{manifest}");
        let ports = std::fs::read_to_string(folder.join(part).join("ports.csv")).unwrap();
        assert!(ports.contains("h1") && ports.contains("bridge"), "ports of stations and of the bridge");
    }
}
