/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every route at a glance: one bar for each, or, if there are very many, one for each edge. */
const bars = $('bars'), reading = $('reading'), HEIGHTS = { public: 36, unknown: 30, one: 16, several: 8, closed: 3 }, TOP = 12, MANY = 1500;
let items = [], cursor = -1, blocks = [], skyWidth = 0, isByEdge = false;
function collectItems() {
  const live = routes.filter(drawn);
  isByEdge = live.length > MANY;
  $('h-sky').textContent = isByEdge ? 'Every edge at a glance, by its worst route' : 'Every route at a glance';
  if (!isByEdge) return live.map(lane => ({ lane, account: lane.group.a, kind: openness(drawn(lane)), s: severityOf(lane), hit: lane.group.kept.includes(lane), group: lane.group }));
  return groups.filter(group => group.k === 'https_edge' && group.l.some(drawn)).map(group => {
    const top = group.l.filter(drawn).reduce((best, lane) => rankOf(lane) < rankOf(best) ? lane : best);
    return { lane: top, account: group.a, kind: openness(drawn(top)), s: Math.min(group.s, severityOf(top)), hit: group.kept.length > 0, group };
  });
}
function drawSky() {
  items = collectItems();
  const count = items.length, pitch = count <= 90 ? 15 : count <= 200 ? 9 : count <= 420 ? 6 : count <= 900 ? 4 : 3;
  const wide = Math.max(200, skyWidth - 34), perRow = Math.floor(wide / pitch);
  bars.replaceChildren();
  blocks = [];
  D.accounts.forEach(([name], account) => {
    const numbers = items.map((item, number) => number).filter(number => items[number].account === account);
    if (!numbers.length) {
      if (D.accounts[account][2]) put(bars, put(el('figure', 'absent'), el('p', '', D.accounts[account][2]), put(el('figcaption'), el('bdi', '', name))));
      return;
    }
    const places = layout(numbers, perRow), columns = Math.max(...places.map(place => place[0])) + 1;
    const rows = places.length ? places[places.length - 1][1] + 1 : 1, tall = TOP + 40;
    const picture = svg('svg', { width: columns * pitch, height: rows * tall, viewBox: '0 0 ' + columns * pitch + ' ' + rows * tall, 'aria-hidden': 'true' });
    const paths = {};
    numbers.forEach((number, index) => {
      const item = items[number], [column, row] = places[index], x = column * pitch, base = row * tall + TOP + 38, high = HEIGHTS[item.kind], width = Math.max(2, pitch - (pitch > 5 ? 2 : 1));
      const add = (css, d) => { const key = css + (item.hit ? '' : ' dim'); paths[key] = (paths[key] || '') + d; };
      add(item.kind === 'public' && item.s === 0 ? 'f-hot' : 'f-' + item.kind, 'M' + x + ' ' + base + 'v-' + high + 'h' + width + 'v' + high + 'z');
      const c = x + width / 2, y = base - high - 3;
      if (item.s === 0) add('f-hot', 'M' + (c - 4) + ' ' + y + 'l4 -7l4 7z');
      if (item.s === 1) add('f-medium', 'M' + (c - 3.5) + ' ' + (y - 3.5) + 'l3.500 -3.500l3.500 3.500l-3.500 3.500z');
    });
    for (const css in paths) put(picture, svg('path', { class: css, d: paths[css] }));
    const mark = svg('rect', { class: 'cursor', width: pitch + 2, height: tall - 4, visibility: 'hidden' });
    put(picture, mark);
    const figure = put(el('figure'), picture, put(el('figcaption'), el('bdi', '', name)));
    blocks.push({ picture, numbers, places, pitch, tall, mark });
    put(bars, figure);
  });
  set(bars, { 'aria-valuemax': Math.max(0, count - 1) });
  point(Math.min(cursor, count - 1), false);
}
function layout(numbers, perRow) {
  // A gap of one bar between edges, and a new row where the width ends.
  const places = [];
  let column = 0, row = 0, last = null;
  for (const number of numbers) {
    const group = items[number].group;
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
  for (const block of blocks) {
    const index = block.numbers.indexOf(number);
    set(block.mark, index < 0 ? { visibility: 'hidden' } : { visibility: 'visible', x: block.places[index][0] * block.pitch - 1.5, y: block.places[index][1] * block.tall + 2 });
  }
  reading.replaceChildren();
  if (number < 0 || !items[number]) {
    put(reading, document.createTextNode(items.length ? 'Point at a bar, or use the arrow keys. Enter shows the route.' : 'There are no routes.'));
    set(bars, { 'aria-valuenow': 0, 'aria-valuetext': items.length ? 'none selected' : 'no routes' });
    return;
  }
  const item = items[number], text = item.group.h[0] + ' ' + item.lane.m + ': ' + says(drawn(item.lane)) + (item.s < 3 ? ', ' + D.severities[item.s] + ' finding' : '');
  put(reading, put(el('b'), el('bdi', '', item.group.h[0] + ' ' + item.lane.m)), who(drawn(item.lane)), item.s < 3 ? severityMark(D.severities[item.s]) : null, el('span', 'tag', D.accounts[item.account][0]),
    put(set(el('a', 'link', 'Show'), { href: '#' + item.lane.i })));
  if (speaks) set(bars, { 'aria-valuenow': number, 'aria-valuetext': text });
}
function hit(event) {
  for (const block of blocks) {
    const box = block.picture.getBoundingClientRect();
    if (event.clientX < box.left || event.clientX > box.right || event.clientY < box.top || event.clientY > box.bottom) continue;
    const scale = box.width / block.picture.viewBox.baseVal.width, column = (event.clientX - box.left) / scale / block.pitch - .5, row = Math.floor((event.clientY - box.top) / scale / block.tall);
    let best = -1, distance = Infinity;
    block.places.forEach(([x, y], index) => { const far = Math.abs(x - column) + Math.abs(y - row) * 1000; if (far < distance) { distance = far; best = block.numbers[index]; } });
    return best;
  }
  return -1;
}
const follow = () => { if (items[cursor]) location.hash === '#' + items[cursor].lane.i ? showLane(items[cursor].lane) : location.hash = items[cursor].lane.i; };
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
