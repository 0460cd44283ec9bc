//! Frames and captures as tshark, an independent decoder, reads them. Needs tshark, which `./check` installs.

mod roce;

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;

use setpoint_record::capture::Capturing;
use setpoint_record::capture::pcapng::{Interface, Packet, Pcapng, Section};
use setpoint_record::results::{Build, RunRecord};
use setpoint_record::run::run;
use setpoint_scenario::{Capture, Prepared, Scenario, Source};
use setpoint_sim::Unwatched;
use setpoint_wire::lldp::{CongestionTlv, PfcTlv};
use setpoint_wire::{
    Announcement, CnTag, Cnm, Content, Conventions, EtherType, Frame, Header, OffsetSign, Pause, Pfc,
    Priority, PriorityPlace, PrioritySet, QueueUnit, VlanTag,
};
use tempfile::TempDir;

/// A capture and the dissector, in a temporary folder.
struct Captured {
    folder: TempDir,
}

impl Captured {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("setpoint.lua"), setpoint_wire::DISSECTOR).unwrap();
        Self { folder }
    }

    fn file(&self) -> PathBuf {
        self.folder.path().join("capture.pcapng")
    }

    /// Writes frames to the capture, one per microsecond.
    fn of(frames: &[Vec<u8>]) -> Self {
        let captured = Self::new();
        let section = Section { program: "test", comment: "" };
        let mut file = Pcapng::begin(File::create(captured.file()).unwrap(), &section).unwrap();
        let interface = Interface { name: "a->b", description: "", bits_per_second: 1, snap_length: 65_535 };
        file.interface(&interface).unwrap();
        for (number, frame) in (1..).zip(frames) {
            let nanoseconds = number * 1_000;
            let length = frame.len() as u32;
            file.packet(&Packet { interface: 0, nanoseconds, kept: frame, length, comment: "" }).unwrap();
        }
        file.finish().unwrap();
        captured
    }

    fn encoded(frame: &Frame<'_>, conventions: &Conventions) -> Self {
        let mut buffer = [0; 256];
        Self::of(&[frame.encode(conventions, &mut buffer).unwrap().to_vec()])
    }

    /// Runs a scenario with a capture.
    fn run(prepared: &Prepared, capture: &Capture) -> (Self, RunRecord, u64) {
        let captured = Self::new();
        let file = File::create(captured.file()).unwrap();
        let mut unwatched = Unwatched;
        let mut capturing = Capturing::begin(prepared, capture, file, &mut unwatched).unwrap();
        let record = run(prepared, Build::default(), &mut capturing).unwrap();
        let frames = capturing.finish().unwrap();
        (captured, record, frames)
    }

    /// The given fields of all frames that match a filter, one line per frame.
    fn fields(&self, filter: &str, fields: &[&str]) -> Vec<Vec<String>> {
        self.fields_with(&[], filter, fields)
    }

    fn fields_with(&self, options: &[&str], filter: &str, fields: &[&str]) -> Vec<Vec<String>> {
        let named = fields.iter().flat_map(|field| ["-e", field]);
        let arguments: Vec<&str> =
            options.iter().copied().chain(["-Y", filter, "-T", "fields"]).chain(named).collect();
        let lines = tshark(&self.file(), &self.folder.path().join("setpoint.lua"), &arguments);
        lines.lines().map(|line| line.split('\t').map(str::to_owned).collect()).collect()
    }

    /// The only value of each field.
    fn only(&self, fields: &[&str]) -> Vec<String> {
        let frames = self.fields("frame", fields);
        assert_eq!(frames.len(), 1, "{frames:?}");
        frames.into_iter().next().unwrap()
    }

    /// Everything that tshark finds wrong, in the frames and in the file itself.
    fn warnings(&self) -> Vec<Vec<String>> {
        // Comments, chats and notes are less severe. (tshark notes that the padding of an LLDP frame is not zero; it is.)
        self.fields("_ws.expert.severity >= 0x00600000", &["frame.number", "_ws.expert.message"])
    }
}

/// Runs tshark; anything that it reports on standard error fails the test.
fn tshark(file: &Path, dissector: &Path, arguments: &[&str]) -> String {
    let script = format!("lua_script:{}", dissector.display());
    let output = Command::new("tshark").args(["-X", &script, "-r"]).arg(file).args(arguments).output();
    let output = output.expect("tshark runs: install it with `apt-get install tshark`");
    let complaints = String::from_utf8(output.stderr).unwrap();
    let complaints: Vec<&str> =
        complaints.lines().filter(|line| !line.starts_with("Running as user \"root\"")).collect();
    assert!(output.status.success() && complaints.is_empty(), "{complaints:?}");
    String::from_utf8(output.stdout).unwrap()
}

