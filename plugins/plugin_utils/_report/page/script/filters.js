/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Filters, which are part of the address. */
function controls() {
  const count = {};
  const names = shape => !shape ? [] : shape[0].length ? shape[0].map(each => D.access[each]) : ['unknown'];
  for (const lane of routes) for (const name of names(lane.v)) count[name] = (count[name] || 0) + 1;
  const known = new Set(lanes.flatMap(lane => [...names(lane.v), ...names(lane.w)]));
  for (const name of [...D.access, 'unknown']) if (known.has(name)) put($('who'), toggle('who', name, [icon(name), document.createTextNode(name === 'unknown' ? 'Not judged' : capital(name))], count[name] || 0));
  const found = {};
  for (const one of D.findings) if (!one.c) found[D.rules[one.r][1]] = (found[D.rules[one.r][1]] || 0) + 1;
  for (const name of D.severities) put($('severity'), toggle('severity', name, [severityMark(name)], found[name] || 0));
  put($('account'), new Option('All accounts', ''));
  D.accounts.forEach(([name], number) => put($('account'), new Option(name, String(number))));
  put($('owner'), new Option('All owners', ''), ...D.owners.map((name, number) => new Option(name, String(number))), new Option('Without an owner', NOBODY));
  $('owner').hidden = !D.owners.length;
}
function toggle(field, value, content, count) {
  const button = set(el('button'), { type: 'button', 'aria-pressed': 'false' });
  put(button, ...content, el('b', '', count.toLocaleString('en')));
  button.onclick = () => { state[field].has(value) ? state[field].delete(value) : state[field].add(value); apply(); };
  button.update = () => button.setAttribute('aria-pressed', String(state[field].has(value)));
  return button;
}
function address() {
  const pairs = [['q', state.q], ['who', [...state.who].join()], ['sev', [...state.severity].join()], ['acc', state.account === '' ? '' : D.accounts[+state.account][0]], ['own', state.owner === '' ? '' : D.owners[+state.owner] || NOBODY], ['order', state.order === 'worst' ? '' : state.order], ['view', state.view === 'live' ? '' : state.view]];
  const query = new URLSearchParams(pairs.filter(pair => pair[1]));
  return String(query) ? '#?' + query : '#';
}
const isFiltered = () => Boolean(search.length || state.who.size || state.severity.size || state.account !== '' || state.owner !== '');
function apply(writes = true) {
  search = state.q.toLowerCase().split(/\s+/).filter(Boolean);
  const shown = drawEdges();
  drawFindings();
  drawPlan();
  drawUndeclared();
  drawSky();
  for (const row of document.querySelectorAll('[data-account]')) row.hidden = state.account !== '' && row.dataset.account !== state.account;
  for (const button of document.querySelectorAll('.set button')) button.update();
  $('clear').hidden = !isFiltered();
  $('shown').textContent = isFiltered() ? shown.toLocaleString('en') + ' of ' + plural(routes.filter(drawn).length, 'route') : '';
  $('q').value = state.q;
  $('account').value = state.account;
  $('owner').value = state.owner;
  $('order').value = state.order;
  for (const button of document.querySelectorAll('[data-view]')) button.setAttribute('aria-pressed', String(button.dataset.view === state.view));
  if (writes) history.replaceState(null, '', address());
}
function clear() {
  Object.assign(state, { q: '', account: '', owner: '' });
  state.who.clear();
  state.severity.clear();
  apply();
}
function setView(view) { state.view = view; apply(); }
