/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Findings, grouped by rule, then by reason and fix. */
const rules = $('rules');
const visibleFindings = () => D.findings.filter(one => {
  if (state.account !== '' && one.a !== +state.account || !owns(one)) return false;
  if (state.severity.size && (one.c || !state.severity.has(D.rules[one.r][1]))) return false;
  return matches((one.o + ' ' + one.m + ' ' + D.rules[one.r][0] + ' ' + D.accounts[one.a][0] + ' ' + ownerName(one)).toLowerCase());
});
const matches = text => search.every(word => text.includes(word));
let search = [];

function drawFindings() {
  rules.replaceChildren();
  const kept = visibleFindings();
  const lists = [kept.filter(one => !one.c), kept.filter(one => one.c)];
  if (!kept.length) put(rules, put(el('div', 'card'), el('p', 'nothing', D.findings.length ? 'No finding matches the filters.' : 'There are no findings.')));
  lists.forEach((list, isAccepted) => {
    const groupsOfRules = new Map();
    for (const one of list) groupsOfRules.set(one.r, [...(groupsOfRules.get(one.r) || []), one]);
    for (const [rule, members] of groupsOfRules) put(rules, ruleNode(rule, members, isAccepted));
  });
  const hash = location.hash.slice(1);
  if (hash.startsWith('f-')) openRule(hash);
}
function ruleNode(rule, members, isAccepted) {
  const [name, level] = D.rules[rule];
  const box = el('details', 'card rule' + (isAccepted ? '' : ' s-' + level)), summary = el('summary');
  box.id = 'f-' + name + (isAccepted ? '-accepted' : '');
  box.open = !isAccepted && level === 'high' && members.length <= 5;
  put(summary, severityMark(level), el('h3', '', titled(name)), isAccepted ? el('span', 'tag', 'accepted') : null,
    el('span', 'soft', plural(members.length, 'object')), el('span', 'fold'));
  put(box, summary);
  const body = el('div', 'body');
  let filled = false;
  const draw = () => {
    if (filled) return;
    filled = true;
    const cases = new Map();
    for (const one of members) { const key = one.w + ' ' + one.x; cases.set(key, [...(cases.get(key) || []), one]); }
    fill(body, [...cases.values()], caseNode, 20);
  };
  put(box, body);
  box.addEventListener('toggle', draw);
  box.draw = draw;
  if (box.open) draw();
  return box;
}
function caseNode(members) {
  const made = el('div', 'case'), left = el('div'), [sentence, yaml] = D.fixes[members[0].x], list = el('ul');
  put(left, prose('p', '', D.reasons[members[0].w]), list);
  fill(list, members, findingNode, 20);
  const fix = el('div', 'fix');
  if (sentence) put(fix, prose('p', '', sentence));
  if (yaml) put(fix, copyNode(yaml));
  return put(made, left, fix);
}
function findingNode(one) {
  const made = el('li'), target = one.t ? set(el('a', 'link'), { href: '#' + one.t }) : el('b');
  target.title = one.o;
  put(made, put(target, el('bdi', '', withoutId(one.o))), document.createTextNode(' '), el('span', 'tag', D.accounts[one.a][0]), ownerTag(one), one.z ? el('span', 'tag bad', 'new') : null);
  const sentence = el('p', '', one.m);
  if (one.h) sentence.title = one.h;   // with IDs in place of names
  put(made, sentence);
  if (one.c) put(made, put(el('p', '', 'Accepted' + (one.c[1] ? ' until ' + one.c[1] : '') + ': '), el('bdi', '', one.c[0])));
  if (one.l && one.l.length) {
    const also = el('p', 'soft', 'See also ');
    one.l.forEach((anchor, index) => {
      const other = byAnchor.get(anchor);
      if (other) put(also, index ? document.createTextNode(', ') : null, put(set(el('a', 'link'), { href: '#' + anchor }), el('bdi', '', other.m || other.h[0])));
    });
    put(made, also);
  }
  return put(made, put(el('p', 'soft'), el('code', '', one.p)));
}
function openRule(id) {
  const box = $(id);
  if (!box) return false;
  box.open = true;
  box.draw();
  box.scrollIntoView();
  box.querySelector('summary').focus({ preventScroll: true });
  return true;
}
