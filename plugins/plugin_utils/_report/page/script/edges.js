/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The edges with their lanes, each drawn when it comes near the window. */
const edges = $('edges'), phone = matchMedia('(max-width: 860px)');
const nodes = new Map();
const room = group => svg('svg', { class: 'room', width: '1', height: String(Math.min(group.kept.length, PAGE) * (phone.matches ? ROW_ON_PHONES : ROW)), 'aria-hidden': 'true' });
const near = new IntersectionObserver(entries => {
  for (const entry of entries) if (entry.isIntersecting) draw(entry.target.group);
}, { rootMargin: '800px 0px' });

function groupNode(group) {
  const made = el('article', 'edge card'), head = el('header'), title = el('h3');
  made.id = group.i;
  made.group = group;
  set(made, { 'aria-label': group.h.join(', ') + ', ' + D.accounts[group.a][0] });
  group.h.forEach((host, index) => put(title, index ? document.createTextNode(' ') : null, put(el('span', index ? 'soft' : ''), el('bdi', '', host))));
  put(head, title, el('span', 'tag', D.accounts[group.a][0]), ownerTag(group));
  if (group.n) put(head, el('span', 'tag', 'new'));
  if (group.k === 'https_edge' && !group.n) put(head, el('span', 'tag' + ((group.f || []).some(number => !D.findings[number].c && D.findings[number].p.includes('tls_termination')) ? ' bad' : ''), group.t ? 'TLS ' + group.t + ' or newer' : 'TLS by the service'));
  for (const number of group.f || []) {
    const one = D.findings[number], name = D.rules[one.r][0];
    put(head, put(set(el('a'), { href: '#f-' + name + (one.c ? '-accepted' : '') }), put(severityMark(D.rules[one.r][1], true), el('span', '', titled(name)))));
  }
  put(head, el('span', 'words', group.d || ''));
  group.count = el('span', 'number');
  return put(made, put(head, group.count));
}
function draw(group, all) {
  const made = nodes.get(group);
  if (group.isDrawn || made.hidden) return;
  group.isDrawn = true;
  near.unobserve(made);
  made.querySelector('.room')?.remove();
  const shown = all || group.showsAll ? group.kept : group.kept.slice(0, PAGE);
  put(made, tableNode((group.k === 'https_edge' ? 'Routes of ' : '') + group.h[0], shown.map(lane => laneNode(lane, drawn(lane)))));
  const left = group.kept.length - shown.length;
  if (left) {
    const button = set(el('button', 'more-button', 'Show ' + left + ' more'), { type: 'button' });
    button.onclick = () => { group.showsAll = true; redraw(group); draw(group); };
    put(made, button);
  }
}
function redraw(group) {
  const made = nodes.get(group);
  while (made.children.length > 1) made.lastChild.remove();
  group.isDrawn = false;
  group.opened = null;
  made.hidden = !group.kept.length && !(group.isEmpty && group.emptyMatches);
  if (made.hidden) return;
  if (group.kept.length) put(made, room(group));
  else put(made, el('p', 'nothing', 'This edge has no routes.'));
  group.count.textContent = group.k === 'https_edge' ? plural(group.kept.length, 'route') : String(group.kept.length);
  if (group.kept.length) near.observe(made);
}

const passes = lane => {
  const shape = drawn(lane);
  if (!shape) return false;
  if (state.account !== '' && lane.group.a !== +state.account || !owns(lane.group)) return false;
  if (state.who.size && !(shape[0].length ? shape[0].some(each => state.who.has(D.access[each])) : state.who.has('unknown'))) return false;
  if (state.severity.size && !(severityOf(lane) < 3 && state.severity.has(D.severities[lane.s]))) return false;
  return matches(lane.text);
};
const rankOf = lane => severityOf(lane) * 10 + RANK[openness(drawn(lane))];
const KINDS = ['https_edge', 'tls_edge', 'tunnel'];
function sorted() {
  const key = group => {
    const ranks = group.kept.map(lane => state.order === 'open' ? RANK[openness(drawn(lane))] * 10 + lane.s : rankOf(lane));
    return Math.min(group.s * 10 + 9, ...ranks);
  };
  const compare = { name: (a, b) => a.h[0] < b.h[0] ? -1 : a.h[0] > b.h[0] ? 1 : 0, account: () => 0 };
  const keys = new Map(groups.map(group => [group, key(group)]));
  const by = compare[state.order] || ((a, b) => keys.get(a) - keys.get(b));
  return [...groups].sort((a, b) => KINDS.indexOf(a.k) - KINDS.indexOf(b.k) || by(a, b) || a.number - b.number);
}
let lastOrder = '';
function drawEdges() {
  let shown = 0;
  for (const group of groups) {
    const kept = group.l.filter(passes);
    if (state.order === 'worst' && kept.length > PAGE) kept.sort((a, b) => rankOf(a) - rankOf(b) || a.place - b.place);
    group.isEmpty = !group.l.some(drawn);
    group.emptyMatches = group.isEmpty && !state.who.size && !state.severity.size && (state.account === '' || group.a === +state.account) && owns(group) && matches(group.text) && (state.view === 'after' ? !group.g : !group.n);
    const same = group.kept && group.keptView === state.view && kept.length === group.kept.length && kept.every((lane, index) => lane === group.kept[index]);
    group.kept = kept;
    group.keptView = state.view;
    if (!nodes.has(group)) nodes.set(group, groupNode(group));
    if (!same || !kept.length) redraw(group);
    if (group.k === 'https_edge') shown += kept.length;
  }
  const order = sorted(), signature = order.map(group => group.number).join();
  if (signature !== lastOrder) { lastOrder = signature; edges.append(...order.map(group => nodes.get(group))); }
  const nothing = $('no-edges');
  if (nothing) nothing.remove();
  if (![...nodes.values()].some(node => !node.hidden)) put(edges, Object.assign(el('p', 'nothing card', groups.length ? 'Nothing matches the filters.' : 'There is nothing to draw.'), { id: 'no-edges' }));
  if (routes.length <= EAGER) groups.forEach(group => draw(group));
  return shown;
}
