//! Theory records as tables.

use super::record::{FluidRecord, LoopRecord, MapRecord, PhaseRecord};

/// Times, queue and rates, followed by the queue and rates of the packet run.
pub(super) fn fluid(record: &FluidRecord) -> Vec<u8> {
    let mut header = vec!["time_s".to_owned(), "queue_bytes".to_owned()];
    header.extend(record.classes.iter().map(|class| format!("{} rate_bps", class.name)));
    let mut columns = vec![&record.time_s, &record.queue_bytes];
    columns.extend(record.classes.iter().map(|class| &class.rate_bps));
    if let Some(packets) = &record.packets {
        header.push("packets queue_bytes".to_owned());
        header.extend(record.classes.iter().map(|class| format!("packets {} rate_bps", class.name)));
        columns.push(&packets.queue_bytes);
        columns.extend(packets.classes.iter().map(|class| &class.rate_bps));
    }
    let row = |index: usize| columns.iter().map(|column| number(column.get(index).copied())).collect();
    table(&header, (0..record.time_s.len()).map(row))
}

/// The open loop over frequency.
pub(super) fn response(record: &LoopRecord) -> Vec<u8> {
    let header = ["frequency_rad_per_s", "open_loop_re", "open_loop_im"].map(str::to_owned);
    let row = |(omega, re, im): &(f64, f64, f64)| [omega, re, im].map(ToString::to_string).to_vec();
    table(&header, record.response.iter().map(row))
}

/// One line per row of the map, starting with the first value of the vertical axis.
pub(super) fn map(record: &MapRecord) -> Vec<u8> {
    let corner = format!("{} \\ {}", record.y.key, record.x.key);
    let header: Vec<String> = std::iter::once(corner).chain(record.x.values.iter().cloned()).collect();
    let row = |(value, cells): (&String, &Vec<Option<f64>>)| {
        std::iter::once(value.clone()).chain(cells.iter().map(|cell| number(*cell))).collect()
    };
    table(&header, record.y.values.iter().zip(&record.stability).map(row))
}

/// The packet runs on a map.
pub(super) fn points(record: &MapRecord) -> Vec<u8> {
    let own = ["stability", "swing", "empty_share", "period_s"].map(str::to_owned);
    let header: Vec<String> = [record.x.key.clone(), record.y.key.clone()].into_iter().chain(own).collect();
    let row = |point: &super::record::MapPoint| {
        let theory = record.stability.get(point.y).and_then(|row| row.get(point.x)).copied().flatten();
        let figures = [theory, Some(point.swing), Some(point.empty_share), point.period_s].map(number);
        let place = [record.x.values[point.x].clone(), record.y.values[point.y].clone()];
        place.into_iter().chain(figures).collect()
    };
    table(&header, record.packets.iter().map(row))
}

/// The trajectories, one after another.
pub(super) fn phase(record: &PhaseRecord) -> Vec<u8> {
    let header = ["trajectory", "time_s", "offset_bytes", "excess_bps"].map(str::to_owned);
    let rows = record.trajectories.iter().enumerate().flat_map(|(number, trajectory)| {
        let points = trajectory.time_s.iter().zip(&trajectory.offset_bytes).zip(&trajectory.excess_bps);
        points.map(move |((time, offset), excess)| {
            vec![(number + 1).to_string(), time.to_string(), offset.to_string(), excess.to_string()]
        })
    });
    table(&header, rows)
}

fn number(value: Option<f64>) -> String {
    value.map(|value| value.to_string()).unwrap_or_default()
}

fn table(header: &[String], rows: impl Iterator<Item = Vec<String>>) -> Vec<u8> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let full = "writing to memory cannot fail, and rows are as long as the header";
    writer.write_record(header).expect(full);
    for row in rows {
        writer.write_record(row).expect(full);
    }
    writer.into_inner().expect(full)
}
