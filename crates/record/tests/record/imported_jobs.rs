//! Jobs from the files of other simulators, with completion times computed by hand: every frame is 1000 B long and takes 80 ns
//! on a link at 100 Gb/s with a delay of 1 us.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use setpoint_record::results::{Build, JobSummary, RunRecord};
use setpoint_record::run::run;
use setpoint_scenario::import::import;
use setpoint_scenario::{Files, Prepared, Scenario, Source};
use setpoint_sim::{Decision, Monitor, Threads};
use setpoint_units::Time;

use crate::jobs::{adds_up, same};

/// Messages around a triangle of ranks, with calculations.
const TRIANGLE: &str = "num_ranks 3
rank 0 {
l1: calc 500
l2: send 2000b to 1 tag 1
l2 requires l1
l3: recv 1000b from 2 tag 3
l4: calc 100
l4 requires l3
}
rank 1 {
l1: recv 2000b from 0 tag 1
l2: calc 300
l2 requires l1
l3: send 1000b to 2 tag 2
l3 requires l2
}
rank 2 {
l1: recv 1000b from 1 tag 2
l2: calc 40
l3: send 1000b to 0 tag 3
l3 requires l1
l3 irequires l2
}
";

/// Triggers of all kinds, in a fat tree of 16 hosts with two hosts on a TOR switch.
const TRIGGERS: &str = "Nodes 16
Connections 7
Triggers 4
0->1 id 1 start 0 size 10000 send_done_trigger 1
0->2 id 2 trigger 1 size 10000 recv_done_trigger 2
3->2 id 3 start 0 size 5000 recv_done_trigger 2
2->15 id 4 trigger 2 size 1000 send_done_trigger 3
15->4 id 5 trigger 3 size 1000 recv_done_trigger 4
4->5 id 6 trigger 4 size 1000 send_done_trigger 4
4->6 id 7 trigger 4 size 1000
trigger id 1 oneshot
trigger id 2 barrier count 2
trigger id 3 oneshot
trigger id 4 multishot
";

struct Table(String);

impl Files for Table {
    fn open(&self, _: &Path, target: &str) -> Result<Source, String> {
        Ok(Source::new(target, self.0.clone()))
    }

    fn canonical(&self, path: PathBuf) -> PathBuf {
        path
    }
}

struct On(usize);

impl Monitor for On {
    fn progress(&mut self, _now: Time, _events: u64) -> Decision {
        Decision::Continue
    }

    fn threads(&self) -> Threads {
        Threads::exactly(NonZeroUsize::new(self.0).unwrap())
    }
}

fn prepared(name: &str, text: &str) -> Prepared {
    let imported = import(&[Source::new(name, text)]).unwrap_or_else(|errors| panic!("{errors}"));
    let source = Source::of_file("imported.toml", imported.scenario, PathBuf::new());
    let scenario = Scenario::load_with(&source, &[], &Table(imported.table.unwrap()));
    scenario.and_then(|scenario| scenario.prepare(1)).unwrap_or_else(|errors| panic!("{errors}"))
}

/// The record of a run, which is the same on any number of threads.
fn record(prepared: &Prepared) -> RunRecord {
    let on = |threads| run(prepared, Build::default(), &mut On(threads)).unwrap();
    let one = on(1);
    for threads in [2, 3, 8] {
        assert_eq!(on(threads).manifest.digest, one.manifest.digest, "{threads} threads");
    }
    one
}

fn job(record: &RunRecord) -> &JobSummary {
    let [job] = &record.summary.jobs[..] else { panic!("one job") };
    job
}

fn path(job: &JobSummary) -> Vec<&str> {
    job.critical_path.iter().map(|message| message.id.as_deref().unwrap()).collect()
}

#[test]
fn a_goal_schedule_takes_the_time_computed_by_hand() {
    let record = record(&prepared("triangle.goal", TRIANGLE));
    let job = job(&record);
    // A message of 2000 B arrives 2 x 80 + 1000 + 80 + 1000 ns after its release, one of 1000 B 80 ns earlier.
    let (long, short) = (2_240e-9, 2_160e-9);
    same(job.time_s.unwrap(), 500e-9 + long + 300e-9 + short + short + 100e-9);
    same(job.ideal_s, job.time_s.unwrap());
    assert_eq!((job.kind.as_str(), job.ranks, job.messages, job.completed), ("messages", 3, 3, 3));
    assert_eq!(path(job), ["r0.l2", "r1.l3", "r2.l3"]);
    let computed: Vec<f64> = job.critical_path.iter().map(|message| message.compute_s).collect();
    for (computed, expected) in computed.into_iter().zip([500e-9, 300e-9, 0.0]) {
        same(computed, expected);
    }
    same(job.final_compute_s.unwrap(), 100e-9);
    assert_eq!(job.slowest_rank.as_deref(), Some("h0"));
    // Rank 1 has sent its message 80 ns after its release.
    assert_eq!(job.fastest_rank.as_deref(), Some("h1"));
    same(job.rank_spread_s.unwrap(), short - 80e-9 + short + 100e-9);
    let steps: Vec<u32> = job.steps.iter().map(|step| step.step).collect();
    assert_eq!(steps, [1, 2, 3]);
    adds_up(job);
}

#[test]
fn a_chain_of_triggers_takes_the_time_computed_by_hand() {
    let record = record(&prepared("triggers.cm", TRIGGERS));
    let job = job(&record);
    // The time of a message of n frames over a number of links.
    let time = |frames: u32, links: u32| f64::from(frames + links - 1) * 80e-9 + f64::from(links) * 1e-6;
    // 0->2 begins when 0->1 has left host 0, and takes four links; it is the later one of the two that the barrier waits for. A
    // `send_done_trigger` starts the connection of host 15 when its message has arrived there.
    let barrier = 800e-9 + time(10, 4);
    // The multishot starts 4->5 and, when it has left host 4, 4->6, which takes four links.
    let expected = barrier + 2.0 * time(1, 6) + 80e-9 + time(1, 4);
    same(job.time_s.unwrap(), expected);
    same(job.ideal_s, expected);
    assert_eq!((job.ranks, job.messages, job.completed), (8, 7, 7));
    assert_eq!(path(job), ["1", "2", "4", "5", "6", "7"]);
    assert_eq!(job.slowest_rank.as_deref(), Some("h6"));
    assert!(job.delays.is_empty(), "{:?}", job.delays);
    adds_up(job);
}
