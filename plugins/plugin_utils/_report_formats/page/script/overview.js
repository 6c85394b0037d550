/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The routes at a glance: shows which bars match the filters, and what the bar under the mouse or the cursor stands for. */
const bars = $('bars'), drawn = all('i', bars).map(node => ({ node, lane: laneOf.get($(node.dataset.of)) }));
let items = [], cursor = -1;
function markBars() {
  for (const { node, lane } of drawn) {
    node.hidden = !isInView(node);
    node.classList.toggle('dim', !isShown(lane));
  }
  items = drawn.filter(one => !one.node.hidden);
  set(bars, { 'aria-valuemax': Math.max(0, items.length - 1) });
  point(Math.min(cursor, items.length - 1));
}
function point(number) {
  cursor = number;
  for (const one of all('.cursor', bars)) one.classList.remove('cursor');
  const { node, lane } = items[number] || {}, nothing = items.length ? 'none selected' : 'no routes';
  const name = lane ? lane.group.name + ' ' + lane.name : '', severity = lane?.node.dataset.severity;
  const says = lane ? lane.access.join(' + ').replace('unknown', 'not judged') + (severity ? ', ' + severity + ' finding' : '') : '';
  node?.classList.add('cursor');
  $('pointed').textContent = name;
  $('says').textContent = lane ? says + ', ' + lane.group.account : items.length ? 'Point at a bar, or use the arrow keys. Enter shows the route.' : 'There are no routes.';
  $('show').hidden = !lane;
  set($('show'), { href: '#' + (lane ? lane.node.id : '') });
  set(bars, { 'aria-valuenow': Math.max(0, number), 'aria-valuetext': lane ? name + ': ' + says : nothing });
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
