//! Figures of jobs: job time, steps, ranks and the critical path.

use setpoint_record::results::{Build, CriticalMessage, JobSummary};
use setpoint_record::run::run;
use setpoint_scenario::{Override, Prepared, Scenario, Source};
use setpoint_sim::Unwatched;

/// 64 stations on one bridge.
const STAR: &str = r#"
    duration = "4 ms"
    measure_from = "0 s"
    topology.star = { stations = 64, rate = "10 Gb/s", delay = "1 us" }
    network = { frame = "1 kB", overhead = "0 B", buffer = "10 MB" }
"#;

/// A job of all of them. A part of 10 kB is 10 frames of 1000 B, which take 0.8 us each and cross two links of 1 us.
const RING: &str = r#"
    jobs = [{ name = "train", kind = "ring-all-reduce", ranks = "h*", size = "640 kB" }]
"#;

/// The time of a message of 10 kB: ten frames on the first link, one on the second, two delays.
const MESSAGE: f64 = 10.8e-6;

fn prepare(text: &str, settings: &[&str]) -> Prepared {
    let settings: Vec<Override> = settings.iter().map(|setting| setting.parse().unwrap()).collect();
    let loaded = Scenario::load(&Source::new("job.toml", text), &settings);
    loaded.unwrap_or_else(|problems| panic!("{problems}")).prepare(1).unwrap()
}

fn jobs(text: &str, settings: &[&str]) -> Vec<JobSummary> {
    let prepared = prepare(text, settings);
    run(&prepared, Build::default(), &mut Unwatched).unwrap().summary.jobs
}

/// The jobs of a scenario on the star.
fn on_star(text: &str, settings: &[&str]) -> Vec<JobSummary> {
    jobs(&format!("{STAR}{text}"), settings)
}

/// One thousandth of a nanosecond is the resolution of the simulator's clock.
#[track_caller]
pub(super) fn same(time: f64, expected: f64) {
    assert!((time - expected).abs() < 0.6e-12, "{time} instead of {expected}");
}

/// Computations, times in an empty network and delays on the critical path add up to the time of the job.
#[track_caller]
pub(super) fn adds_up(job: &JobSummary) {
    let path = &job.critical_path;
    let sum: f64 = path.iter().map(|message| message.compute_s + message.time_s).sum();
    let sum = sum + job.final_compute_s.unwrap();
    let time = job.time_s.unwrap();
    assert!((sum - time).abs() < 1e-11 * path.len() as f64, "{sum} of {time}");
    for message in path {
        let ports: f64 = message.ports.iter().map(|port| port.delay_s).sum();
        same(ports, message.delay_s);
    }
    let delay: f64 = path.iter().map(|message| message.delay_s).sum();
    let ports: f64 = job.delays.iter().map(|port| port.delay_s).sum();
    assert!((delay - ports).abs() < 1e-11 * path.len() as f64, "{delay} and {ports}");
}

/// 2 (n - 1) steps, each as long as one message; every rank ends at the same time.
#[test]
fn a_ring_of_64_ranks_takes_the_closed_form() {
    let [job] = &on_star(RING, &[])[..] else { panic!("one job") };
    same(job.time_s.unwrap(), 126.0 * MESSAGE);
    same(job.ideal_s, 126.0 * MESSAGE);
    assert_eq!((job.ranks, job.messages, job.completed), (64, 64 * 126, 64 * 126));
    assert_eq!(job.steps.len(), 126);
    for (number, step) in (1..).zip(&job.steps) {
        assert_eq!((step.iteration, step.step), (1, number));
        same(step.time_s, MESSAGE);
    }
    same(job.rank_spread_s.unwrap(), 0.0);
    assert_eq!(job.critical_path.len(), 126);
    assert!(job.delays.is_empty(), "{:?}", job.delays);
    adds_up(job);
}

