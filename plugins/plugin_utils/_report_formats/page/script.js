/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is on the page, and what of it is to be shown. */
const $ = id => document.getElementById(id);
const all = (selector, within = document) => [...within.querySelectorAll(selector)];
const root = document.documentElement, phone = matchMedia('(max-width: 860px)');

// Text of others gets in by textContent alone.
const set = (node, attributes) => { for (const name in attributes) node.setAttribute(name, attributes[name]); return node; };
const plural = (number, noun) => number.toLocaleString('en') + ' ' + noun + (number === 1 ? '' : 's');

const NOBODY = 'none';   // the value of the filter for what has no owner
const state = { q: '', who: new Set(), severity: new Set(), account: '', owner: '', order: 'worst', view: 'live' };
let search = [];

/* Names take the place of IDs, which are in titles. Both can be searched. */
const textOf = node => [node.textContent, ...all('[title]', node).map(one => one.title)].join(' ').toLowerCase();
const SEVERITIES = ['high', 'medium', 'low', ''], DEGREES = ['public', 'unknown', 'one', 'several', 'closed'];
const groups = all('#edges > .edge').map(node => ({ node, kind: node.dataset.kind, account: node.dataset.account, severity: SEVERITIES.indexOf(node.dataset.severity), name: node.querySelector('h3 bdi').textContent, head: node.querySelector('header') }));
for (const group of groups) {
  group.lanes = all(':scope > .lane', group.node).map(node => ({
    node, group, degree: DEGREES.findIndex(name => node.classList.contains(name)), severity: SEVERITIES.indexOf(node.dataset.severity),
    access: node.dataset.who.split(' '), name: node.querySelector('.name > bdi').textContent,
  }));
}
const lanes = groups.flatMap(group => group.lanes), laneOf = new Map(lanes.map(lane => [lane.node, lane]));
const isRoute = lane => lane.group.kind === 'https_edge';
const isInView = node => !node.dataset.view || node.dataset.view === state.view;
const isShown = lane => !lane.node.hidden;

const matches = node => {
  if (!search.length) return true;
  node.text ??= textOf(node);
  return search.every(word => node.text.includes(word));
};
const isOfAccount = node => state.account === '' || node.dataset.account === state.account;
const isOfOwner = node => state.owner === '' || (node.dataset.owner || NOBODY) === state.owner;
const isFiltered = () => Boolean(search.length || state.who.size || state.severity.size || state.account !== '' || state.owner !== '');

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

/* What an address of the page shows. */
function go() {
  let hash = location.hash.slice(1);
  try { hash = decodeURIComponent(hash); } catch { /* it is no address of this page */ }
  if (hash.startsWith('?')) {
    const query = new URLSearchParams(location.hash.slice(2)), list = name => (query.get(name) || '').split(',').filter(Boolean);
    const known = (id, name) => $(id) && [...$(id).options].some(one => one.value === query.get(name)) ? query.get(name) : '';
    Object.assign(state, { q: query.get('q') || '', who: new Set(list('who')), severity: new Set(list('sev')) });
    state.account = known('account', 'acc');
    state.owner = known('owner', 'own');
    state.order = known('order', 'order') || 'worst';
    state.view = query.get('view') === 'after' && all('[data-shows]').length ? 'after' : 'live';
    apply(false);
  } else if (hash && $(hash)) reveal($(hash));
}
/* Shows what a link leads to, even if a filter hides it. */
function reveal(node, opens = true) {
  const { view } = node.dataset;
  if (view && view !== state.view) setView(view);
  if (node.hidden) clear();
  for (let box = node; opens && box; box = box.parentElement) if (box.matches('details')) box.open = true;
  node.scrollIntoView({ block: node.matches('.lane, .planned') ? 'center' : 'start' });
  node.querySelector(':scope > summary')?.focus({ preventScroll: true });
}