fn priority(number: u8) -> Priority {
    Priority::new(number).unwrap()
}

fn bridge() -> setpoint_wire::MacAddress {
    "02:00:00:00:00:01".parse().unwrap()
}

#[test]
fn pause_frames() {
    let frame = Frame::pause(bridge(), Pause { quanta: 0x1234 });
    let captured = Captured::encoded(&frame, &Conventions::default());
    let fields = ["eth.dst", "eth.src", "macc.opcode", "macc.pause_time", "frame.len"];
    assert_eq!(captured.only(&fields), ["01:80:c2:00:00:01", "02:00:00:00:00:01", "0x0001", "4660", "60"]);
    assert_eq!(captured.warnings(), Vec::<Vec<String>>::new());
}

#[test]
fn pfc_frames() {
    let mut times = [0; 8];
    (times[3], times[5]) = (65_535, 7);
    let enabled = [2, 3, 5].map(priority).into_iter().collect();
    let captured = Captured::encoded(&Frame::pfc(bridge(), Pfc { enabled, times }), &Conventions::default());
    let enabled: Vec<String> = (0..8).map(|class| format!("macc.cbfc.enbv.c{class}")).collect();
    let times: Vec<String> = (0..8).map(|class| format!("macc.cbfc.pause_time.c{class}")).collect();
    let named = |names: &[String]| captured.only(&names.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(named(&enabled), ["0", "0", "1", "1", "0", "1", "0", "0"]);
    assert_eq!(named(&times), ["0", "0", "0", "65535", "0", "7", "0", "0"]);
    assert_eq!(captured.only(&["macc.opcode", "frame.len"]), ["0x0101", "60"]);
    assert_eq!(captured.warnings(), Vec::<Vec<String>>::new());
}

#[test]
fn lldp_frames() {
    let announcement = Announcement {
        chassis: bridge(),
        port: b"eth0",
        seconds_to_live: 120,
        congestion: Some(CongestionTlv { managed: PrioritySet(0b1000_1000), ready: PrioritySet(0b1000) }),
        pfc: Some(PfcTlv {
            willing: true,
            macsec_bypass: false,
            capability: 8,
            enabled: PrioritySet(0b0010_1000),
        }),
    };
    let captured = Captured::encoded(&Frame::lldp(bridge(), announcement), &Conventions::default());
    let basics = ["eth.dst", "lldp.chassis.id.mac", "lldp.port.id", "lldp.time_to_live"];
    assert_eq!(captured.only(&basics), ["01:80:c2:00:00:0e", "02:00:00:00:00:01", "eth0", "120"]);
    let indicators = |kind: &str| {
        let fields: Vec<String> = (0..8).map(|number| format!("{kind}.prio{number}")).collect();
        captured.only(&fields.iter().map(String::as_str).collect::<Vec<_>>())
    };
    let bits = |set: u8| (0..8).map(|bit| (set >> bit & 1).to_string()).collect::<Vec<_>>();
    assert_eq!(indicators("lldp.ieee.802_1qau.cnpv"), bits(0b1000_1000));
    assert_eq!(indicators("lldp.ieee.802_1qau.ready"), bits(0b1000));
    assert_eq!(indicators("lldp.dcbx.feature.pfc"), bits(0b0010_1000));
    let pfc = ["lldp.dcbx.ieee.willing", "lldp.dcbx.ieee.pfc.mbc", "lldp.dcbx.ieee.pfc.numtcs"];
    assert_eq!(captured.only(&pfc), ["1", "0", "8"]);
    assert_eq!(captured.warnings(), Vec::<Vec<String>>::new());
}

fn sampled() -> Header {
    Header {
        destination: "02:00:00:00:00:14".parse().unwrap(),
        source: "02:00:00:00:00:0a".parse().unwrap(),
        vlan: Some(VlanTag { vlan: 100, ..VlanTag::of_priority(priority(3)) }),
        cn_tag: Some(CnTag { flow: 5 }),
        ether_type: EtherType::IPV4,
    }
}

fn message(sample: &[u8]) -> Cnm<'_> {
    Cnm {
        feedback: 12,
        congestion_point: *b"\x02\x00\x00\x00\x00\x01\x00\x03",
        queue_offset: -26_000,
        queue_delta: 4_096,
        priority: priority(3),
        destination: sampled().destination,
        sample,
    }
}