#[test]
fn iterations_and_computations_are_part_of_the_closed_form() {
    let settings =
        ["jobs.1.iterations=2", "jobs.1.compute=30 us", "jobs.1.reduce=2 us", "jobs.1.start=100 us"];
    let [job] = &on_star(RING, &settings)[..] else { panic!("one job") };
    same(job.time_s.unwrap(), 2.0 * (126.0 * MESSAGE + 30e-6 + 63.0 * 2e-6));
    same(job.start_s, 100e-6);
    same(job.ideal_s, job.time_s.unwrap());
    assert_eq!(job.steps.len(), 252);
    assert_eq!((job.steps[126].iteration, job.steps[126].step), (2, 1));
    same(job.steps[126].time_s, MESSAGE + 30e-6);
    same(job.critical_path[0].compute_s, 30e-6);
    adds_up(job);
}

/// Six steps with a half, a quarter, … of the data, and the same backwards.
#[test]
fn halving_doubling_takes_the_closed_form() {
    let [job] = &on_star(RING, &["jobs.1.kind=halving-doubling"])[..] else { panic!("one job") };
    let frames = (1..=6).map(|step| f64::from(640 >> step));
    let half: f64 = frames.map(|frames| (frames + 1.0) * 0.8e-6 + 2e-6).sum();
    same(job.time_s.unwrap(), 2.0 * half);
    assert_eq!(job.steps.len(), 12);
    adds_up(job);
}

/// Another flow fills the port to h9. The messages to h9 wait behind its frames, and every rank waits for them in turn.
#[test]
fn a_busy_port_explains_the_delay() {
    let text = r#"
        jobs = [{ name = "train", kind = "ring-all-reduce", ranks = "h{1..64}", size = "1.28 MB" }]
        flows = [{ name = "other", from = "h65", to = "h9" }]
    "#;
    let [job] = &on_star(text, &["duration=20 ms", "topology.star.stations=65"])[..] else {
        panic!("one job")
    };
    assert_eq!((job.ranks, job.completed), (64, 64 * 126));
    assert!(job.slowdown().unwrap() > 1.2, "{:?}", job.slowdown());
    adds_up(job);
    let worst = &job.delays[0];
    assert_eq!(worst.port, "bridge->h9");
    assert_eq!(worst.shared_with, ["other"]);
    assert_eq!(worst.other_flows, 1);
    assert_eq!(worst.paused_s, 0.0);
    let explained = worst.delay_s / (job.time_s.unwrap() - job.ideal_s);
    assert!(explained > 0.9, "{explained}");
    let late: Vec<&CriticalMessage> =
        job.critical_path.iter().filter(|message| message.delay_s > 1e-9).collect();
    assert!(late.iter().all(|message| message.flow == "train:h8-h9"), "{late:?}");
}

/// The example in docs/collectives.md: another tenant sends from h2, and its frames delay those of the job at this station's port.
#[test]
fn the_job_of_the_documentation_is_delayed_by_the_other_tenant() {
    let text = include_str!("../../../../docs/collectives.md");
    let (_, rest) = text.split_once("```toml\n").expect("the document shows a job");
    let (text, _) = rest.split_once("```").expect("the example ends");
    let [job] = &jobs(text, &[])[..] else { panic!("one job") };
    assert_eq!((job.ranks, job.steps.len(), job.completed), (8, 2 * 14, job.messages));
    assert!(job.slowdown().unwrap() > 1.05, "{:?}", job.slowdown());
    adds_up(job);
    let worst = &job.delays[0];
    assert_eq!((worst.port.as_str(), &worst.shared_with[..]), ("h2->bridge", &["other".to_owned()][..]));
}

/// Under PFC, the other senders fill the input of the bridge, and the message waits at its station while the port is paused.
#[test]
fn pauses_are_part_of_the_delay() {
    let text = r#"
        duration = "4 ms"
        measure_from = "0 s"
        topology.star = { stations = 8, rate = "10 Gb/s", delay = "1 us" }
        network = { frame = "1 kB", overhead = "0 B" }
        flow_control.pfc = { xoff = "30 kB", xon = "20 kB", priorities = [3] }
        jobs = [{ kind = "ring-all-reduce", ranks = "h{1..4}", size = "800 kB" }]
        flows = [{ from = "h{5..8}", to = "h2", pattern = "incast" }]
    "#;
    let [job] = &jobs(text, &["duration=20 ms"])[..] else { panic!("one job") };
    adds_up(job);
    let station = job.delays.iter().find(|delay| delay.port == "h1->bridge").expect("h1 was paused");
    assert!(station.paused_s > 0.5 * station.delay_s && station.paused_s <= station.delay_s, "{station:?}");
}

