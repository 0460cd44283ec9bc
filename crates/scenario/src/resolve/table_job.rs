//! The messages of a table that wait for each other, as a job.

use std::ops::Range;
use std::sync::Arc;

use setpoint_sim::traffic::DependentMessage;
use setpoint_sim::{FlowId, MessageId, NodeId};
use setpoint_units::Time;

use super::flow_files::Group;
use crate::flow_files::{FlowTable, Orders};
use crate::job::{Job, JobMessage};

/// A table of messages that wait for each other.
pub(super) struct TableJob<'a> {
    table: &'a FlowTable,
    orders: &'a Orders,
    /// The message of each row.
    ids: Vec<MessageId>,
}

impl<'a> TableJob<'a> {
    /// A table whose groups become flows with consecutive numbers.
    pub(super) fn new(table: &'a FlowTable, orders: &'a Orders, first: FlowId, groups: &[Group]) -> Self {
        let mut ids = vec![MessageId { flow: first, number: 0 }; table.rows.len()];
        for (flow, group) in (first.0..).map(FlowId).zip(groups) {
            for (number, &row) in (0..).zip(&group.rows) {
                ids[row] = MessageId { flow, number };
            }
        }
        Self { table, orders, ids }
    }

    /// The messages of a flow.
    pub(super) fn messages(&self, group: &Group) -> Arc<[DependentMessage]> {
        let message = |&row: &usize| {
            let (order, line) = (&self.orders.of[row], &self.table.rows[row]);
            DependentMessage::new(line.size)
                .with_gap(line.start + order.gap)
                .after(order.after.iter().map(|&awaited| self.ids[awaited]))
        };
        group.rows.iter().map(message).collect()
    }

    /// The job. The step of a message is the length of the longest chain of messages that it waits for.
    pub(super) fn job(&self, name: String, ranks: Vec<NodeId>, start: Time, flows: Range<usize>) -> Job {
        let Self { table, orders, ids } = self;
        let mut steps = vec![0u32; table.rows.len()];
        for &row in &orders.sorted {
            let after = |&awaited: &usize| steps[awaited] + u32::from(!table.rows[awaited].is_computation());
            steps[row] = orders.of[row].after.iter().map(after).max().unwrap_or(0);
        }
        let message = |&row: &usize| JobMessage { id: ids[row], step: steps[row] };
        let id = |&row: &usize| orders.of[row].id.clone().unwrap_or_default();
        Job {
            name,
            kind: "messages",
            ranks,
            start,
            flows,
            messages: orders.sorted.iter().map(message).collect(),
            ids: orders.sorted.iter().map(id).collect(),
            steps_per_iteration: steps.iter().max().map_or(0, |most| most + 1),
        }
    }
}
