//! Fluid solutions, responses and maps.

use setpoint_lab::theory::{FluidRecord, LoopRecord, MapRecord, Origin, PhaseRecord};
use setpoint_record::table::Column;

use super::{Table, counts, numbers, table, texts};

/// The curves of a fluid solution and, next to them, those of its packet run.
pub(crate) fn fluid(record: &FluidRecord, from: &Origin) -> Table {
    let mut columns = vec![curve("time_s", &record.time_s), curve("queue_bytes", &record.queue_bytes)];
    columns.extend(
        record.classes.iter().map(|class| curve(&format!("{} rate_bps", class.name), &class.rate_bps)),
    );
    if let Some(packets) = &record.packets {
        columns.push(curve("packets queue_bytes", &packets.queue_bytes));
        let classes = record.classes.iter().zip(&packets.classes);
        columns.extend(
            classes
                .map(|(class, beside)| curve(&format!("packets {} rate_bps", class.name), &beside.rate_bps)),
        );
    }
    of_theory("curves", columns, from)
}

/// The open loop over frequency.
pub(crate) fn response(record: &LoopRecord, from: &Origin) -> Table {
    let points = || record.response.iter();
    let columns = vec![
        numbers("frequency_rad_per_s", points().map(|(omega, ..)| Some(*omega))),
        numbers("open_loop_re", points().map(|(_, re, _)| Some(*re))),
        numbers("open_loop_im", points().map(|(.., im)| Some(*im))),
    ];
    of_theory("response", columns, from)
}

/// The cells of a map, row by row: the values of both keys, as text and as numbers, and the ratio of margin to delay.
pub(crate) fn map(record: &MapRecord, from: &Origin) -> Table {
    let (width, height) = (record.x.values.len(), record.y.values.len());
    let cells = || (0..height).flat_map(move |y| (0..width).map(move |x| (x, y)));
    let columns = vec![
        texts(&record.x.key, cells().map(|(x, _)| record.x.values.get(x).cloned())),
        texts(&record.y.key, cells().map(|(_, y)| record.y.values.get(y).cloned())),
        numbers("x", cells().map(|(x, _)| record.x.numbers.get(x).copied())),
        numbers("y", cells().map(|(_, y)| record.y.numbers.get(y).copied())),
        numbers("stability", record.stability.iter().flatten().copied()),
    ];
    of_theory("map", columns, from)
}

/// A row per trajectory and time.
pub(crate) fn trajectories(record: &PhaseRecord, from: &Origin) -> Table {
    let all = || (0_u64..).zip(&record.trajectories);
    let number = |(number, one): (u64, &setpoint_lab::theory::Trajectory)| {
        std::iter::repeat_n(number, one.time_s.len())
    };
    let columns = vec![
        counts("trajectory", all().flat_map(number)),
        numbers("time_s", all().flat_map(|(_, one)| one.time_s.iter().copied().map(Some))),
        numbers("offset_bytes", all().flat_map(|(_, one)| one.offset_bytes.iter().copied().map(Some))),
        numbers("excess_bps", all().flat_map(|(_, one)| one.excess_bps.iter().copied().map(Some))),
    ];
    of_theory("trajectories", columns, from)
}

fn curve(name: &str, values: &[f64]) -> Column {
    numbers(name, values.iter().copied().map(Some))
}

fn of_theory(name: &str, columns: Vec<Column>, from: &Origin) -> Table {
    let origin = [
        ("version", from.version.as_str()),
        ("scenario", &from.scenario),
        ("scenario_text", &from.scenario_text),
        ("seed", &from.seed.to_string()),
    ];
    table(name, columns, &origin)
}
