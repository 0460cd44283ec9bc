// Reduces a long column to a few points per pixel column so that every extreme stays visible. Each pixel column keeps its
// smallest and its largest sample at their own times; a column with one or two samples keeps them unchanged.

/** First index with `array[index] >= value`. */
export function lowerBound(array, value, length = array.length) {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (array[middle] < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** First index with `array[index] > value`. */
export function upperBound(array, value, length = array.length) {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (array[middle] <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Index of the sample nearest to a time; −1 if there is none. */
export function nearest(time, at, length = time.length) {
  if (length === 0) return -1;
  const after = lowerBound(time, at, length);
  if (after === 0) return 0;
  if (after === length) return length - 1;
  return at - time[after - 1] <= time[after] - at ? after - 1 : after;
}

/** The value at an instant on the line through the samples; NaN more than half an interval outside the samples. */
export function interpolated(time, values, at) {
  const length = Math.min(time.length, values.length);
  if (length === 0) return NaN;
  const after = lowerBound(time, at, length);
  if (after < length && time[after] === at) return values[after];
  if (after > 0 && after < length) {
    const share = (at - time[after - 1]) / (time[after] - time[after - 1]);
    return values[after - 1] + share * (values[after] - values[after - 1]);
  }
  const end = after === 0 ? 0 : length - 1;
  const half = length > 1 ? (time[length - 1] - time[0]) / (length - 1) / 2 : 0;
  return Math.abs(at - time[end]) <= half ? values[end] : NaN;
}

/** The points of one column in [from, to], for `columns` pixel columns. Returns { x, y, length } with arrays of that length. */
export function decimate(time, values, from, to, columns) {
  const points = new Points();
  points.update(time, values, from, to, columns);
  return { x: points.x.slice(0, points.length), y: points.y.slice(0, points.length), length: points.length };
}

/**
 * Decimated points that follow a growing column: while the window stays the same, `update` reads only the samples of the last
 * pixel column and the new ones. `x` and `y` are valid up to `length`. A gap in the column (NaN) is one point with y = NaN.
 */
export class Points {
  x = new Float64Array(256);
  y = new Float64Array(256);
  length = 0;
  #window = { from: NaN, to: NaN, columns: 0 };
  #resume = 0; // first sample of the last, unfinished pixel column
  #kept = 0; // points before that column
  #source = { time: null, values: null, offset: 0 };
  #before = NaN; // time of the sample before #resume, to detect that earlier samples were rewritten

  update(time, values, from, to, columns) {
    const length = Math.min(time.length, values.length);
    if (!(to > from) || columns < 1) {
      this.length = 0;
      this.#window.columns = 0;
      return;
    }
    const width = (to - from) / columns;
    // Pixel columns lie on multiples of their width, so that panning does not regroup the samples.
    const origin = Math.floor(from / width) * width;
    if (!this.#continues(time, values, from, to, columns, length)) {
      this.#window = { from, to, columns };
      this.#source = { time: time.buffer ?? time, values: values.buffer ?? values, offset: values.byteOffset ?? 0 };
      this.#resume = Math.max(0, lowerBound(time, origin, length) - 1);
      this.#kept = 0;
    }
    // One sample beyond the window extends the line to the edge of the window.
    const end = Math.min(length, upperBound(time, to, length) + 1);
    this.#scan(time, values, origin, width, end);
    this.#before = this.#resume > 0 ? time[this.#resume - 1] : NaN;
  }

  /** Smallest and largest value within the window; [Infinity, −Infinity] if there is none. */
  extent() {
    const { from, to } = this.#window;
    let low = Infinity;
    let high = -Infinity;
    for (let i = 0; i < this.length; i += 1) {
      const value = this.y[i];
      if (this.x[i] < from || this.x[i] > to) continue;
      if (value < low) low = value;
      if (value > high) high = value;
    }
    return [low, high];
  }

  #continues(time, values, from, to, columns, length) {
    const window = this.#window;
    const source = this.#source;
    if (from !== window.from || to !== window.to || columns !== window.columns) return false;
    if (source.time !== (time.buffer ?? time) || source.values !== (values.buffer ?? values)) return false;
    if (source.offset !== (values.byteOffset ?? 0) || length <= this.#resume) return false;
    return this.#resume === 0 || time[this.#resume - 1] === this.#before;
  }

  #scan(time, values, origin, width, end) {
    let count = this.#kept;
    let first = this.#resume;
    while (first < end) {
      const column = Math.floor((time[first] - origin) / width);
      let edge = origin + (column + 1) * width;
      // Rounding can put a sample on the edge of the column before its own.
      if (time[first] >= edge) edge = origin + (column + 2) * width;
      let low = -1;
      let high = -1;
      let smallest = Infinity;
      let largest = -Infinity;
      let i = first;
      do {
        const value = values[i];
        if (value < smallest) { smallest = value; low = i; }
        if (value > largest) { largest = value; high = i; }
        i += 1;
      } while (i < end && time[i] < edge);
      this.#resume = first;
      this.#kept = count;
      if (count + 2 > this.x.length) this.#grow();
      if (low < 0) {
        if (count === 0 || !Number.isNaN(this.y[count - 1])) count = this.#put(count, time[first], NaN);
      } else if (low === high) {
        count = this.#put(count, time[low], values[low]);
      } else {
        const [a, b] = low < high ? [low, high] : [high, low];
        count = this.#put(count, time[a], values[a]);
        count = this.#put(count, time[b], values[b]);
      }
      first = i;
    }
    this.length = count;
  }

  #put(count, x, y) {
    this.x[count] = x;
    this.y[count] = y;
    return count + 1;
  }

  #grow() {
    for (const name of ["x", "y"]) {
      const larger = new Float64Array(this[name].length * 2);
      larger.set(this[name]);
      this[name] = larger;
    }
  }
}

/**
 * Counts events per pixel: `at` holds ascending times, `count` (optional) the number of events at each of them.
 * Fills `bins` for the window [from, to] and returns the largest count.
 */
export function density(at, count, from, to, bins) {
  bins.fill(0);
  const scale = bins.length / (to - from);
  const end = upperBound(at, to);
  let largest = 0;
  for (let i = lowerBound(at, from); i < end; i += 1) {
    const number = count ? count[i] : 1;
    if (!(number > 0)) continue;
    const bin = Math.min(bins.length - 1, Math.floor((at[i] - from) * scale));
    bins[bin] += number;
    if (bins[bin] > largest) largest = bins[bin];
  }
  return largest;
}
