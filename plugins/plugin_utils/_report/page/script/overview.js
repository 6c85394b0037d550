/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The routes at a glance: shows which bars match the filters, and what the bar under the mouse or the cursor stands for. */
const bars = $('bars'), reading = $('reading'), drawn = all('i', bars).map(node => ({ node, lane: laneOf.get($(node.dataset.of)) }));
let items = [], cursor = -1;
function markBars() {
  for (const { node, lane } of drawn) {
    node.hidden = !isInView(node);
    node.classList.toggle('dim', !isShown(lane));
  }
  items = drawn.filter(one => !one.node.hidden);
  set(bars, { 'aria-valuemax': Math.max(0, items.length - 1) });
  point(Math.min(cursor, items.length - 1), false);
}
function point(number, speaks = true) {
  cursor = number;
  for (const one of all('.cursor', bars)) one.classList.remove('cursor');
  if (!items[number]) {
    reading.replaceChildren(items.length ? 'Point at a bar, or use the arrow keys. Enter shows the route.' : 'There are no routes.');
    set(bars, { 'aria-valuenow': 0, 'aria-valuetext': items.length ? 'none selected' : 'no routes' });
    return;
  }
  const { node, lane } = items[number], { severity } = lane.node.dataset;
  node.classList.add('cursor');
  const name = lane.group.name + ' ' + lane.name, says = lane.access.join(' + ').replace('unknown', 'not judged');
  reading.replaceChildren(put(el('b'), el('bdi', '', name)), lane.node.querySelector('.who').cloneNode(true), severity ? severity + ' finding' : '', lane.group.head.querySelector('.tag').cloneNode(true),
    set(el('a', 'link', 'Show'), { href: '#' + lane.node.id }));
  if (speaks) set(bars, { 'aria-valuenow': number, 'aria-valuetext': name + ': ' + says + (severity ? ', ' + severity + ' finding' : '') });
}
const hit = event => items.findIndex(one => one.node === event.target);
const follow = () => {
  if (!items[cursor]) return;
  const { lane } = items[cursor];
  if (location.hash === '#' + lane.node.id) reveal(lane.node); else location.hash = lane.node.id;
};
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
