/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The plan. */
const changes = $('changes');
const visibleChanges = () => D.plan.filter(one => (state.account === '' || one.a === +state.account) && owns(one) && matches((one.o + ' ' + D.accounts[one.a][0] + ' ' + ownerName(one)).toLowerCase()));
function drawPlan() {
  if (!changes) return;
  changes.replaceChildren();
  $('openings').replaceChildren(...openingNodes());
  $('created').replaceChildren(...createdNodes());
  const kept = visibleChanges();
  if (!kept.length) put(changes, el('p', 'nothing', D.plan.length ? 'No change matches the filters.' : 'There is nothing to change.'));
  fill(changes, kept, changeNode);
}
function changeNode(one) {
  const box = el('details', 'planned'), summary = el('summary'), body = el('div', 'body');
  box.id = one.i;
  put(summary, el('span', 'action ' + one.c, MARKS[one.c] + ' ' + capital(one.c)), put(el('b'), el('bdi', '', one.o)), el('span', 'tag', D.accounts[one.a][0]), ownerTag(one));
  if (one.e || one.b || one.w) {
    const effect = el('span', 'effect ' + one.e);
    if (one.e === 'not judged') put(effect, document.createTextNode('who gets through: '));
    else if (one.b || one.w) put(effect, one.b ? who(one.b) : el('span', 'soft', 'new'), document.createTextNode(' → '), one.w ? who(one.w) : el('span', 'soft', 'gone'));
    put(effect, el('b', '', one.e || 'the same checks'), one.n ? el('span', 'soft', 'and ' + one.n + ' more') : null);
    put(summary, effect);
  }
  put(box, put(summary, el('span', 'fold')), body);
  let filled = false;
  const draw = () => { if (!filled) { filled = true; fillChange(body, one); } };
  box.addEventListener('toggle', draw);
  box.draw = draw;
  box.open = one.e === 'opens' && D.plan.length <= 50;
  if (box.open) draw();
  return box;
}
function fillChange(body, one) {
  const lane = { m: one.m, s: 3 };
  if (one.b || one.w) put(body, tableNode('Before and after', [one.b ? laneNode(lane, one.b, 'before', one.a) : null, one.w ? laneNode(lane, one.w, 'after', one.a) : null].filter(Boolean)));
  if (one.t) put(body, put(el('p'), put(set(el('a', 'link', 'Show it among the routes'), { href: '#' + one.t }))));
  if (one.r.length) {
    const table = el('table', 'differences'), head = el('tr'), rows = el('tbody');
    for (const name of ['Option', one.c === 'create' ? null : 'Before', one.c === 'delete' ? null : 'After']) if (name) put(head, set(el('th', '', name), { scope: 'col' }));
    for (const [path, before, after] of one.r) {
      const row = el('tr');
      put(row, set(el('th', 'mono', path), { scope: 'row' }));
      const value = (text, css) => put(el('td', 'mono'), text === null ? el('span', 'soft', 'not set') : put(el('span', css), el('bdi', '', text)));
      if (one.c !== 'create') put(row, value(before, 'old'));
      if (one.c !== 'delete') put(row, value(after, ''));
      put(rows, row);
    }
    put(body, put(table, put(el('thead'), head), rows));
  }
  for (const request of one.q) put(body, el('p', 'soft mono', request));
}

/* What the plan opens, the kinds in the order of the data */
const openingNode = one => put(el('li'), el('span', 'tag' + (one.k === 'new' ? '' : ' bad'), one.k), document.createTextNode(' '), put(el('b'), el('bdi', '', one.r)), document.createTextNode(': '), el('bdi', '', one.m), document.createTextNode('. '), put(set(el('a', 'link'), { href: '#' + one.p }), el('bdi', '', one.o)), document.createTextNode(' '), el('span', 'tag', D.accounts[one.a][0]), ownerTag(one));
function openingNodes() {
  const kept = D.openings.filter(one => (state.account === '' || one.a === +state.account) && owns(one) && matches((one.r + ' ' + one.m + ' ' + one.o + ' ' + D.accounts[one.a][0] + ' ' + ownerName(one)).toLowerCase()));
  if (!kept.length) return [];
  const list = el('ul');
  fill(list, kept, openingNode);
  return [put(el('div', 'card since'), el('h3', '', 'What the plan opens'), list, D.unlisted ? el('p', 'soft', 'The plan only counts ' + plural(D.unlisted, 'more request') + '.') : null)];
}

/* Findings that the plan creates, if estate has judged it */
function createdNodes() {
  return D.created.filter(one => (state.account === '' || one.a === +state.account) && owns(one)).map(one => {
    const [name, level] = D.rules[one.r], title = el('h3');
    put(title, severityMark(level), document.createTextNode('The plan creates this finding: ' + titled(name)));
    return put(el('div', 'card rule s-' + level), put(el('div', 'body'), title, caseNode([one])));
  });
}
