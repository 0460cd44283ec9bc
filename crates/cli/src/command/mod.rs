//! The commands, each in its own file, except those that only print text.

mod atlas;
mod bench;
mod check;
mod compare;
mod explain;
mod export;
mod fluid;
mod groups;
mod import;
mod league;
mod list;
#[cfg(target_os = "linux")]
mod live;
mod new;
mod nic;
mod output;
mod percentiles;
mod phase;
mod plots;
mod print;
mod report;
mod reproduce;
mod run;
mod serve;
mod shards;
mod site;
mod slurm;
mod stability;
mod step;
mod stopping;
mod sweep;
mod tables;
mod theory;
mod tune;
mod vectors;

use clap::Subcommand;

use crate::failure::Failure;

pub(crate) use groups::{WIDEST, grouped};

/// The subcommands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Run(run::Run),
    Serve(serve::Serve),
    Check(check::Check),
    New(new::New),
    Import(import::Import),
    List(list::List),
    Explain(explain::Explain),
    Sweep(sweep::Sweep),
    League(league::League),
    Tune(tune::Tune),
    Fluid(fluid::Fluid),
    Stability(stability::Stability),
    Phase(phase::Phase),
    Atlas(atlas::Atlas),
    Report(report::Report),
    Compare(compare::Compare),
    Export(export::Export),
    Site(site::WriteSite),
    Reproduce(reproduce::Reproduce),
    Step(step::Step),
    Vectors(vectors::Vectors),
    #[cfg(target_os = "linux")]
    Live(live::Live),
    Nic(nic::Nic),
    Bench(bench::Bench),
    Dissector(print::Dissector),
    Schema(print::Schema),
    Completions(print::Completions),
    Man(print::Man),
}

impl Command {
    pub(crate) fn execute(self) -> Result<(), Failure> {
        match self {
            Self::Run(run) => run.execute(),
            Self::Serve(serve) => serve.execute(),
            Self::Check(check) => check.execute(),
            Self::New(new) => new.execute(),
            Self::Import(import) => import.execute(),
            Self::List(list) => list.execute(),
            Self::Explain(explain) => explain.execute(),
            Self::Sweep(sweep) => sweep.execute(),
            Self::League(league) => league.execute(),
            Self::Tune(tune) => tune.execute(),
            Self::Fluid(fluid) => fluid.execute(),
            Self::Stability(stability) => stability.execute(),
            Self::Phase(phase) => phase.execute(),
            Self::Atlas(atlas) => atlas.execute(),
            Self::Report(report) => report.execute(),
            Self::Compare(compare) => compare.execute(),
            Self::Export(export) => export.execute(),
            Self::Site(site) => site.execute(),
            Self::Reproduce(reproduce) => reproduce.execute(),
            Self::Step(step) => step.execute(),
            Self::Vectors(vectors) => vectors.execute(),
            #[cfg(target_os = "linux")]
            Self::Live(live) => live.execute(),
            Self::Nic(nic) => nic.execute(),
            Self::Bench(bench) => bench.execute(),
            Self::Dissector(dissector) => dissector.execute(),
            Self::Schema(schema) => schema.execute(),
            Self::Completions(completions) => completions.execute(),
            Self::Man(man) => man.execute(),
        }
    }
}