const MESSAGE: [&str; 8] = [
    "cnm.version",
    "cnm.feedback",
    "cnm.point",
    "cnm.queue_offset",
    "cnm.queue_delta",
    "cnm.priority",
    "cnm.destination",
    "cnm.length",
];

#[test]
fn notifications() {
    let sample = [0x08, 0x00, 0x45, 0x00];
    let frame = Frame::cnm(bridge(), &sampled(), priority(6), message(&sample));
    let captured = Captured::encoded(&frame, &Conventions::default());
    let tags = ["eth.dst", "vlan.priority", "vlan.id", "cntag.flow", "cntag.type"];
    assert_eq!(captured.only(&tags), ["02:00:00:00:00:0a", "6", "100", "5", "0x22e7"]);
    // The queue offset in units of 64 octets, rounded towards zero: -406.
    let expected = ["0", "12", "02:00:00:00:00:01:00:03", "-25984", "4096", "3", "02:00:00:00:00:14", "4"];
    assert_eq!(captured.only(&MESSAGE), expected);
    assert_eq!(captured.only(&["cnm.sample", "cnm.sample.type"]), ["08004500", "0x0800"]);
    assert_eq!(captured.warnings(), Vec::<Vec<String>>::new());
}

/// The preferences of the dissector undo every convention of the encoder.
#[test]
fn conventions() {
    let conventions = Conventions {
        offset_sign: OffsetSign::PositiveWhenCongested,
        queue_unit: QueueUnit::Octet,
        priority_place: PriorityPlace::LowerBits,
    };
    let frame = Frame::cnm(bridge(), &sampled(), priority(6), message(&[]));
    let captured = Captured::encoded(&frame, &conventions);
    let preferences = [
        "-o",
        "cnm.sign:positive when congested",
        "-o",
        "cnm.unit:1 octet",
        "-o",
        "cnm.priority:lower three bits",
    ];
    let fields = ["cnm.queue_offset", "cnm.queue_delta", "cnm.priority"];
    assert_eq!(captured.fields_with(&preferences, "cnm", &fields), [["-26000", "4096", "3"]]);
}

/// Frames that are cut off or invalid are marked, and the dissector never fails.
#[test]
fn invalid_notifications_are_marked() {
    let mut buffer = [0; 256];
    let frame = Frame::cnm(bridge(), &sampled(), priority(6), message(&[]));
    let whole = frame.encode(&Conventions::default(), &mut buffer).unwrap().to_vec();
    let mut wrong_version = whole.clone();
    wrong_version[22] = 0x10;
    let mut too_long = whole.clone();
    too_long[22 + 23] = 65;
    let mut missing = whole.clone();
    missing[22 + 23] = 64;
    let cut = whole[..30].to_vec();
    let captured = Captured::of(&[whole, wrong_version, too_long, missing, cut]);
    let numbers: Vec<String> =
        captured.warnings().into_iter().map(|mut warning| warning.swap_remove(0)).collect();
    assert_eq!(numbers, ["2", "3", "4", "5"]);
    assert!(captured.fields("_ws.lua.error", &["frame.number"]).is_empty());
}

fn data(tag: Option<CnTag>) -> Vec<u8> {
    let header = Header { cn_tag: tag, ..sampled() };
    let mut buffer = [0; 256];
    let frame = Frame { header, content: Content::Data(&[0x45; 40]) };
    frame.encode(&Conventions::default(), &mut buffer).unwrap().to_vec()
}

#[test]
fn tags() {
    let captured = Captured::of(&[data(Some(CnTag { flow: 65_535 })), data(None)]);
    let fields = ["vlan.priority", "cntag.flow", "cntag.type", "ip.version"];
    assert_eq!(
        captured.fields("frame", &fields),
        [["3", "65535", "0x0800", "4"], ["3", "", "", "4"]],
        "the payload after a tag is decoded, too"
    );
}

fn prepared(text: &str) -> Prepared {
    let scenario = Scenario::load(&Source::new("captured.toml", text), &[]).unwrap();
    scenario.prepare(scenario.seed()).unwrap()
}

/// The length of the data frames of [`INCAST`].
const FRAME: u64 = 1_500;

const INCAST: &str = r#"
    duration = "2 ms"
    network.frame = "1500 B"
    measure_from = "0 s"
    topology.star = { stations = 5, rate = "10 Gb/s", delay = "1 us" }
    control.qcn.cp.sample_base = "20 kB"
    flow_control.pfc = { xoff = "20 kB", xon = "10 kB" }
    flows = [{ from = "h{1..4}", to = "h5", pattern = "incast" }]
