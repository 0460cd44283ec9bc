//! The reproduced experiments with their verdicts, from the stored outcome of a full run.

use setpoint_papers::{ClaimRecord, Experiment, Paper, overview, papers, stored_page, stored_verdicts};

use crate::extras::{Extras, content};
use crate::frame::{EXPERIMENTS, Framed};
use crate::laboratory::Scene;
use crate::search::Entry;

/// The page that lists all experiments, and the page of each.
pub(crate) fn pages(extras: &Extras) -> Vec<(Framed, Entry)> {
    let papers = papers();
    let records: Vec<ClaimRecord> = stored_verdicts().collect();
    let index = Framed::of(EXPERIMENTS, EXPERIMENTS.address, &overview(&papers, &records));
    let mut pages = vec![(index, listed(&papers))];
    for paper in &papers {
        let page = |experiment| page(paper, experiment, &records, extras);
        pages.extend(paper.experiments.iter().map(page));
    }
    pages
}

/// The search entry of the page that lists all experiments.
fn listed(papers: &[Paper]) -> Entry {
    let about = |paper: &Paper| format!("{} {} {}", paper.title, paper.source, paper.about);
    let text: Vec<String> = papers.iter().map(about).collect();
    Entry { text: text.join(" "), ..Entry::new(EXPERIMENTS.address, EXPERIMENTS.title) }
}

/// The page of an experiment: the one that a run wrote, or one with the stored verdicts.
fn page(paper: &Paper, experiment: &Experiment, records: &[ClaimRecord], extras: &Extras) -> (Framed, Entry) {
    let address = format!("papers/{}.html", experiment.id);
    let scene = Scene::of(experiment).filter(|_| extras.has_laboratory());
    let stored = Framed {
        run: scene.map(|scene| scene.bench(&address)),
        ..Framed::of(EXPERIMENTS, &address, &stored_page(paper, experiment, records))
    };
    let reproduced = extras.experiments.iter().find(|(id, _)| id == experiment.id);
    let reproduced = reproduced.and_then(|(_, page)| content(page));
    let framed = match reproduced {
        Some(content) => Framed { content: content.to_owned(), ..stored },
        None => stored,
    };
    let claims = experiment.claims.iter().map(|claim| format!("{} {}", claim.name, claim.statement));
    let text: Vec<String> =
        [experiment.setup, experiment.paper_says].map(str::to_owned).into_iter().chain(claims).collect();
    let entry = Entry::new(&address, &format!("{} ({})", experiment.title, experiment.id));
    (framed, Entry { text: text.join(" "), ..entry })
}
