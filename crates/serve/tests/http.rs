//! Tests of the server from outside: which requests it answers, which it refuses, and that no request stops it.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use proptest::prelude::*;
use serde_json::{Value, json};
use setpoint_lab::run;
use setpoint_scenario::{Scenario, Source, builtin};
use setpoint_serve::{ConnectionLimits, Limits, Server, Settings};
use setpoint_sim::Unwatched;
use setpoint_units::Bytes;

/// A server that is stopped at the end of the test.
struct Served {
    address: SocketAddr,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
    results: tempfile::TempDir,
}

impl Served {
    fn new() -> Self {
        Self::with(Limits::default())
    }

    fn with(limits: Limits) -> Self {
        let results = tempfile::tempdir().unwrap();
        let folder: PathBuf = results.path().to_owned();
        let settings = Settings { port: Some(0), limits, ..Settings::local(folder) };
        let server = Server::bind(settings).unwrap();
        let address = server.url().strip_prefix("http://").unwrap().trim_end_matches('/').parse().unwrap();
        let stop = Arc::new(AtomicBool::new(false));
        let stops = stop.clone();
        let thread = std::thread::spawn(move || server.run(move || stops.load(Ordering::SeqCst)).unwrap());
        Self { address, stop, thread: Some(thread), results }
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        stream
    }

    /// Starts a run and reads its stream until the given text appears.
    fn watch(&self, wanted: &Value, until: &str) -> TcpStream {
        let (mut stream, body) = (self.connect(), wanted.to_string());
        let head =
            format!("POST /api/runs HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json", self.address);
        write!(stream, "{head}\r\nContent-Length: {}\r\n\r\n{body}", body.len()).unwrap();
        let (mut seen, mut buffer) = (String::new(), [0; 65_536]);
        while !seen.contains(until) {
            let length = stream.read(&mut buffer).unwrap();
            assert!(length > 0, "{seen}");
            seen.push_str(&String::from_utf8_lossy(&buffer[..length]));
        }
        stream
    }

    /// Waits until a run that is not being watched has ended.
    fn await_end(&self, id: u64) {
        let begin = Instant::now();
        while self.post(&format!("/api/runs/{id}"), &json!({ "action": "pause" })).0 != 404 {
            assert!(begin.elapsed() < Duration::from_secs(10), "run {id} continues although nobody watches");
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// Sends a complete request, and returns the whole answer.
    fn raw(&self, request: &[u8]) -> String {
        let mut stream = self.connect();
        // A server that refuses a request may close the connection before everything is sent.
        let _ = stream.write_all(request);
        Self::rest(stream)
    }

    /// Sends the given bytes and then closes the sending side.
    fn cut_off(&self, request: &[u8]) -> String {
        let mut stream = self.connect();
        let _ = stream.write_all(request);
        let _ = stream.shutdown(std::net::Shutdown::Write);
        Self::rest(stream)
    }

    fn rest(mut stream: TcpStream) -> String {
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        String::from_utf8_lossy(&answer).into_owned()
    }

    fn request(&self, method: &str, path: &str, headers: &str, body: &str) -> (u16, String) {
        let host = self.address;
        let length = body.len();
        let text = format!(
            "{method} {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\nContent-Type: application/json\r\n\
             Content-Length: {length}\r\n{headers}\r\n{body}"
        );
        let answer = self.raw(text.as_bytes());
        let status = answer.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
        (status, answer)
    }

    fn get(&self, path: &str) -> (u16, String) {
        self.request("GET", path, "", "")
    }

    fn post(&self, path: &str, body: &Value) -> (u16, String) {
        self.request("POST", path, "", &body.to_string())
    }

    /// The JSON body of a successful response.
    fn asked(&self, path: &str, body: &Value) -> Value {
        let (status, answer) = self.post(path, body);
        assert_eq!(status, 200, "{answer}");
        serde_json::from_str(answer.split("\r\n\r\n").nth(1).unwrap()).unwrap()
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::SeqCst);
        self.thread.take().unwrap().join().unwrap();
    }
}

/// The data of the events with the given name in a stream.
fn events(stream: &str, name: &str) -> Vec<Value> {
    let all = stream.split("event: ").skip(1).filter_map(|event| event.split_once('\n'));
    let named = all.filter(|(event, _)| *event == name);
    named
        .map(|(_, rest)| {
            serde_json::from_str(rest.strip_prefix("data: ").unwrap().lines().next().unwrap()).unwrap()
        })
        .collect()
}

/// Decodes a chunked response.
fn unchunked(answer: &str) -> String {
    let mut rest = answer.split_once("\r\n\r\n").unwrap().1;
    let mut text = String::new();
    while let Some((length, after)) = rest.split_once("\r\n") {
        let length = usize::from_str_radix(length, 16).unwrap_or(0);
        if length == 0 {
            break;
        }
        text.push_str(&after[..length]);
        rest = &after[length + 2..];
    }
    text
}

fn default_text() -> &'static str {
    builtin()[0].text
}

