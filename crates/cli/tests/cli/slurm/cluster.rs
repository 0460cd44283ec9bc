//! A Slurm cluster of one node on this machine, with its own keys, ports and files.

use std::fs::{self, File};
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// A cluster, which is stopped when the value is dropped.
pub(crate) struct Cluster {
    folder: TempDir,
    daemons: Vec<Child>,
}

/// The time within which a daemon must respond.
const PATIENCE: Duration = Duration::from_secs(20);
/// The time within which jobs must end after a test.
const END: Duration = Duration::from_secs(10);

/// Ways to do without control groups; which of them works depends on the version of Slurm and on the machine.
const CONTROL_GROUPS: [&str; 3] = ["disabled", "cgroup/v1", "autodetect"];

impl Cluster {
    /// Starts a cluster, or returns the reason why that is impossible here.
    pub(crate) fn start() -> Result<Self, String> {
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        // The daemons refuse to work in a folder in which others cannot see the socket.
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
        let mut cluster = Self { folder, daemons: Vec::new() };
        cluster.start_munge()?;
        cluster.write("slurm.conf", &configuration(cluster.folder.path())?);
        cluster.start_controller()?;
        cluster.start_node()?;
        Ok(cluster)
    }

    /// The configuration, for `SLURM_CONF`.
    pub(crate) fn configuration(&self) -> PathBuf {
        self.path("slurm.conf")
    }

    /// Runs a Slurm command.
    pub(crate) fn call(&self, program: &str, arguments: &[&str]) -> Output {
        Command::new(program).args(arguments).env("SLURM_CONF", self.configuration()).output().unwrap()
    }

    fn start_munge(&mut self) -> Result<(), String> {
        let key: Vec<u8> = (0..128).collect();
        fs::write(self.path("munge.key"), key).unwrap();
        fs::set_permissions(self.path("munge.key"), fs::Permissions::from_mode(0o400)).unwrap();
        let file = |option: &str, name: &str| format!("--{option}={}", self.path(name).display());
        let options = [
            "--foreground".to_owned(),
            file("key-file", "munge.key"),
            file("socket", "munge.socket"),
            file("pid-file", "munge.pid"),
            file("seed-file", "munge.seed"),
            file("log-file", "munge.log"),
        ];
        self.start_daemon("munged", &options)?;
        let socket = self.path("munge.socket");
        self.wait_for("munged", |_| socket.exists())
    }

    fn start_controller(&mut self) -> Result<(), String> {
        fs::create_dir(self.path("state")).unwrap();
        self.start_daemon("slurmctld", &["-D".to_owned(), "-c".to_owned()])?;
        self.wait_for("slurmctld", |cluster| cluster.call("scontrol", &["ping"]).status.success())
    }

    fn start_node(&mut self) -> Result<(), String> {
        fs::create_dir(self.path("spool")).unwrap();
        let mut reasons = Vec::new();
        for plugin in CONTROL_GROUPS {
            self.write("cgroup.conf", &format!("CgroupPlugin={plugin}\n"));
            self.start_daemon("slurmd", &["-D", "-N", NODE].map(str::to_owned))?;
            let is_idle =
                |cluster: &Self| cluster.call("sinfo", &["--noheader", "--format=%T"]).stdout == b"idle\n";
            match self.wait_for("slurmd", is_idle) {
                Ok(()) => return Ok(()),
                Err(reason) => reasons.push(format!("with {plugin}: {reason}")),
            }
            self.daemons.pop().into_iter().for_each(stop);
        }
        Err(reasons.join("\n"))
    }

    /// Starts a daemon that ends with this thread at the latest.
    fn start_daemon(&mut self, program: &str, options: &[String]) -> Result<(), String> {
        let output = File::create(self.path(&format!("{program}.out"))).unwrap();
        let mut command = Command::new("setpriv");
        command.args(["--pdeathsig", "KILL"]).arg(found(program)?).args(options).stdin(Stdio::null());
        command.env("SLURM_CONF", self.configuration()).stdout(output.try_clone().unwrap()).stderr(output);
        self.daemons.push(command.spawn().map_err(|error| format!("cannot start setpriv: {error}"))?);
        Ok(())
    }

    /// Waits until the most recently started daemon responds.
    fn wait_for(&mut self, program: &str, is_ready: impl Fn(&Self) -> bool) -> Result<(), String> {
        let began = Instant::now();
        while began.elapsed() < PATIENCE {
            if is_ready(self) {
                return Ok(());
            }
            let daemon = self.daemons.last_mut().expect("it was started");
            if daemon.try_wait().unwrap().is_some() {
                return Err(format!("{program} ended: {}", self.last_lines(program)));
            }
            sleep(Duration::from_millis(50));
        }
        Err(format!("{program} did not answer within {PATIENCE:?}: {}", self.last_lines(program)))
    }

    /// The last messages of a daemon.
    fn last_lines(&self, program: &str) -> String {
        let text = fs::read_to_string(self.path(&format!("{program}.out"))).unwrap_or_default();
        let lines: Vec<&str> = text.lines().collect();
        lines[lines.len().saturating_sub(5)..].join("; ")
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).unwrap();
    }
}

/// The name of the node.
const NODE: &str = "node";

impl Drop for Cluster {
    /// Ends all jobs, whose processes would outlive the node's daemon, and then the daemons.
    fn drop(&mut self) {
        if self.daemons.len() == 3 {
            self.call("scancel", &["--me"]);
            let began = Instant::now();
            while !self.call("squeue", &["--noheader"]).stdout.is_empty() && began.elapsed() < END {
                sleep(Duration::from_millis(100));
            }
        }
        self.daemons.drain(..).rev().for_each(stop);
    }
}

fn stop(mut daemon: Child) {
    let _ = daemon.kill();
    let _ = daemon.wait();
}

/// The path of a daemon, which may be in a directory that is only on root's search path.
fn found(program: &str) -> Result<PathBuf, String> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&path).chain(["/usr/sbin", "/usr/local/sbin"].map(PathBuf::from));
    let found = folders.map(|folder| folder.join(program)).find(|path| path.is_file());
    found.ok_or_else(|| format!("{program} is not installed (Debian packages slurm-wlm and munge)"))
}

/// The configuration of a cluster without accounting, control groups or core allocation.
fn configuration(folder: &Path) -> Result<String, String> {
    let user = Command::new("id").arg("-un").output().map_err(|error| error.to_string())?;
    let user = String::from_utf8_lossy(&user.stdout).trim().to_owned();
    let (controller, node) = (free_port(), free_port());
    let folder = folder.display();
    Ok(format!(
        "ClusterName=setpoint
SlurmctldHost=localhost
SlurmUser={user}
SlurmdUser={user}
SlurmctldPort={}
SlurmdPort={}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
CredType=cred/munge
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
SlurmdParameters=config_overrides
SchedulerParameters=sched_interval=1,bf_interval=1,batch_sched_delay=0
ReturnToService=2
NodeName={NODE} NodeHostname=localhost NodeAddr=127.0.0.1 CPUs=4 RealMemory=16000
PartitionName=lab Nodes={NODE} Default=YES MaxTime=INFINITE State=UP
",
        port(&controller),
        port(&node)
    ))
}

/// Reserves an unused port until the listener is dropped.
fn free_port() -> TcpListener {
    TcpListener::bind("127.0.0.1:0").unwrap()
}

fn port(listener: &TcpListener) -> u16 {
    listener.local_addr().unwrap().port()
}