#[test]
fn a_job_that_does_not_end_has_no_time() {
    let [job] = &on_star(RING, &["duration=300 us"])[..] else { panic!("one job") };
    assert_eq!(job.time_s, None);
    assert!(job.completed > 0 && job.completed < job.messages);
    // Whole steps only: all messages of a step arrive at the same time.
    assert_eq!(job.steps.len(), (300e-6 / MESSAGE) as usize);
    assert!(job.critical_path.is_empty() && job.delays.is_empty());
}

#[test]
fn two_jobs_have_figures_of_their_own() {
    let text = r#"
        jobs = [
            { kind = "barrier", ranks = "h{1..8}", size = "64 B" },
            { kind = "pipeline", ranks = "h{9..12}", size = "10 kB", parts = 5, compute = "20 us" },
        ]
    "#;
    let [barrier, pipeline] = &on_star(text, &[])[..] else { panic!("two jobs") };
    assert_eq!((barrier.name.as_str(), pipeline.name.as_str()), ("job1", "job2"));
    same(barrier.time_s.unwrap(), 3.0 * (2.0 * 64.0 * 0.8e-9 + 2e-6));
    // Rank 0 computes five parts; the last one is then computed by two more ranks and sent three times.
    same(pipeline.time_s.unwrap(), 7.0 * 20e-6 + 3.0 * MESSAGE);
    assert_eq!(pipeline.messages, 15);
    adds_up(pipeline);
}

/// Fifteen senders fill the buffer of a port that the job uses, and nothing is lossless.
#[test]
fn lost_frames_are_the_cause_of_an_unfinished_job() {
    let text = r#"
        jobs = [{ name = "train", kind = "ring-all-reduce", ranks = "h{1..16}", size = "1.6 MB" }]
        flows = [{ name = "other", from = "h{30..44}", to = "h9", pattern = "incast" }]
    "#;
    let [job] = &on_star(text, &["network.buffer=100 kB"])[..] else { panic!("one job") };
    let why = job.unfinished.as_ref().expect("it does not end");
    assert_eq!((job.time_s, job.final_compute_s), (None, None));
    assert_eq!(job.completed + why.missing + why.waiting, job.messages);
    assert!(why.lost_frames > 0 && why.waiting > 0, "{why:?}");
    assert_eq!(why.losses.len(), 1);
    assert_eq!(why.losses[0].port, "bridge->h9");
    assert!(why.losses[0].frames > why.lost_frames, "frames of other flows are included");
    assert_eq!(why.message.as_ref().map(|message| message.flow.as_str()), Some("train:h8-h9"));
    assert!(why.cause.contains("frames of the job were lost at bridge->h9 ("), "{}", why.cause);
    assert!(why.cause.contains("the message of train:h8-h9 in step"), "{}", why.cause);
    assert!(why.remedy.contains("flow control"), "{}", why.remedy);
}

#[test]
fn the_end_of_the_run_is_the_cause_of_an_unfinished_job() {
    let why = |settings: &[&str]| {
        let [job] = &on_star(RING, settings)[..] else { panic!("one job") };
        assert_eq!(job.completed, 0);
        job.unfinished.clone().expect("it does not end")
    };
    // The first message takes 10.8 us, and the job 126 times as long.
    let early = why(&["duration=10 us"]);
    assert_eq!((early.missing, early.waiting, early.lost_frames), (64, 64 * 125, 0));
    let released = "the message of train:h1-h2 in step 1 of iteration 1, released at 0 s,";
    assert_eq!(
        early.cause.replace('\u{a0}', " "),
        format!("the run ended at 10 µs, before {released} arrived")
    );
    assert_eq!(
        early.remedy.replace('\u{a0}', " "),
        "increase `duration` beyond 1360.8 µs, at which the job would end in an empty network"
    );
    let computing = why(&["duration=10 us", "jobs.1.compute=50 us"]);
    assert_eq!((computing.missing, computing.waiting), (0, 64 * 126));
    assert!(computing.cause.contains("during a computation"), "{}", computing.cause);
    let late = why(&["duration=10 us", "jobs.1.start=20 us"]);
    assert!(late.cause.contains("before the job started at 20"), "{}", late.cause);
}
