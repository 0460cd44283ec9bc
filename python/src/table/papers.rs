//! The outcome of claims.

use setpoint_papers::ClaimRecord;
use setpoint_record::VERSION;

use super::{Table, counts, numbers, table, texts};

/// A row per claim. The unit of a figure has its own column, since claims refer to different quantities.
pub(crate) fn verdicts(records: &[ClaimRecord]) -> Table {
    let text = |name: &str, of: fn(&ClaimRecord) -> &String| {
        texts(name, records.iter().map(|record| Some(of(record).clone())))
    };
    let columns = vec![
        text("experiment", |record| &record.experiment),
        text("claim", |record| &record.claim),
        text("origin", |record| &record.origin),
        text("verdict", |record| &record.verdict),
        numbers("measured", records.iter().map(|record| record.measured)),
        numbers("published", records.iter().map(|record| record.published)),
        text("expected", |record| &record.expected),
        text("unit", |record| &record.unit),
        counts("seeds", records.iter().map(|record| record.seeds as u64)),
        counts("seeds_following", records.iter().map(|record| record.seeds_following as u64)),
        text("why", |record| &record.why),
    ];
    table("verdicts", columns, &[("version", VERSION)])
}
