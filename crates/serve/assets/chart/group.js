// Plots in a group share zoom and cursor. A plot without a group name has its own group.

const groups = new Map();

export class Group {
  plots = new Set();
  range = null; // [from, to], or null to show everything
  cursor = null; // axis position, or null
  onRange = () => {}; // called with each new range

  static join(name, plot) {
    const group = name === undefined ? new Group() : groups.get(name) ?? new Group();
    if (name !== undefined) groups.set(name, group);
    group.name = name;
    group.plots.add(plot);
    return group;
  }

  leave(plot) {
    this.plots.delete(plot);
    if (this.plots.size === 0 && this.name !== undefined) groups.delete(this.name);
  }


  setRange(range) {
    this.range = range;
    this.onRange(range);
    for (const plot of this.plots) plot.schedule();
  }

  setCursor(position) {
    if (position === this.cursor) return;
    this.cursor = position;
    for (const plot of this.plots) plot.scheduleCursor();
  }

  /** The range that shows all plots of the group completely. */
  full() {
    let from = Infinity;
    let to = -Infinity;
    for (const plot of this.plots) {
      const [first, last] = plot.ownRange();
      if (first < from) from = first;
      if (last > to) to = last;
    }
    return to > from ? [from, to] : [from === Infinity ? 0 : from, (from === Infinity ? 0 : from) + 1];
  }
}