"#;

/// The number of frames that match a filter, by interface.
fn counts(captured: &Captured, filter: &str) -> BTreeMap<String, u64> {
    let mut counts = BTreeMap::new();
    for interface in captured.fields(filter, &["frame.interface_name"]) {
        *counts.entry(interface.concat()).or_default() += 1;
    }
    counts
}

/// The capture of a run opens without a warning, and its frames are those that the run counted.
#[test]
fn a_run_under_qcn_and_pfc() {
    let prepared = prepared(INCAST);
    let (captured, record, frames) =
        Captured::run(&prepared, &Capture::everything(&prepared.spec, prepared.conventions));
    assert_eq!(captured.warnings(), Vec::<Vec<String>>::new());
    assert_eq!(captured.fields("frame", &["frame.number"]).len() as u64, frames);

    let sent: BTreeMap<String, u64> =
        record.summary.ports.iter().map(|port| (port.name.clone(), port.sent_bytes / FRAME)).collect();
    assert_eq!(counts(&captured, "udp"), sent);

    // All notifications cross one link, from the bridge to the source.
    let notified = counts(&captured, "cnm");
    let sent: u64 = record.summary.queues.iter().map(|queue| queue.notifications).sum();
    assert_eq!(notified.values().sum::<u64>(), sent);
    let received: u64 = record.summary.flows.iter().map(|flow| flow.notifications).sum();
    assert!(sent > 20 && received <= sent && sent - received <= 4, "{sent} {received}");

    let pauses: u64 = record.summary.ports.iter().map(|port| port.pauses).sum();
    let paused = captured.fields("macc.cbfc.pause_time.c3 > 0", &["frame.interface_name"]).len() as u64;
    assert!(pauses > 4 && paused >= pauses, "{pauses} {paused}");

    // Every data frame has the tag of its flow, the flow's name and the priority.
    let fields = ["vlan.priority", "cntag.flow", "ip.src", "ip.dst", "frame.comment"];
    let first = &captured.fields("udp && frame.interface_name == \"h2->bridge\"", &fields)[0];
    assert_eq!(first, &["3", "1", "10.0.0.2", "10.0.0.5", ""]);
    let comments = captured.fields("cnm", &["frame.comment"]);
    assert!(comments.iter().all(|comment| comment[0].contains("congestion point at output bridge->h5")));
}

#[test]
fn a_window_some_ports_and_some_priorities() {
    let mut text = String::from(INCAST);
    text.push_str(
        r#"
        [capture]
        ports = ["bridge->h5", "h1→*"]
        priorities = [3]
        from = "1 ms"
        until = "2 ms"
        snap_length = "60 B"
    "#,
    );
    let prepared = prepared(&text);
    let (captured, _, frames) = Captured::run(&prepared, prepared.capture.as_ref().unwrap());
    let interfaces = counts(&captured, "frame");
    assert_eq!(interfaces.keys().collect::<Vec<_>>(), ["bridge->h5", "h1->bridge"]);
    let seen = captured.fields("frame", &["frame.time_epoch", "frame.cap_len", "vlan.priority"]);
    assert_eq!(seen.len() as u64, frames);
    for frame in &seen {
        let seconds: f64 = frame[0].parse().unwrap();
        assert!((0.001..0.002).contains(&seconds) && frame[1] == "60" && frame[2] == "3", "{frame:?}");
    }
    assert!(seen.len() > 500, "{}", seen.len());
}

/// Links inside a distributed bridge carry cells, not frames; a group has a group address; frames may be shorter than
/// any on a real link.
#[test]
fn groups_and_short_frames() {
    let prepared = prepared(
        r#"
        duration = "1 ms"
        network.frame = "40 B"
        topology.star = { stations = 4, rate = "1 Gb/s" }
        groups = [{ name = "all", members = "h{2..4}" }]
        flows = [{ from = "h1", group = "all", traffic.constant.rate = "100 Mb/s" }]
    "#,
    );
    let (captured, record, _) =
        Captured::run(&prepared, &Capture::everything(&prepared.spec, prepared.conventions));
    assert_eq!(captured.warnings(), Vec::<Vec<String>>::new());
    let fields = ["eth.dst", "ip.dst", "frame.len"];
    assert_eq!(captured.fields("udp", &fields)[0], ["01:00:5e:00:00:01", "239.0.0.1", "60"]);
    let sent: u64 = record.summary.ports.iter().map(|port| port.sent_bytes / 40).sum();
    assert_eq!(captured.fields("udp", &["frame.number"]).len() as u64, sent);
}
