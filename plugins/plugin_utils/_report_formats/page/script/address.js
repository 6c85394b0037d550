/* SPDX-License-Identifier: GPL-3.0-or-later */
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
