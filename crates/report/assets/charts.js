// Charts: tooltips that show the values of all series at one position, or of the nearest point of a plane.
for (const plot of document.querySelectorAll(".plot")) {
  let data, current = null, cross = null;
  const load = () => {
    if (data) return data;
    data = JSON.parse(plot.parentElement.querySelector("script").textContent);
    data.series.forEach((s, i) => { if (!s.x) s.x = data.series[i - 1].x; });
    data.series = data.series.filter(s => s.x.length);
    return data;
  };
  const drawing = () => drawn(plot);
  const scale = (svg) => {
    const [left, top, right, bottom] = svg.dataset.plot.split(" ").map(Number), [x0, x1, y0, y1] = data.range;
    const share = data.log ? x => Math.log(x / x0) / Math.log(x1 / x0) : x => (x - x0) / (x1 - x0);
    const value = data.log ? t => x0 * Math.pow(x1 / x0, t) : t => x0 + t * (x1 - x0);
    return { left, top, right, bottom, x: v => left + Math.min(1, Math.max(0, share(v))) * (right - left), free: v => left + share(v) * (right - left), y: v => bottom - (v - y0) / (y1 - y0) * (bottom - top), back: p => value((p - left) / (right - left)) };
  };
  const hide = () => { keyed = null; if (cross) cross.remove(); cross = null; current = null; tip.hidden = true; };
  const show = (x, pointer) => {
    const svg = drawing();
    if (!svg || !data.series.length) return;
    const s = scale(svg), main = data.series.reduce((a, b) => b.x.length > a.x.length ? b : a);
    const at = main.x[nearest(main.x, x)];
    current = { series: main, index: main.x.indexOf(at) };
    if (cross) cross.remove();
    cross = make("g", svg, { class: "cross" });
    make("line", cross, { x1: s.x(at), x2: s.x(at), y1: s.top, y2: s.bottom });
    tip.textContent = "";
    const head = document.createElement("b");
    head.textContent = data.names ? data.names[at] : (data.xl ? data.xl + " " : "") + quantity(at, data.x, 5);
    tip.append(head);
    for (const one of data.series) {
      const i = nearest(one.x, at), y = one.y[i], t = one.t && one.t[i];
      const box = line(one.c, one.n, one.t ? quantity(y, data.y, 3) + " – " + quantity(t, data.y, 3) : quantity(y, data.y));
      if (one.t) box.style.opacity = .4;
      if (!one.t && !data.names && y !== null) {
        const dot = make("circle", cross, { cx: s.x(one.x[i]), cy: Math.max(s.top, Math.min(s.bottom, s.y(y))), r: 4 });
        dot.style.fill = one.c;
      }
    }
    const frame = svg.getBoundingClientRect(), factor = frame.width / svg.viewBox.baseVal.width;
    placeTip(frame.left + s.x(at) * factor, pointer === undefined ? frame.top + s.top * factor : pointer);
  };
  // In a plane: all visible points, in the order of the curves.
  const places = svg => {
    const s = scale(svg), found = [];
    data.series.forEach((one, series) => one.x.forEach((x, index) => {
      const y = one.y[index];
      if (x === null || y === null) return;
      const px = s.free(x), py = s.y(y);
      if (px >= s.left - 1 && px <= s.right + 1 && py >= s.top - 1 && py <= s.bottom + 1) found.push({ px, py, series, index });
    }));
    return found;
  };
  const showPoint = (point, pointer) => {
    const svg = drawing();
    if (!svg || !point) return;
    const one = data.series[point.series];
    current = point;
    if (cross) cross.remove();
    cross = make("g", svg, { class: "cross" });
    make("circle", cross, { cx: point.px, cy: point.py, r: 5 }).style.fill = one.c;
    tip.textContent = "";
    const head = document.createElement("b");
    head.textContent = one.n;
    tip.append(head);
    if (one.a) line(null, one.a.l, quantity(one.a.v[point.index], one.a.u));
    line(null, data.xl, quantity(one.x[point.index], data.x));
    line(null, data.yl, quantity(one.y[point.index], data.y));
    const frame = svg.getBoundingClientRect(), factor = frame.width / svg.viewBox.baseVal.width;
    placeTip(frame.left + point.px * factor, pointer === undefined ? frame.top + point.py * factor : pointer);
  };
  // Left and right move along a curve, up and down to another curve.
  const stepTo = (key, steps) => {
    const svg = drawing(), all = svg ? places(svg) : [];
    if (!all.length) return;
    const here = current ? all.findIndex(p => p.series === current.series && p.index === current.index) : -1;
    let next = all[Math.min(Math.max(0, here + steps), all.length - 1)];
    if (current && (key === "ArrowUp" || key === "ArrowDown")) {
      const series = [...new Set(all.map(p => p.series))], at = series.indexOf(current.series) + (key === "ArrowUp" ? 1 : -1);
      next = all.find(p => p.series === series[(at + series.length) % series.length]);
    }
    keyed = () => showPoint(next);
    keyed();
  };
  const move = event => {
    load();
    const svg = drawing();
    if (!svg) return;
    if (data.yl !== undefined) {
      const frame = svg.getBoundingClientRect(), factor = svg.viewBox.baseVal.width / frame.width;
      keyed = null;
      return showPoint(closest(places(svg), (event.clientX - frame.left) * factor, (event.clientY - frame.top) * factor), event.clientY);
    }
    const frame = svg.getBoundingClientRect(), s = scale(svg), p = (event.clientX - frame.left) / frame.width * svg.viewBox.baseVal.width;
    if (p < s.left - 12 || p > s.right + 12) return hide();
    keyed = null;
    show(s.back(Math.min(Math.max(p, s.left), s.right)), event.clientY);
  };
  plot.addEventListener("pointermove", move);
  plot.addEventListener("pointerdown", move);
  plot.addEventListener("pointerleave", hide);
  plot.addEventListener("blur", hide);
  plot.addEventListener("keydown", event => {
    const steps = { ArrowLeft: -1, ArrowRight: 1, PageDown: -20, PageUp: 20, Home: -1e9, End: 1e9 }[event.key];
    const across = event.key === "ArrowUp" || event.key === "ArrowDown";
    if (event.key === "Escape") return hide();
    if (!steps && !(across && load().yl !== undefined)) return;
    event.preventDefault();
    load();
    if (!data.series.length) return;
    if (data.yl !== undefined) return stepTo(event.key, steps || 0);
    const { series, index } = current || { series: data.series.reduce((a, b) => b.x.length > a.x.length ? b : a), index: steps > 0 ? -1 : 1e9 };
    const x = series.x[Math.min(Math.max(0, index + steps), series.x.length - 1)];
    keyed = () => show(x);
    keyed();
  });
}
