//! `live`: arguments that are refused before anything is opened, and a short demonstration.
#![cfg(target_os = "linux")]

use crate::skip::{Reason, skip};
use crate::support::Place;

#[test]
fn wrong_nodes_and_ports_have_a_remedy() {
    let place = Place::new();
    let bridge = ["live", "bridge", "live-shares"];
    let station = ["live", "station", "live-shares", "--link", "lo"];
    let calls: [&[&str]; 9] = [
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
        &["--port", "h1=a", "--port", "h2=lo", "--port", "h3=c", "--port", "h4=lo", "--port", "h5=e"],
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
    let control = ["--as", "h1", "--set", "control=dcqcn", "--set", "control.dcqcn.profile=hpcc"];
    let ended = place.setpoint(&[&station[..], &control].concat());
    messages += &format!("live station {}\n{}\n", control.join(" "), ended.complained(2));
    insta::assert_snapshot!(messages);
    assert!(!place.path("results").exists(), "nothing is left behind");
}

#[test]
fn an_interface_must_exist() {
    let place = Place::new();
    let ports: Vec<String> = (1..=5).map(|number| format!("h{number}=no-such-if{number}")).collect();
    let ports = ports.iter().flat_map(|port| ["--port", port]);
    let arguments: Vec<&str> = ["live", "bridge", "live-shares"].into_iter().chain(ports).collect();
    let ended = place.setpoint(&arguments);
    let message = ended.complained(2);
    assert!(message.starts_with("error: there is no network interface \"no-such-if1\"; "), "{message}");
}

/// Where namespaces are not allowed, the error states how to obtain the permission.
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
        return skip(Reason::NotPermitted, &ended.stderr);
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

/// Whether a rule holds depends on the speed of the machine, so this test only checks that the rules are judged.
#[test]
fn a_short_demonstration_of_dcqcn_counts_marks_and_reports() {
    let place = Place::new();
    let settings = ["duration=1500ms", "measure_from=500ms"].iter().flat_map(|setting| ["--set", setting]);
    let arguments: Vec<&str> = ["live", "demo", "dcqcn", "-q"].into_iter().chain(settings).collect();
    let ended = place.setpoint(&arguments);
    if ended.code == Some(1)
        && (ended.stderr.contains("CAP_SYS_ADMIN") || ended.stderr.contains("/dev/net/tun"))
    {
        return skip(Reason::NotPermitted, &ended.stderr);
    }
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    for part in
        ["The flows get equal rates.", "The shared link is busy.", "marked frames", "sent by receivers"]
    {
        assert!(ended.stdout.contains(part), "{part}: {}", ended.stdout);
    }
    let folder = place.path("results/live-demo");
    let page = std::fs::read_to_string(folder.join("index.html")).unwrap();
    assert!(
        page.contains("CNPs received") && page.contains("dcqcn utilisation"),
        "the page judges the rules"
    );
    let summary = std::fs::read_to_string(folder.join("dcqcn").join("summary.json")).unwrap();
    let summary: serde_json::Value = serde_json::from_str(&summary).unwrap();
    assert!(summary["total"]["marked_frames"].as_u64() > Some(0), "{}", summary["total"]);
    let received = |flow: &serde_json::Value| flow["notifications"].as_u64().unwrap();
    assert!(summary["flows"].as_array().unwrap().iter().map(received).sum::<u64>() > 0);
}

const PAIR: &str = r#"
name = "pair"
duration = "1 s"
sample_interval = "20 ms"

[topology.graph]
stations = ["h1", "h2"]
bridges = ["bridge"]
rate = "100 Mb/s"
delay = "1 us"
links = [{ between = ["h1", "bridge"] }, { between = ["h2", "bridge"] }]

[control.qcn]
preset = "1G"

[[flows]]
from = "h1"
to = "h2"
"#;

/// Two namespaces, and the program as a bridge between them. The kernel of `n1` leaves checksums to hardware. The kernel of
/// `n2` refuses a connection only if the checksum of its first segment is correct, and counts datagrams for unused ports
/// separately from those with incorrect checksums.
const BRIDGED: &str = r#"
set -e
mount -t tmpfs none /run
for n in 1 2; do
    ip netns add n$n
    ip link add p$n type veth peer name e0 netns n$n
    ip link set p$n addrgenmode none up
    ip -n n$n link set e0 addrgenmode none up
    ip -n n$n address add 10.0.0.$n/24 dev e0
    ip -n n$n address add fd00::$n/64 dev e0 nodad
done
"$SETPOINT" live bridge pair.toml --port h1=p1 --port h2=p2 -q -o out &
bridge=$!
connects() {
    for _ in {1..50}; do
        ip netns exec n1 timeout 1 bash -c "</dev/tcp/$1/9" 2>&1 | grep -q refused && echo "$2" && return
        sleep 0.1
    done
}
datagrams() {
    for _ in 1 2 3; do ip netns exec n1 bash -c "echo text > /dev/udp/$1/9"; done
}
connects 10.0.0.2 "TCP over IPv4"
connects fd00::2 "TCP over IPv6"
datagrams 10.0.0.2
datagrams fd00::2
for _ in {1..50}; do
    counts=$(ip netns exec n2 cat /proc/net/snmp /proc/net/snmp6 | awk '/^Udp:/ {v4 = $3} /^Udp6NoPorts/ {v6 = $2} END {print v4, v6}')
    [ "$counts" = "3 3" ] && break
    sleep 0.1
done
echo "datagrams $counts"
rm pair.toml && mkfifo pair.toml && kill -HUP $bridge
connects 10.0.0.2 "forwards while the scenario is read"
kill -INT $bridge; kill -INT $bridge
wait $bridge && echo "ended well"
ls out/manifest.json
grep inactive-mechanism out/manifest.json
exit 0
"#;

#[test]
fn a_bridge_forwards_between_namespaces_and_writes_its_result() {
    let place = Place::new();
    place.write("pair.toml", PAIR);
    let script = std::process::Command::new("unshare")
        .args(["--net", "--mount", "bash", "-c", BRIDGED])
        .env("SETPOINT", env!("CARGO_BIN_EXE_setpoint"))
        .current_dir(place.folder())
        .output();
    let Ok(output) = script else { return skip(Reason::NotPermitted, "there is no `unshare`") };
    let [stdout, stderr] = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
    if stderr.starts_with("unshare:") || stderr.contains("CAP_NET_RAW") {
        return skip(Reason::NotPermitted, stderr);
    }
    let expected = "TCP over IPv4\nTCP over IPv6\ndatagrams 3 3\nforwards while the scenario is read\nended well\n\
                    out/manifest.json\n";
    assert_eq!((stdout.as_str(), stderr.as_str()), (expected, ""));
}
