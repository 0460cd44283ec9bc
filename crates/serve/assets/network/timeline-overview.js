// Pure functions of the timeline: the overview of the longest queue, labels of events, and the text of speeds and times.

const ACTIVE = 0.02; // change of the queue, relative to its maximum, that counts as activity

/**
 * Lowest and highest length of the longest queue in equal slices of the run, or of the part of it that begins at `from`;
 * takes new samples as they arrive.
 */
export class Overview {
  constructor(duration, slices = 400, from = 0) {
    [this.slices, this.from] = [slices, from];
    this.reset(duration);
  }

  reset(duration) {
    this.duration = duration;
    this.low = new Float64Array(this.slices).fill(NaN);
    this.high = new Float64Array(this.slices).fill(NaN);
    this.highest = 0;
    this.counted = 0;
    this.reached = 0;
  }

  /** Reads the samples since the last call; returns whether there were any. */
  update(history, queues) {
    const { length, time } = history;
    if (length < this.counted) this.reset(this.duration);
    if (length === this.counted) return false;
    const lengths = Array.from({ length: queues }, (_, queue) => history.column("queue.length_bytes", queue));
    const peaks = Array.from({ length: queues }, (_, queue) => history.column("queue.largest_bytes", queue));
    for (let i = this.counted; i < length; i += 1) this.#add(time[i], largest(lengths, i), largest(peaks, i));
    this.counted = length;
    this.reached = time[length - 1];
    return true;
  }

  #add(time, low, peak) {
    const at = (time - this.from) / this.duration;
    if (!Number.isFinite(low) || at < 0 || (this.from > 0 && at > 1)) return;
    const high = Math.max(low, Number.isFinite(peak) ? peak : low);
    const slice = Math.min(this.slices - 1, Math.floor(at * this.slices));
    if (!(this.low[slice] <= low)) this.low[slice] = low;
    if (!(this.high[slice] >= high)) this.high[slice] = high;
    if (high > this.highest) this.highest = high;
  }

  /** The part of the run in which the queue changes, as [from, to]; null if it never does. */
  activity() {
    let span = null;
    let before = 0;
    for (let slice = 0; slice < this.slices; slice += 1) {
      const [low, high] = [this.low[slice], this.high[slice]];
      if (Number.isNaN(high)) continue;
      const change = Math.max(high - low, Math.abs(high - before));
      before = high;
      if (change <= ACTIVE * this.highest) continue;
      const width = this.duration / this.slices;
      span = [span?.[0] ?? slice * width, (slice + 1) * width];
    }
    return span;
  }

  /** A closed outline from the highest values back along the lowest, as SVG path data; slices without samples are bridged. */
  outline(width, height) {
    const top = this.highest || 1;
    const x = (slice) => (((slice + 0.5) / this.slices) * width).toFixed(1);
    const y = (value) => (height - (value / top) * height).toFixed(1);
    const upper = []; const lower = [];
    for (let slice = 0; slice < this.slices; slice += 1) {
      if (Number.isNaN(this.high[slice])) continue;
      upper.push(`${x(slice)} ${y(this.high[slice])}`);
      lower.push(`${x(slice)} ${y(this.low[slice])}`);
    }
    return upper.length ? `M${upper.join("L")}L${lower.reverse().join("L")}Z` : "";
  }
}

function largest(columns, index) {
  let most = NaN;
  for (const column of columns) if (!(most >= column[index])) most = column[index];
  return most;
}

/** The part of a run that contains its events and activity, with a margin; null if that is most of the run. */
export function interesting(events, activity, duration) {
  const times = [...events.filter((at) => at >= 0 && at <= duration), ...(activity ?? [])];
  if (!times.length) return null;
  const [first, last] = [Math.min(...times), Math.max(...times)];
  const margin = Math.max(0.15 * (last - first), 0.002 * duration);
  const span = [Math.max(0, first - margin), Math.min(duration, last + margin)];
  return span[1] - span[0] > 0.7 * duration ? null : span;
}

/** Chooses a row for each label from left to right; -1 hides a label that would overlap. */
export function labelRows(labels, width, rows = 2, gap = 10) {
  const ends = new Array(rows).fill(-Infinity);
  return labels.map((label) => {
    const left = Math.min(Math.max(0, label.x), Math.max(0, width - label.width));
    const row = ends.findIndex((end) => left >= end + gap);
    if (row < 0 || label.width > width) return { row: -1, left };
    ends[row] = left + label.width;
    return { row, left };
  });
}

/** A speed in simulated seconds per second as text, such as "1/200 of real time". */
export function speedText(speed) {
  const rounded = (value) => String(Number(value.toPrecision(2)));
  if (Math.abs(speed - 1) < 0.005) return "real time";
  return speed < 1 ? `1/${rounded(1 / speed)} of real time` : `${rounded(speed)}× real time`;
}

/** A time with the unit and decimals of the whole run, so that digits do not appear and vanish while the handle moves. */
export function timeText(time, duration) {
  const [factor, unit] = duration >= 1 ? [1, "s"] : duration >= 1e-3 ? [1e3, "ms"] : [1e6, "µs"];
  const span = duration * factor;
  return `${(time * factor).toFixed(span >= 300 ? 0 : span >= 30 ? 1 : span >= 3 ? 2 : 3)}\u00a0${unit}`;
}
