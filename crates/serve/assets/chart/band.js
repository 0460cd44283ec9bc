// Reduces columns of means, minima and maxima to one point per pixel column: the mean of the means, the smallest and the
// largest value. A line through the means then shows the typical value of a quantity, and the band around it shows its
// range.

import { lowerBound, upperBound } from "./decimate.js";

/** `x`, `y` (means), `low` and `high` are valid up to `length`. */
export class BandPoints {
  x = new Float64Array(256);
  y = new Float64Array(256);
  low = new Float64Array(256);
  high = new Float64Array(256);
  length = 0;
  #window = { from: NaN, to: NaN, count: 0 };
  #source = { time: null, mean: null };
  #resume = 0; // first sample of the last, unfinished pixel column
  #kept = 0; // points before that column
  #before = NaN; // time of the sample before #resume, to detect that earlier samples were rewritten

  /**
   * `columns`: { mean, low, high } with a value per time. While the window stays the same, this reads only the samples of the
   * last pixel column and the new ones.
   */
  update(time, columns, from, to, count) {
    const length = Math.min(time.length, columns.mean.length);
    if (!(to > from) || count < 1) {
      this.length = 0;
      this.#window = { from, to, count: 0 };
      return;
    }
    const width = (to - from) / count;
    // Pixel columns lie on multiples of their width, so that panning does not regroup the samples.
    const origin = Math.floor(from / width) * width;
    if (!this.#continues(time, columns.mean, from, to, count, length)) {
      this.#window = { from, to, count };
      this.#source = { time: time.buffer, mean: columns.mean.buffer };
      this.#resume = Math.max(0, lowerBound(time, origin, length) - 1);
      this.#kept = 0;
    }
    this.length = this.#kept;
    // One sample beyond the window extends the line to the edge of the window.
    const end = Math.min(length, upperBound(time, to, length) + 1);
    const place = (index) => Math.floor((time[index] - origin) / width);
    for (let first = this.#resume; first < end;) {
      let next = first + 1;
      while (next < end && place(next) === place(first)) next += 1;
      [this.#resume, this.#kept] = [first, this.length];
      this.#put(time, columns, first, next);
      first = next;
    }
    this.#before = this.#resume > 0 ? time[this.#resume - 1] : NaN;
  }

  #continues(time, mean, from, to, count, length) {
    const [window, source] = [this.#window, this.#source];
    if (from !== window.from || to !== window.to || count !== window.count) return false;
    if (source.time !== time.buffer || source.mean !== mean.buffer || length <= this.#resume) return false;
    return this.#resume === 0 || time[this.#resume - 1] === this.#before;
  }

  // The mean of an interval also counts as a value: the smallest value is at most the mean, even between samples.
  #put(time, { mean, low, high }, first, next) {
    let [sum, smallest, largest] = [0, Infinity, -Infinity];
    for (let i = first; i < next; i += 1) {
      sum += mean[i];
      smallest = Math.min(smallest, low[i], mean[i]);
      largest = Math.max(largest, high[i], mean[i]);
    }
    if (this.length === this.x.length) this.#grow();
    this.x[this.length] = (time[first] + time[next - 1]) / 2;
    this.y[this.length] = sum / (next - first);
    this.low[this.length] = smallest;
    this.high[this.length] = largest;
    this.length += 1;
  }

  /** Smallest and largest value within the window; [Infinity, −Infinity] if there is none. */
  extent() {
    const { from, to } = this.#window;
    let [low, high] = [Infinity, -Infinity];
    for (let i = 0; i < this.length; i += 1) {
      if (this.x[i] < from || this.x[i] > to) continue;
      low = Math.min(low, this.low[i]);
      high = Math.max(high, this.high[i]);
    }
    return [low, high];
  }

  #grow() {
    for (const name of ["x", "y", "low", "high"]) {
      const larger = new Float64Array(this[name].length * 2);
      larger.set(this[name]);
      this[name] = larger;
    }
  }
}