/* What people do with a mouse, with keys, and on paper; and the start. */
addEventListener('hashchange', go);
$('edges').addEventListener('toggle', event => {
  // The address of the page is that of the route that was opened last.
  if (event.target.matches('.lane[open]')) history.replaceState(null, '', '#' + event.target.id);
}, true);
let typing = 0;
$('q').oninput = event => { clearTimeout(typing); const text = event.target.value; typing = setTimeout(() => { state.q = text; apply(); }, lanes.length > 2000 ? 120 : 0); };
for (const name of ['account', 'owner', 'order']) if ($(name)) $(name).onchange = event => { state[name] = event.target.value; apply(); };
$('clear').onclick = () => { clear(); $('q').focus(); };
for (const button of all('[data-shows]')) button.onclick = () => setView(button.dataset.shows);
for (const button of all('[data-field]')) button.onclick = () => { const kept = state[button.dataset.field], one = button.dataset.value; kept.delete(one) || kept.add(one); apply(); };
for (const button of all('.copy > button')) button.onclick = async () => {
  const pre = button.previousElementSibling;
  try { await navigator.clipboard.writeText(pre.textContent); button.textContent = 'Copied'; }
  catch {
    getSelection().selectAllChildren(pre);
    button.textContent = document.execCommand && document.execCommand('copy') ? 'Copied' : 'Selected';
  }
  setTimeout(() => { button.textContent = 'Copy'; }, 2000);
};

const THEMES = ['auto', 'light', 'dark'];
const paint = theme => {
  if (theme === 'auto') delete root.dataset.theme; else root.dataset.theme = theme;
  $('theme').textContent = 'Theme: ' + theme;
  try { localStorage.setItem('report-theme', theme); } catch { /* a page from disk may have no storage */ }
};
$('theme').onclick = () => paint(THEMES[(THEMES.indexOf(root.dataset.theme || 'auto') + 1) % 3]);
const dialog = $('keys');
$('help').onclick = () => dialog.showModal();
$('close').onclick = () => dialog.close();

const visibleLanes = () => lastOrder.flatMap(group => group.lanes.filter(isShown));
function step(distance, wanted = () => true) {
  const list = visibleLanes().filter(wanted), at = list.indexOf(laneOf.get(document.activeElement.closest('.lane')));
  if (!list.length) return;
  reveal(list[at < 0 ? (distance > 0 ? 0 : list.length - 1) : (at + distance + list.length) % list.length].node, false);
}
addEventListener('keydown', event => {
  if (event.key === 'Escape' && !dialog.open) {
    // What was found stays, so that the keys for routes can be used. Browsers would empty the field.
    if (document.activeElement === $('q')) { event.preventDefault(); $('q').blur(); return; }
    const opened = document.querySelector('.lane[open]:not([hidden])');
    if (opened) { opened.open = false; opened.firstElementChild.focus({ preventScroll: true }); } else if (!$('clear').hidden) clear();
    else document.activeElement.blur();
    return;
  }
  if (!$('single').checked || event.ctrlKey || event.metaKey || event.altKey || dialog.open || document.activeElement.matches('input, select, textarea')) return;
  const jump = id => () => { location.hash = id; };
  const action = { '/': () => { $('q').focus(); $('q').select(); }, j: () => step(1), k: () => step(-1), n: () => step(1, lane => lane.severity < 3), '?': () => dialog.showModal(), 1: jump('accounts'), 2: jump('findings'), 3: jump('plan') }[event.key];
  if (action) { event.preventDefault(); action(); }
});

// What is not on paper is said there.
const PRINTED_ROUTES = 2000, PRINTED_LANES = 29;
const omitted = many => many > PRINTED_ROUTES ? 'The ' + plural(many, 'route') + ' are not shown, because there are more than ' + PRINTED_ROUTES.toLocaleString('en') + '. To see them on paper, filter the page before you print it.'
  : many > PRINTED_LANES ? 'The traffic modules of the routes are not shown, because there are more than ' + PRINTED_LANES + ' routes. To see them on paper, filter the page before you print it.' : '';
addEventListener('beforeprint', () => {
  const many = visibleLanes().length;
  $('paper').textContent = [isFiltered() ? 'Only what matches the filters is shown: ' + $('shown').textContent + '.' : '', omitted(many)].filter(Boolean).join(' ');
  root.classList.toggle('compact', many > PRINTED_LANES);
  root.classList.toggle('without-routes', many > PRINTED_ROUTES);
  for (const box of all(many > PRINTED_LANES ? '.rule, .planned' : 'details')) box.open = true;
});

new ResizeObserver(() => root.style.setProperty('--bar', (phone.matches ? 0 : $('filters').offsetHeight) + 'px')).observe($('filters'));
document.body.classList.remove('plain-page');
try { paint(localStorage.getItem('report-theme') || 'auto'); } catch { paint('auto'); }
apply(false);
go();