fn short() -> Value {
    json!({ "text": default_text(), "settings": ["duration=200ms", "measure_from=50ms", "at=[]"] })
}

#[test]
fn the_page_and_its_parts_are_served() {
    let server = Served::new();
    let (status, page) = server.get("/");
    assert_eq!(status, 200);
    let parts = page.split(['"']).filter(|part| part.starts_with("/assets/"));
    for part in parts.collect::<Vec<_>>() {
        let (status, answer) = server.get(part);
        assert_eq!(status, 200, "{part}");
        assert!(
            answer.to_lowercase().contains("content-security-policy: default-src 'none'; script-src 'self'"),
            "{part}"
        );
    }
    let gallery: Value =
        serde_json::from_str(server.get("/api/gallery").1.split("\r\n\r\n").nth(1).unwrap()).unwrap();
    assert_eq!(gallery["scenarios"].as_array().unwrap().len(), builtin().len());
    assert!(gallery["experiments"].as_array().unwrap().len() > 30);
    assert_eq!(server.get("/api/schema").0, 200);
    assert_eq!(server.get("/nothing").0, 404);
}

#[test]
fn a_run_has_the_digest_of_the_command_line() {
    let server = Served::new();
    let (status, answer) = server.post("/api/runs", &short());
    assert_eq!(status, 200, "{answer}");
    let stream = unchunked(&answer);
    let end = &events(&stream, "end")[0];
    let settings: Vec<_> = short()["settings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|text| text.as_str().unwrap().parse().unwrap())
        .collect();
    let scenario = Scenario::load(&Source::new("scenario.toml", default_text()), &settings).unwrap();
    let record = run::run(&scenario.prepare(scenario.seed()).unwrap(), &mut Unwatched).unwrap();
    assert_eq!(end["digest"], json!(record.manifest.digest));
    let batches = events(&stream, "samples");
    let samples: usize = batches.iter().map(|batch| batch["time_s"].as_array().unwrap().len()).sum();
    assert_eq!(samples, record.series.time_s.len(), "every sample reaches the page");
    let start = &events(&stream, "start")[0];
    let curves: serde_json::Value = serde_json::from_str(include_str!("page/curves.json")).unwrap();
    assert_eq!(start["curves"], curves, "the tests of the page use the same curves");
    let columns = batches[0].as_object().unwrap().keys().filter(|key| *key != "time_s").count();
    assert_eq!(columns, curves.as_array().unwrap().len());
    let id = &start["id"];
    let (status, csv) = server.get(&format!("/api/runs/{id}/flows.csv"));
    assert_eq!(status, 200);
    assert!(csv.contains("attachment; filename=\"flows.csv\"") && csv.lines().count() > 100);
    assert_eq!(server.get(&format!("/api/runs/{id}/..%2fmanifest.json")).0, 404);
    let (status, report) = server.get(&format!("/api/runs/{id}/report.html"));
    assert_eq!(status, 200);
    assert!(report.contains("sandbox allow-scripts"), "a report cannot ask this server for anything");
}

/// Marks and loads are sent only if the algorithm has them.
#[test]
fn curves_follow_the_algorithm() {
    let server = Served::new();
    let all = ["queue.marked_frames", "source.marked_acknowledgements", "source.load"];
    for (control, expected) in [("qcn", &all[..0]), ("dcqcn", &all[..1]), ("hpcc", &all[2..])] {
        let mut run = short();
        run["settings"].as_array_mut().unwrap().push(json!(format!("control={control}")));
        let stream = unchunked(&server.post("/api/runs", &run).1);
        let start = &events(&stream, "start")[0];
        let names: Vec<&str> =
            start["curves"].as_array().unwrap().iter().filter_map(|curve| curve["name"].as_str()).collect();
        let found: Vec<&str> = all.into_iter().filter(|name| names.contains(name)).collect();
        assert_eq!(found, expected, "{control}");
        let sent = events(&stream, "samples")[0].as_object().unwrap().clone();
        assert!(all.iter().all(|name| sent.contains_key(*name) == names.contains(name)), "{control}");
    }
}

#[test]
fn a_check_tells_the_line() {
    let server = Served::new();
    let wrong = server.asked("/api/check", &json!({ "text": "name = \"x\"\nduration = \"4 parsecs\"\n" }));
    assert_eq!((&wrong["ok"], &wrong["problems"][0]["line"]), (&json!(false), &json!(2)));
    let fixes =
        |text: &str| server.asked("/api/check", &json!({ "text": text }))["problems"][0]["fixes"].clone();
    assert_eq!(fixes("mesure_from = \"1 s\"\n"), json!(["measure_from"]));
    assert_eq!(fixes("duration = \"4 parsecs\"\n"), json!([]));
    let right = server.asked("/api/check", &json!({ "text": default_text() }));
    assert_eq!(right["ok"], json!(true));
    assert!(right["takes_s"].as_f64().unwrap() > 0.0);
    assert_eq!(
        right["network"]["nodes"].as_array().unwrap().len(),
        22,
        "ten pairs of stations and two bridges"
    );
    assert!(
        right["sliders"].as_array().unwrap().iter().any(|slider| slider["key"] == "control.qcn.cp.set_point")
    );
    let file = server.asked("/api/check", &json!({ "text": "extends = \"/etc/hostname\"" }));
    assert!(
        file["problems"][0]["message"].as_str().unwrap().contains("only files can extend files"),
        "{file}"
    );
}

#[test]
fn a_paused_run_waits_and_ends_when_its_page_goes() {
    let server = Served::new();
    let stream = server.watch(&json!({ "text": default_text(), "paused": true }), "event: paused");
    assert_eq!(server.post("/api/runs/1", &json!({ "action": "step" })).0, 204);
    assert_eq!(server.post("/api/runs/1", &json!({ "action": "jump" })).0, 422);
    assert_eq!(server.post("/api/runs/77", &json!({ "action": "pause" })).0, 404);
    drop(stream);
    server.await_end(1);
}

#[test]
fn twenty_pages_share_the_server() {
    let server = Served::new();
    let long = default_text().replace("duration = \"4 s\"", "duration = \"100 s\"");
    let pages: Vec<TcpStream> =
        (0..20).map(|_| server.watch(&json!({ "text": long }), "event: samples")).collect();
    assert_eq!(server.get("/").0, 200);
    drop(pages);
    (1..=20).for_each(|id| server.await_end(id));
}

#[test]
fn limits_are_said_in_a_sentence() {
    let server =
        Served::with(Limits { scenario: 20_000, memory: Bytes::new(2_000_000), ..Limits::default() });
    let (status, answer) = server.post("/api/check", &json!({ "text": "#".repeat(20_001) }));
    assert!(status == 413 && answer.contains("at most 20000"), "{answer}");
    let (status, answer) = server.post("/api/runs", &json!({ "text": default_text() }));
    assert!(status == 413 && answer.contains("memory"), "{answer}");
    assert_eq!(server.post("/api/check", &json!({ "text": "x".repeat(200_000) })).0, 413);
}

#[test]
fn other_sites_are_refused() {
    let server = Served::new();
    let asks = |headers: &str| server.request("POST", "/api/check", headers, &short().to_string()).0;
    assert_eq!(asks("Origin: http://evil.example\r\n"), 403);
    assert_eq!(asks("Sec-Fetch-Site: cross-site\r\n"), 403);
    assert_eq!(asks(&format!("Origin: http://{}\r\n", server.address)), 200);
    let evil = server.raw(b"GET / HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n");
    assert!(evil.starts_with("HTTP/1.1 403"), "{evil}");
    let form = "Content-Type: text/plain\r\n";
    let body = short().to_string();
    let text = format!(
        "POST /api/runs HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n{form}Content-Length: {}\r\n\r\n{body}",
        server.address,
        body.len()
    );
    assert!(
        server.raw(text.as_bytes()).starts_with("HTTP/1.1 415"),
        "a form of another site cannot start a run"
    );
}

#[test]
fn results_are_listed_and_served() {
    let server = Served::new();
    let folder = server.results.path().join("one <b>result");
    std::fs::create_dir(&folder).unwrap();
    std::fs::write(folder.join("report.html"), "<p>report</p>").unwrap();
    std::fs::write(server.results.path().join("../outside"), "x").ok();
    let gallery = server.get("/api/gallery").1;
    assert!(gallery.contains("one <b>result"), "{gallery}");
    for name in ["report.html", "report%2ehtml", "%72eport.htm%6c"] {
        let (status, report) = server.get(&format!("/results/one%20%3Cb%3Eresult/{name}"));
        assert!(status == 200 && report.contains("sandbox allow-scripts"), "{name}: {report}");
    }
    for path in [
        "/results/../outside",
        "/results/..%2foutside",
        "/results/%2e%2e/outside",
        "/results/",
        "/results//etc/passwd",
    ] {
        assert_eq!(server.get(path).0, 404, "{path}");
    }
}

#[test]
fn theory_is_there_or_says_why_not() {
    let server = Served::new();
    let ask = |kind: &str, text: &str| server.post("/api/theory", &json!({ "kind": kind, "text": text }));
    let text = builtin().iter().find(|scenario| scenario.name == "qcn-loop").unwrap().text;
    let (status, curves) = ask("curves", text);
    assert!(status == 200 && curves.contains("queue_bytes"));
    let (status, answer) = ask("phase", text);
    assert!(status == 200 && answer.contains("/pages/1"), "{answer}");
    let (status, page) = server.get("/pages/1");
    assert!(status == 200 && page.contains("sandbox allow-scripts") && page.contains("<svg"));
    let tree = builtin().iter().find(|scenario| scenario.name == "fat-tree").unwrap().text;
    let (status, answer) = ask("fluid", tree);
    assert!(status == 422 && answer.contains("error"), "{answer}");
    assert_eq!(server.get("/pages/99").0, 404);
}

/// A server with limits on connections.
fn with_connections(connections: ConnectionLimits) -> Served {
    Served::with(Limits { connections, ..Limits::default() })
}

#[test]
fn half_requests_make_room_for_whole_ones() {
    let server = with_connections(ConnectionLimits { of_address: 8, ..ConnectionLimits::default() });
    let watched = server.watch(&json!({ "text": default_text(), "paused": true }), "event: paused");
    let mut halves: Vec<TcpStream> = (0..30).map(|_| server.connect()).collect();
    for half in &mut halves {
        // The oldest connections may already be closed.
        let _ = half.write_all(b"GET / HTTP/1.1\r\nHost: ");
    }
    assert_eq!(server.get("/").0, 200);
    assert_eq!(Served::rest(halves.remove(0)), "", "the oldest was closed");
    assert_eq!(server.post("/api/runs/1", &json!({ "action": "step" })).0, 204, "the watched run stays");
    drop(watched);
}

#[test]
fn a_request_must_arrive_in_time() {
    let short = Duration::from_millis(200);
    let server = with_connections(ConnectionLimits { headers: short, body: short, ..Default::default() });
    let answer = server.raw(b"GET / HTTP/1.1\r\nHost: ");
    assert!(answer.is_empty() || answer.starts_with("HTTP/1.1 408"), "{answer}");
    let head = format!("POST /api/check HTTP/1.1\r\nHost: {}\r\n", server.address);
    let answer = server.raw(format!("{head}Content-Length: 100\r\n\r\n{{").as_bytes());
    assert!(answer.starts_with("HTTP/1.1 408"), "{answer}");
}

#[test]
fn a_large_network_does_not_keep_others_waiting() {
    let server = Served::new();
    let tree = builtin().iter().find(|scenario| scenario.name == "fat-tree").unwrap().text;
    let body =
        json!({ "text": tree, "settings": ["topology.fat_tree.k=32", "sample_interval=20ms"] }).to_string();
    let mut large = server.connect();
    let head = format!("POST /api/runs HTTP/1.1\r\nHost: {}\r\nConnection: close", server.address);
    let kind = "Content-Type: application/json";
    write!(large, "{head}\r\n{kind}\r\nContent-Length: {}\r\n\r\n{body}", body.len()).unwrap();
    for _ in 0..3 {
        assert_eq!(server.get("/").0, 200);
    }
    large.set_nonblocking(true).unwrap();
    let early = large.peek(&mut [0]);
    assert!(
        early.is_err_and(|error| error.kind() == std::io::ErrorKind::WouldBlock),
        "it was prepared first"
    );
}

/// Sends complete requests with invalid bodies to every path that accepts a body.
#[test]
fn nonsense_is_refused() {
    let server = Served::new();
    let mut runner = proptest::test_runner::TestRunner::default();
    let leaf = prop_oneof![
        Just("null".to_owned()),
        "-?[0-9]{1,20}",
        "\"[a-z={}.\\[\\]]{0,30}\"",
        Just("true".to_owned())
    ];
    let value = leaf.prop_recursive(3, 12, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(|items| format!("[{}]", items.join(","))),
            prop::collection::vec(("text|settings|seed|kind|action|speed|paused|samples", inner), 0..5)
                .prop_map(|pairs| {
                    let pairs: Vec<String> =
                        pairs.iter().map(|(key, value)| format!("\"{key}\":{value}")).collect();
                    format!("{{{}}}", pairs.join(","))
                }),
        ]
    });
    let path = prop_oneof![Just("/api/check"), Just("/api/runs"), Just("/api/runs/1"), Just("/api/theory")];
    runner
        .run(&(path, prop_oneof![4 => value, 1 => ".{0,80}".boxed()]), |(path, body)| {
            let (status, answer) = server.request("POST", path, "", &body);
            prop_assert!((200..500).contains(&status), "{path} {body}: {answer}");
            Ok(())
        })
        .unwrap();
    assert_eq!(server.get("/").0, 200);
}

