// All samples of a run, in growing typed arrays. Capacity doubles, so that appending costs constant time per value on
// average. Memory is bounded: for a long run, the resolution of earlier samples is halved, but the extremes are kept.

const FIRST_CAPACITY = 1024;

export class History {
  #time = new Float64Array(FIRST_CAPACITY);
  #columns = {};
  #merge = {};
  #length = 0;
  #limit;
  #generation = 0;

  /**
   * `start` describes the run: its flows, queues and ports, and the `curves` that each of them has. Limits: the maximum number
   * of `samples`, and of `cells` (samples × columns) for networks with many ports.
   */
  constructor(start, { samples = 200_000, cells = 40_000_000 } = {}) {
    let width = 1;
    for (const { name, of, pairs } of start.curves) {
      this.#columns[name] = (start[of] ?? []).map(() => new Float64Array(FIRST_CAPACITY));
      this.#merge[name] = LINES.includes(name) ? extremes : MERGE[pairs];
      width += this.#columns[name].length;
    }
    // Halving works on groups of four.
    this.#limit = Math.max(8, Math.floor(Math.min(samples, cells / width) / 4) * 4);
  }

  get length() {
    return this.#length;
  }

  /** Increases whenever earlier samples are rewritten, so that views can discard values derived from them. */
  get generation() {
    return this.#generation;
  }

  get time() {
    return this.#time.subarray(0, this.#length);
  }

  column(kind, index) {
    const column = this.#columns[kind]?.[index];
    if (!column) throw new RangeError(`no column ${kind}[${index}]`);
    return column.subarray(0, this.#length);
  }

  append(samples) {
    const count = samples.time_s.length;
    for (let from = 0; from < count;) {
      if (this.#length >= this.#limit) this.#halve();
      const part = Math.min(count - from, this.#limit - this.#length);
      this.#reserve(this.#length + part);
      copy(samples.time_s, from, part, this.#time, this.#length);
      for (const [kind, columns] of Object.entries(this.#columns)) {
        const given = samples[kind];
        columns.forEach((column, index) => copy(given?.[index], from, part, column, this.#length));
      }
      this.#length += part;
      from += part;
    }
  }

  /** Index of the last sample at or before a time; −1 before the first sample. */
  indexAt(time_s) {
    let low = 0;
    let high = this.#length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#time[middle] <= time_s) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  #reserve(length) {
    if (length <= this.#time.length) return;
    let capacity = this.#time.length;
    while (capacity < length) capacity *= 2;
    capacity = Math.min(capacity, this.#limit);
    this.#time = grown(this.#time, capacity, this.#length);
    for (const columns of Object.values(this.#columns)) {
      columns.forEach((column, index) => { columns[index] = grown(column, capacity, this.#length); });
    }
  }

  #halve() {
    const length = this.#length;
    for (const [kind, columns] of Object.entries(this.#columns)) {
      for (const column of columns) this.#merge[kind](column, length, this.#time);
    }
    for (let pair = 0; 2 * pair + 1 < length; pair += 1) this.#time[pair] = this.#time[2 * pair + 1];
    this.#length = length / 2;
    this.#generation += 1;
  }
}

// Curves that are means but are drawn without a band, so that their extremes must remain visible.
const LINES = ["flow.rate_bps"];

// Each function halves the first `length` values of a column in place; `length` is a multiple of four. The server uses the
// same names to specify how two samples are merged into one.
const MERGE = {
  last: extremes,

  largest(column, length) {
    for (let i = 0; i < length; i += 2) column[i / 2] = Math.max(column[i], column[i + 1]);
  },

  sum(column, length) {
    for (let i = 0; i < length; i += 2) column[i / 2] = column[i] + column[i + 1];
  },

  // For shares of an interval: the mean, weighted by the lengths of the intervals.
  mean(column, length, time) {
    for (let i = 0; i < length; i += 2) {
      const first = time[i] - (i > 0 ? time[i - 1] : 0);
      const second = time[i + 1] - time[i];
      const whole = first + second;
      column[i / 2] = whole > 0 ? (column[i] * first + column[i + 1] * second) / whole : column[i + 1];
    }
  },
};

// Of four samples, keep the smallest and the largest, in their original order. The rule "of each pair keep the one
// farther from its neighbours" loses one side of an oscillation with a period of two samples; this rule keeps both, and
// repeated halving still keeps the exact extremes. A value moves in time by three samples at most.
function extremes(column, length) {
  for (let i = 0; i < length; i += 4) {
    let low = i;
    let high = i;
    let gap = false;
    for (let k = i; k < i + 4; k += 1) {
      if (Number.isNaN(column[k])) gap = true;
      if (column[k] < column[low]) low = k;
      if (column[k] >= column[high]) high = k;
    }
    const [first, second] = gap
      ? [extremeOfPair(column, i), extremeOfPair(column, i + 2)]
      : [column[Math.min(low, high)], column[Math.max(low, high)]];
    column[i / 2] = first;
    column[i / 2 + 1] = second;
  }
}

// Next to a gap, each pair is merged separately, so that the gap keeps its edges. The smaller value is kept, because a
// limiter that has just started is at its lowest rate.
function extremeOfPair(column, at) {
  const [first, second] = [column[at], column[at + 1]];
  if (Number.isNaN(first)) return second;
  return second < first ? second : first;
}

function copy(source, from, count, target, at) {
  if (!source) {
    target.fill(NaN, at, at + count);
    return;
  }
  for (let i = 0; i < count; i += 1) {
    const value = source[from + i];
    target[at + i] = value === null || value === undefined ? NaN : value;
  }
}

function grown(array, capacity, length) {
  const larger = new Float64Array(capacity);
  larger.set(array.subarray(0, length));
  return larger;
}
