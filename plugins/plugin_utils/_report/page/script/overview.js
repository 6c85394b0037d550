/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every route at a glance: one bar for each, or, if there are very many, one for each edge. */
const bars = $('bars'), reading = $('reading'), HEIGHTS = [36, 30, 16, 8, 3], TOP = 12, MANY = 1500;
let items = [], cursor = -1, blocks = [], width = 0, isByEdge = false;
function collectItems() {
  const routes = lanes.filter(lane => isRoute(lane) && isInView(lane.node) && isInView(lane.group.node));
  routes.sort((a, b) => a.group.account - b.group.account);   // as the bars are drawn
  isByEdge = routes.length > MANY;
  $('h-sky').textContent = isByEdge ? 'Every edge at a glance, by its worst route' : 'Every route at a glance';
  if (!isByEdge) return routes;
  const worst = new Map();
  for (const lane of routes) if (!worst.has(lane.group) || rank(lane) < rank(worst.get(lane.group))) worst.set(lane.group, lane);
  return [...worst.values()];
}
const severityOf = lane => isByEdge ? Math.min(lane.group.severity, lane.severity) : lane.severity;
const isHit = lane => isByEdge ? !lane.group.node.hidden : isShown(lane);
function drawOverview() {
  // The order of the bars does not depend on that of the edges.
  items = collectItems();
  const count = items.length, pitch = count <= 90 ? 15 : count <= 200 ? 9 : count <= 420 ? 6 : count <= 900 ? 4 : 3;
  const perRow = Math.floor(Math.max(200, width - 34) / pitch);
  bars.replaceChildren();
  blocks = [];
  all('#accounts tbody tr').forEach((row, account) => {
    const numbers = items.map((lane, number) => number).filter(number => items[number].group.account === account);
    const caption = put(el('figcaption'), el('bdi', '', $('account').options[account + 1].text));
    if (numbers.length) put(bars, put(el('figure'), block(numbers, perRow, pitch), caption));
    else if (row.dataset.absence) put(bars, put(el('figure', 'absent'), el('p', '', row.dataset.absence), caption));
  });
  set(bars, { 'aria-valuemax': Math.max(0, count - 1) });
  point(Math.min(cursor, count - 1), false);
}
function block(numbers, perRow, pitch) {
  const places = layout(numbers, perRow), columns = Math.max(...places.map(place => place[0])) + 1;
  const rows = places[places.length - 1][1] + 1, tall = TOP + 40;
  const picture = svg('svg', { width: columns * pitch, height: rows * tall, viewBox: '0 0 ' + columns * pitch + ' ' + rows * tall, 'aria-hidden': 'true' });
  const paths = {};
  numbers.forEach((number, index) => {
    const lane = items[number], severity = severityOf(lane), [column, row] = places[index];
    const x = column * pitch, base = row * tall + TOP + 38, high = HEIGHTS[lane.degree], wide = Math.max(2, pitch - (pitch > 5 ? 2 : 1));
    const add = (css, d) => { const key = css + (isHit(lane) ? '' : ' dim'); paths[key] = (paths[key] || '') + d; };
    add(lane.degree === 0 && severity === 0 ? 'f-hot' : 'f-' + DEGREES[lane.degree], 'M' + x + ' ' + base + 'v-' + high + 'h' + wide + 'v' + high + 'z');
    const c = x + wide / 2, y = base - high - 3;
    if (severity === 0) add('f-hot', 'M' + (c - 4) + ' ' + y + 'l4 -7l4 7z');
    if (severity === 1) add('f-medium', 'M' + (c - 3.5) + ' ' + (y - 3.5) + 'l3.500 -3.500l3.500 3.500l-3.500 3.500z');
  });
  for (const css in paths) put(picture, svg('path', { class: css, d: paths[css] }));
  const mark = svg('rect', { class: 'cursor', width: pitch + 2, height: tall - 4, visibility: 'hidden' });
  blocks.push({ picture, numbers, places, pitch, tall, mark });
  return put(picture, mark);
}
function layout(numbers, perRow) {
  // A gap of one bar between edges, and a new row where the width ends.
  const places = [];
  let column = 0, row = 0, last = null;
  for (const number of numbers) {
    const { group } = items[number];
    if (!isByEdge && last && group !== last && column) column += 1;
    if (column >= perRow) { column = 0; row += 1; }
    places.push([column, row]);
    column += 1;
    last = group;
  }
  return places;
}
function point(number, speaks = true) {
  cursor = number;
  for (const one of blocks) {
    const index = one.numbers.indexOf(number);
    set(one.mark, index < 0 ? { visibility: 'hidden' } : { visibility: 'visible', x: one.places[index][0] * one.pitch - 1.5, y: one.places[index][1] * one.tall + 2 });
  }
  const lane = items[number];
  if (!lane) {
    reading.replaceChildren(items.length ? 'Point at a bar, or use the arrow keys. Enter shows the route.' : 'There are no routes.');
    set(bars, { 'aria-valuenow': 0, 'aria-valuetext': items.length ? 'none selected' : 'no routes' });
    return;
  }
  const name = lane.group.name + ' ' + lane.name, says = lane.access.join(' + ').replace('unknown', 'not judged'), severity = SEVERITIES[severityOf(lane)];
  reading.replaceChildren(put(el('b'), el('bdi', '', name)), lane.node.querySelector('.who').cloneNode(true), severity ? severity + ' finding' : '', lane.group.head.querySelector('.tag').cloneNode(true),
    set(el('a', 'link', 'Show'), { href: '#' + lane.node.id }));
  if (speaks) set(bars, { 'aria-valuenow': number, 'aria-valuetext': name + ': ' + says + (severity ? ', ' + severity + ' finding' : '') });
}
function hit(event) {
  for (const one of blocks) {
    const box = one.picture.getBoundingClientRect();
    if (event.clientX < box.left || event.clientX > box.right || event.clientY < box.top || event.clientY > box.bottom) continue;
    const scale = box.width / one.picture.viewBox.baseVal.width, column = (event.clientX - box.left) / scale / one.pitch - .5, row = Math.floor((event.clientY - box.top) / scale / one.tall);
    let best = -1, distance = Infinity;
    one.places.forEach(([x, y], index) => { const far = Math.abs(x - column) + Math.abs(y - row) * 1000; if (far < distance) { distance = far; best = one.numbers[index]; } });
    return best;
  }
  return -1;
}
const follow = () => { if (items[cursor]) location.hash === '#' + items[cursor].node.id ? reveal(items[cursor].node) : location.hash = items[cursor].node.id; };
bars.addEventListener('pointermove', event => { const number = hit(event); if (number >= 0 && number !== cursor) point(number); });
bars.addEventListener('click', event => { const number = hit(event); if (number >= 0) { point(number); if (!phone.matches) follow(); } });
bars.addEventListener('keydown', event => {
  const steps = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 10, PageDown: -10 }, last = items.length - 1;
  if (event.key === 'Enter') { follow(); event.preventDefault(); return; }
  const next = event.key === 'Home' ? 0 : event.key === 'End' ? last : event.key in steps ? Math.max(0, Math.min(last, cursor + steps[event.key])) : null;
  if (next === null || last < 0) return;
  point(next);
  event.preventDefault();
});