/// Malformed requests get a 4xx response or none, and the server continues.
#[test]
fn nothing_stops_the_server() {
    let server = Served::new();
    let mut runner = proptest::test_runner::TestRunner::default();
    let piece = prop_oneof![
        Just("GET ".to_owned()),
        Just("POST ".to_owned()),
        Just("/api/check".to_owned()),
        Just("/api/runs".to_owned()),
        Just("/results/..%2f..%00".to_owned()),
        Just(" HTTP/1.1\r\n".to_owned()),
        Just("Host: ".to_owned()),
        Just(server.address.to_string()),
        Just("\r\n".to_owned()),
        Just("\r\n\r\n".to_owned()),
        Just("Content-Length: 99999999999999999999\r\n".to_owned()),
        Just("Content-Length: 5\r\n".to_owned()),
        Just("Transfer-Encoding: chunked\r\n".to_owned()),
        Just("Content-Type: application/json\r\n".to_owned()),
        Just("{\"text\":".to_owned()),
        Just("[[[[[[".to_owned()),
        ".{0,40}",
    ];
    runner
        .run(&prop::collection::vec(piece, 0..12), |pieces| {
            let answer = server.cut_off(pieces.concat().as_bytes());
            let status: u16 = answer.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(400);
            prop_assert!(status < 500, "{answer}");
            Ok(())
        })
        .unwrap();
    assert_eq!(server.get("/").0, 200);
}
