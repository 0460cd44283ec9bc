//! Tests without Slurm: its absence is reported, and small scripts take the place of its commands.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Output};

use super::{FILE, place, stderr, sweep};
use crate::support::assert_same;
use crate::support::{Place, names};

/// A script in place of a command, in the folder `bin`.
fn script(place: &Place, name: &str, text: &str) {
    let path = place.path("bin").join(name);
    fs::create_dir_all(place.path("bin")).unwrap();
    fs::write(&path, format!("#!/bin/sh\n{text}\n")).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
}

/// Runs a sweep whose search path contains only `bin` and the system's commands.
fn by_scripts(place: &Place, options: &[&str]) -> Output {
    let path = format!("{}:/usr/bin:/bin", place.path("bin").display());
    let mut command = sweep(place, &[&["--out", "shared", "--slurm", "--tasks", "8"], options].concat());
    command.env("PATH", path).output().unwrap()
}

/// An `sbatch` that gives every job the next number and prints it; for an array, it runs `then` as the task.
fn accepting_sbatch(place: &Place, then: &str) {
    let count = place.path("count");
    let text = format!(
        r#"[ "$1" = --version ] && exit
echo x >> '{count}'
id=$(wc -l < '{count}')
echo "$*" >> '{count}.log'
echo "$id"
{then}"#,
        count = count.display()
    );
    script(place, "sbatch", &text);
    script(place, "squeue", "");
    script(place, "scancel", "");
}

#[test]
fn without_slurm_there_is_advice() {
    let place = place();
    let mut command = sweep(&place, &["--out", "shared", "--slurm"]);
    let output = command.env("PATH", place.path("bin")).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    insta::assert_snapshot!(stderr(&output));
    assert!(!place.path("shared").exists());
}

#[test]
fn refusals_are_passed_on() {
    let place = place();
    script(
        &place,
        "sbatch",
        "[ \"$1\" = --version ] && exit\necho 'sbatch: error: invalid account' >&2; exit 1",
    );
    let output = by_scripts(&place, &[]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(stderr(&output), "error: Slurm refused the job: sbatch: error: invalid account\n");
    assert!(!place.path("shared").exists());
}

#[test]
fn shards_that_fail_again_and_again_are_an_error() {
    let place = place();
    let log = "case $2 in --array=*) printf '%s\\n' 'the node is on fire' > \"$(dirname \"$4\")/logs/${id}_1.log\";; esac";
    accepting_sbatch(&place, log);
    let output = by_scripts(&place, &["--quiet"]);
    assert_eq!(output.status.code(), Some(1));
    let said = stderr(&output).replace(place.folder().to_str().unwrap(), "FOLDER");
    insta::assert_snapshot!(said);
    let calls = fs::read_to_string(place.path("count.log")).unwrap();
    assert_eq!(calls.lines().filter(|line| line.contains("--array=1-8 ")).count(), 4, "{calls}");
    assert_eq!(calls.lines().filter(|line| line.contains("--dependency=afterany:")).count(), 4, "{calls}");
}

/// A scheduler that was reinstalled gives the numbers of our jobs to other jobs, which are neither waited for nor cancelled.
#[test]
fn other_jobs_with_our_numbers_are_left_alone() {
    let place = place();
    accepting_sbatch(&place, "");
    let (looks, cancelled) = (place.path("looks"), place.path("cancelled"));
    // The script gives up after a while, so that a waiting process ends.
    let squeue = format!(
        "echo x >> '{looks}'
        [ $(wc -l < '{looks}') -gt 30 ] && exit
        for job in 1 2 3 4 5 6 7 8; do echo \"$job|RUNNING|None|/home/ada/other.sh\"; done",
        looks = looks.display()
    );
    script(&place, "squeue", &squeue);
    script(&place, "scancel", &format!("echo x >> '{}'", cancelled.display()));
    let output = by_scripts(&place, &["--quiet"]);
    assert!(stderr(&output).contains("are still missing after 4 submissions"), "{}", stderr(&output));
    assert!(fs::read_to_string(looks).unwrap().lines().count() < 30);
    assert!(!cancelled.exists());
}

/// Of two shards, one is complete: only the other is submitted.
#[test]
fn only_missing_results_are_submitted() {
    let place = place();
    accepting_sbatch(&place, "");
    let part = sweep(&place, &["--out", "shared", "--quiet", "--shard", "1/2"]).output().unwrap();
    assert!(part.status.success(), "{}", stderr(&part));
    by_scripts(&place, &["--quiet"]);
    let calls = fs::read_to_string(place.path("count.log")).unwrap();
    assert!(calls.contains("--array=2,4,6,8 "), "{calls}");
}

/// A shard with a failed run ends with an error, but its results are complete.
#[test]
fn failed_runs_are_not_submitted_again() {
    let place = place();
    place.write(
        FILE,
        r#"
            extends = "incast-pfc"
            duration = "5 ms"
            measure_from = "1 ms"
            [sweep]
            "flow_control.pfc.headroom" = ["1 kB", "50 kB"]
        "#,
    );
    let tasks = "export SLURM_CPUS_PER_TASK=1
        [ \"$2\" = --array=1-8 ] && for task in 1 2 3 4 5 6 7 8; do
            SLURM_ARRAY_TASK_ID=$task sh \"$4\" > /dev/null 2>&1
        done
        true";
    accepting_sbatch(&place, tasks);
    let output = by_scripts(&place, &["--quiet"]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(stderr(&output).matches("was lost").count(), 4, "{}", stderr(&output));
    assert_eq!(fs::read_to_string(place.path("count.log")).unwrap().lines().count(), 2);
    assert!(!place.path("shared/.setpoint-slurm").exists());
}

/// The printed script, run by hand, creates the same files as a sweep on one machine.
#[test]
fn the_script_works_by_hand() {
    let place = place();
    let options = [
        "--out",
        "it's shared",
        "--slurm",
        "--tasks",
        "2",
        "--time",
        "1:00",
        "--mem",
        "1G",
        "--print-script",
    ];
    let printed = sweep(&place, &options).output().unwrap();
    assert!(printed.status.success(), "{}", stderr(&printed));
    assert_eq!(names(place.folder()), [FILE]);
    place.write("job.sh", std::str::from_utf8(&printed.stdout).unwrap());
    let job = |task: &str, arguments: &[&str]| {
        let mut command = Command::new("sh");
        command.arg(place.path("job.sh")).args(arguments).current_dir("/");
        command.env("SLURM_ARRAY_TASK_ID", task).env("SLURM_CPUS_PER_TASK", "1");
        let output = command.output().unwrap();
        assert!(output.status.success() && output.stdout.is_empty(), "{}", stderr(&output));
    };
    ["1", "2"].into_iter().for_each(|task| job(task, &[]));
    job("1", &["collect"]);
    super::alone(&place);
    assert_same(&place.path("alone"), &place.path("it's shared"));
}

#[test]
fn options_of_slurm_need_slurm() {
    let place = place();
    let output = sweep(&place, &["--tasks", "8"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("--slurm"), "{}", stderr(&output));
}
