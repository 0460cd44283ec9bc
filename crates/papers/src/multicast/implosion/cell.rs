//! The cases: group rules, set points and numbers of receivers, all with all.

use crate::case::Case;

/// One of the cases.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cell {
    pub(super) name: &'static str,
    label: &'static str,
    rule: &'static str,
    /// The set point in frames.
    frames: u32,
    pub(super) receivers: u32,
}

/// A rule with its cells, by set point and then by receivers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Map {
    pub(super) title: &'static str,
    pub(super) rows: [[Cell; 6]; 5],
}

/// The set points in frames, and the numbers of receivers.
pub(super) const FRAMES: [u32; 5] = [10, 25, 50, 75, 90];
pub(super) const RECEIVERS: [u32; 6] = [2, 4, 8, 16, 32, 64];

macro_rules! cell {
    ($rule:literal, $frames:literal, $receivers:literal) => {
        Cell {
            name: concat!($rule, "-", $frames, "-", $receivers),
            label: concat!($rule, ", Qeq ", $frames, " frames, ", $receivers, " receivers"),
            rule: $rule,
            frames: $frames,
            receivers: $receivers,
        }
    };
}

macro_rules! row {
    ($rule:literal, $frames:literal) => {
        [
            cell!($rule, $frames, 2),
            cell!($rule, $frames, 4),
            cell!($rule, $frames, 8),
            cell!($rule, $frames, 16),
            cell!($rule, $frames, 32),
            cell!($rule, $frames, 64),
        ]
    };
}

macro_rules! map {
    ($title:literal, $rule:literal) => {
        Map {
            title: $title,
            rows: [row!($rule, 10), row!($rule, 25), row!($rule, 50), row!($rule, 75), row!($rule, 90)],
        }
    };
}

pub(super) static LEGACY: Map = map!("Every notification (legacy)", "every-notification");
pub(super) static SLOWEST_PATH: Map = map!("Slowest path", "slowest-path");
pub(super) static WORST_POINT: Map = map!("Worst point", "worst-point");

/// One receiver, by set point: what a source hears from one congested port.
pub(super) static ALONE: [Cell; 5] = [
    cell!("every-notification", 10, 1),
    cell!("every-notification", 25, 1),
    cell!("every-notification", 50, 1),
    cell!("every-notification", 75, 1),
    cell!("every-notification", 90, 1),
];

pub(super) fn maps() -> [&'static Map; 3] {
    [&LEGACY, &SLOWEST_PATH, &WORST_POINT]
}

/// All cases, over a network.
pub(super) fn cases(scenario: &'static str) -> Vec<Case> {
    let of_maps = maps().into_iter().flat_map(|map| map.rows.iter().flatten());
    ALONE.iter().chain(of_maps).map(|cell| cell.case(scenario)).collect()
}

impl Map {
    /// The cell of a set point and a number of receivers.
    pub(super) fn cell(&self, frames: u32, receivers: u32) -> &Cell {
        let wanted = |cell: &&Cell| cell.frames == frames && cell.receivers == receivers;
        self.rows
            .iter()
            .flatten()
            .find(wanted)
            .expect("one of the set points, and of the numbers of receivers")
    }
}

impl Cell {
    fn case(&self, scenario: &'static str) -> Case {
        Case::new(self.name, self.label, scenario)
            .set(format!("control.qcn.group_rule={}", self.rule))
            .set(format!("control.qcn.cp.set_point=\"{} B\"", self.frames * 1500))
            .set(format!("groups.1.size={}", self.receivers))
            .set(format!("flows.2.from=\"s{{2..{}}}\"", self.receivers + 1))
            .set(format!("flows.2.to=\"r{{1..{}}}\"", self.receivers))
    }

    /// The case of one receiver with the same set point.
    pub(super) fn alone(&self) -> &'static Self {
        let same = |alone: &&Self| alone.frames == self.frames;
        ALONE.iter().find(same).expect("there is one for each set point")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_stand_where_the_lists_say() {
        for map in maps() {
            for (row, frames) in map.rows.iter().zip(FRAMES) {
                for (cell, receivers) in row.iter().zip(RECEIVERS) {
                    assert_eq!((cell.frames, cell.receivers), (frames, receivers), "{}", cell.name);
                    assert_eq!(cell.alone().frames, frames);
                }
            }
        }
        assert_eq!(LEGACY.cell(75, 64).name, "every-notification-75-64");
        assert_eq!(cases("").len(), 95);
    }
}
