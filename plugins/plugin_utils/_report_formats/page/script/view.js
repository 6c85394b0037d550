/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shows what matches the filters, and hides the rest. */
const passes = lane => isInView(lane.node)
  && (!state.who.size || lane.access.some(name => state.who.has(name)))
  && (!state.severity.size || state.severity.has(lane.node.dataset.severity))
  && search.every(word => (lane.text ??= textOf(lane.group.head) + ' ' + textOf(lane.node.querySelector('.row'))).includes(word));
const rank = lane => lane.severity * 10 + lane.degree;

function showEdges() {
  for (const group of groups) {
    const isOpen = isInView(group.node) && isOfAccount(group.node) && isOfOwner(group.node);
    for (const lane of group.lanes) lane.node.hidden = !(isOpen && passes(lane));
    const shown = group.lanes.filter(isShown);
    const isEmpty = !group.lanes.length && !state.who.size && !state.severity.size && matches(group.head);
    group.node.hidden = !(shown.length || isOpen && isEmpty);
    const noun = group.kind === 'https_edge' ? 'route' : '';
    group.head.querySelector('.number').textContent = noun ? plural(shown.length, noun) : String(shown.length);
    const ranks = shown.map(lane => state.order === 'open' ? lane.degree * 10 + lane.severity : rank(lane));
    group.rank = Math.min(group.severity * 10 + 9, ...ranks);
  }
}
let lastOrder = groups;
function orderEdges() {
  const by = { name: 'name', account: 'account' }[state.order] || 'rank', compare = (a, b) => a[by] < b[by] ? -1 : Number(a[by] > b[by]);
  const kinds = ['https_edge', 'tls_edge', 'tunnel'];
  const order = [...groups].sort((a, b) => kinds.indexOf(a.kind) - kinds.indexOf(b.kind) || compare(a, b));
  if (order.some((group, index) => group !== lastOrder[index])) $('edges').append(...order.map(group => group.node));
  lastOrder = order;
}
const outside = all('[data-account]').filter(node => !node.closest('#edges'));
function showOthers() {
  for (const node of outside) {
    // Rows of tables have no owners.
    const isFound = node.dataset.owner === undefined
      || isOfOwner(node) && matches(node.querySelector('summary') || node) && (!state.severity.size || node.dataset.severity === undefined || state.severity.has(node.dataset.severity));
    node.hidden = !(isOfAccount(node) && isFound);
  }
  for (const node of all('.case, .rule, #openings').filter(one => !one.closest('#edges'))) {
    const shown = all('li', node).filter(one => !one.hidden).length;
    node.hidden = !shown;
    const count = node.querySelector(':scope > summary > .count');
    if (count) count.textContent = plural(shown, 'object');
  }
  for (const node of all('[data-for]')) node.hidden = [...document.querySelector(node.dataset.for).children].some(one => !one.hidden);
}
const address = () => {
  const pairs = [['q', state.q], ['who', [...state.who].join()], ['sev', [...state.severity].join()], ['acc', state.account], ['own', state.owner], ['order', state.order === 'worst' ? '' : state.order], ['view', state.view === 'live' ? '' : state.view]];
  const query = new URLSearchParams(pairs.filter(pair => pair[1]));
  return String(query) ? '#?' + query : '#';
};
function apply(writes = true) {
  search = state.q.toLowerCase().split(/\s+/).filter(Boolean);
  showEdges();
  orderEdges();
  showOthers();
  markBars();
  for (const button of all('[data-field]')) button.setAttribute('aria-pressed', String(state[button.dataset.field].has(button.dataset.value)));
  for (const button of all('[data-shows]')) button.setAttribute('aria-pressed', String(button.dataset.shows === state.view));
  const routes = lanes.filter(lane => isRoute(lane) && isInView(lane.node) && isInView(lane.group.node));
  $('clear').hidden = !isFiltered();
  $('shown').textContent = isFiltered() ? routes.filter(isShown).length.toLocaleString('en') + ' of ' + plural(routes.length, 'route') : '';
  $('q').value = state.q;
  for (const name of ['account', 'owner', 'order']) if ($(name)) $(name).value = state[name];
  if (writes) history.replaceState(null, '', address());
}
function clear() {
  Object.assign(state, { q: '', account: '', owner: '' });
  state.who.clear();
  state.severity.clear();
  apply();
}
function setView(view) { state.view = view; apply(); }
