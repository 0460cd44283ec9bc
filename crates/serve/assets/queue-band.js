// Queues as drawn in charts: the mean of each sample interval as a line, with a band around it.

export const QUEUE_BANDS = "mean in each interval, shaded from the smallest sample to the largest length";

/** The columns of one of a run's queues, for a series of a chart. `history()` returns the history of the run. */
export function queueBand(history, index) {
  const column = (kind) => () => history().column(kind, index);
  return { column: column("queue.mean_bytes"), band: { low: column("queue.length_bytes"), high: column("queue.largest_bytes") } };
}
