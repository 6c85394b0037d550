/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What an address of the page shows. */
function go() {
  let hash = location.hash.slice(1);
  try { hash = decodeURIComponent(hash); } catch { /* it is no address of this page */ }
  if (hash.startsWith('?')) {
    const query = new URLSearchParams(location.hash.slice(2)), list = name => (query.get(name) || '').split(',').filter(Boolean);
    const account = D.accounts.findIndex(([name]) => name === query.get('acc'));
    const owner = D.owners.indexOf(query.get('own'));
    Object.assign(state, { q: query.get('q') || '', who: new Set(list('who')), severity: new Set(list('sev')), account: account < 0 ? '' : String(account), owner: owner >= 0 ? String(owner) : D.owners.length && query.get('own') === NOBODY ? NOBODY : '' });
    state.order = ['worst', 'open', 'name', 'account'].includes(query.get('order')) ? query.get('order') : 'worst';
    state.view = query.get('view') === 'after' && hasPlan ? 'after' : 'live';
    apply(false);
    return;
  }
  const target = byAnchor.get(hash);
  if (target && target.group) return showLane(target);
  if (target) { if (nodes.get(target).hidden) { if (target.n) setView('after'); else clear(); } nodes.get(target).scrollIntoView(); return; }
  if (hash.startsWith('f-')) { if (!openRule(hash)) { clear(); openRule(hash); } return; }
  const change = D.plan.find(one => one.i === hash);
  if (change) {
    if (!$(hash)) clear();
    if (!$(hash)) { changes.replaceChildren(); fill(changes, [change, ...visibleChanges().filter(one => one !== change)], changeNode); }
    $(hash).open = true;
    $(hash).draw();
    $(hash).scrollIntoView({ block: 'center' });
    $(hash).querySelector('summary').focus({ preventScroll: true });
  }
}
