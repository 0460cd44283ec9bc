// Notifications of a run. Congestion points send them, or receivers do if congestion points mark frames (DCQCN): as
// congestion notification packets, or as acknowledgements that show the marks.

/** Whether receivers notify sources, and the curves that count notifications: of queues that send or flows that receive them. */
export function feedbackOf({ curves = [], queues = [], flows = [] }) {
  const has = (name) => curves.some((curve) => curve.name === name);
  const ofFlows = ["flow.notifications", "source.marked_acknowledgements"].filter(has);
  const byReceivers = has("queue.marked_frames");
  return byReceivers
    ? { byReceivers, received: ofFlows, shown: ofFlows, count: flows.length }
    : { byReceivers, received: ["flow.notifications"], shown: ["queue.notifications"], count: queues.length };
}
