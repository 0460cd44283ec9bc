// Positions of axis ticks: multiples of 1, 2 or 5 times a power of ten, and decades for logarithmic axes.

/** The smallest step of the form 1, 2 or 5 × 10^n that divides `span` into at most `count` parts. */
export function niceStep(span, count) {
  const raw = span / Math.max(1, count);
  if (!(raw > 0) || !Number.isFinite(raw)) return 1;
  const power = 10 ** Math.floor(Math.log10(raw));
  for (const multiple of [1, 2, 5]) if (raw <= multiple * power * (1 + 1e-9)) return multiple * power;
  return 10 * power;
}

/** Multiples of the step inside [min, max]. */
export function linearTicks(min, max, count) {
  const step = niceStep(max - min, count);
  const first = Math.ceil(min / step - 1e-9);
  const last = Math.floor(max / step + 1e-9);
  const ticks = [];
  for (let i = first; i <= last; i += 1) ticks.push(round(i * step, step));
  return { ticks, step };
}

/** Decimals that the labels of multiples of `step` need. */
export function decimals(step) {
  return Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
}

/**
 * Ticks of a logarithmic axis between the exponents `min` and `max`: decades, with 2 and 5 between them where there is space
 * for `count`. Returns values, not exponents.
 */
export function logTicks(min, max, count) {
  const span = max - min;
  // Below two thirds of a decade, linear ticks are easier to read.
  if (span < 0.67) return linearTicks(10 ** min, 10 ** max, count).ticks;
  const multiples = span * 3 <= count ? [1, 2, 5] : [1];
  const stride = Math.max(1, Math.ceil(span / Math.max(1, count)));
  const ticks = [];
  for (let power = Math.floor(min); power <= Math.ceil(max); power += 1) {
    if (power % stride !== 0) continue;
    for (const multiple of multiples) {
      const exponent = power + Math.log10(multiple);
      if (exponent >= min - 1e-9 && exponent <= max + 1e-9) ticks.push(Number(`${multiple}e${power}`));
    }
  }
  return ticks;
}

/** An upper end of an axis just above `max` that stays the same for small changes, so that a growing curve does not jitter. */
export function niceTop(max, count = 4) {
  if (!(max > 0)) return 1;
  const quarter = niceStep(max, count) / 4;
  return round(Math.ceil((max * 1.03) / quarter) * quarter, quarter);
}

/** The end of a growing time axis: the next of a few steps per decade, but never beyond `limit`. */
export function nextEnd(last, limit) {
  if (!(last > 0)) return limit > 0 ? limit / 100 : 1;
  // Sums of intervals differ from the duration by rounding errors.
  if (limit > 0 && last >= limit * (1 - 1e-9)) return last > limit * (1 + 1e-9) ? last : limit;
  const power = 10 ** Math.floor(Math.log10(last));
  for (const multiple of [1, 1.5, 2, 3, 4, 5, 6, 8, 10]) {
    const end = round(multiple * power, power / 100);
    if (last <= end * (1 + 1e-9)) return limit > 0 ? Math.min(end, limit) : end;
  }
  return last;
}

// Removes the noise of binary fractions: 3 × 0.1 is 0.3.
function round(value, step) {
  return Number(value.toFixed(Math.min(100, decimals(step) + 3)));
}
