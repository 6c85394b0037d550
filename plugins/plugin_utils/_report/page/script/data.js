/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The data of the report, and what is derived from it. The files of this folder are one script. */
const $ = id => document.getElementById(id);
const D = JSON.parse($('data').textContent);
const root = document.documentElement;
const PUBLIC = D.access.indexOf('public'), CLOSED = D.access.indexOf('closed');
const OFF = 0, OPEN = 1, UNSURE = 2, ON = 3, WEAK = 1, UNKNOWN = 2;
const EAGER = 600;   // so many routes are drawn at once, so that the browser's own search finds them
const PAGE = 100;    // so many members of a long list are drawn before a button shows the others
const ROW = 37, ROW_ON_PHONES = 82;

// Text of others gets in by textContent alone.
const el = (tag, css, text) => {
  const made = document.createElement(tag);
  if (css) made.className = css;
  if (text !== undefined && text !== null) made.textContent = text;
  return made;
};
const set = (node, attributes) => { for (const name in attributes) node.setAttribute(name, attributes[name]); return node; };
const put = (node, ...children) => { node.append(...children.filter(Boolean)); return node; };
const svg = (tag, attributes) => set(document.createElementNS('http://www.w3.org/2000/svg', tag), attributes || {});
const icon = name => put(svg('svg', { class: 'icon', 'aria-hidden': 'true' }), svg('use', { href: '#i-' + name }));
const hint = text => el('span', 'hint', text);
const words = name => name.replaceAll('_', ' ');
const capital = text => text.charAt(0).toUpperCase() + text.slice(1);
const ACRONYMS = { __proto__: null, tls: 'TLS', idp: 'identity provider', http: 'HTTP', ip: 'IP', oauth: 'OAuth', oidc: 'OIDC', saml: 'SAML' };
const titled = name => capital(name.split('_').map(word => ACRONYMS[word] || word).join(' '));
// Sentences of rules name options in backticks.
const prose = (tag, css, text) => {
  const made = el(tag, css);
  text.split('`').forEach((piece, index) => { if (piece) put(made, index % 2 ? el('code', '', piece) : document.createTextNode(piece)); });
  return made;
};
const plural = (number, noun) => number.toLocaleString('en') + ' ' + noun + (number === 1 ? '' : 's');
const MARKS = { __proto__: null, create: '+', update: '~', delete: '−' };

const state = { q: '', who: new Set(), severity: new Set(), account: '', owner: '', order: 'worst', view: 'live' };
const byAnchor = new Map();

/* What is drawn of a lane depends on the view: live, or after the plan. */
const drawn = lane => state.view === 'after' && lane.c ? lane.w : lane.v;
const openness = shape => {
  if (!shape[0].length) return 'unknown';
  if (shape[0][0] === PUBLIC) return 'public';
  if (shape[0][0] === CLOSED) return 'closed';
  return shape[0].length === 1 ? 'one' : 'several';
};
const RANK = { public: 0, unknown: 1, one: 2, several: 3, closed: 4 };
const severity = found => {
  let worst = 3;
  for (const number of found || []) if (!D.findings[number].c) worst = Math.min(worst, D.severities.indexOf(D.rules[D.findings[number].r][1]));
  return worst;
};
// The findings are about what is live, so they say nothing about what the plan changes.
const severityOf = lane => state.view === 'after' && lane.c ? 3 : lane.s;
const says = shape => shape[0].length ? shape[0].map(each => D.access[each]).join(' + ') : 'not judged';

/* Names take the place of IDs, which are shown on hover and in the details. A lock has the first ID and a number. */
const named = (account, text) => {
  const names = D.names[account], [id, more] = text.split(' +');
  return Object.hasOwn(names, id) ? names[id] + (more ? ' +' + more : '') : text;
};
const withoutId = object => object.replace(/ \([^() ]+\)$/, '');

/* Of what has no owner, there is none to ask. */
const NOBODY = 'none';
const ownerName = one => one.u === undefined ? '' : D.owners[one.u];
const owns = one => state.owner === '' || state.owner === (one.u === undefined ? NOBODY : String(one.u));
const ownerTag = one => one.u === undefined ? null : set(el('span', 'tag owner', 'Owner: ' + ownerName(one)), { title: ownerName(one) });

D.groups.forEach((group, number) => {
  group.number = number;
  group.s = severity(group.f);
  group.text = (group.h.join(' ') + ' ' + D.accounts[group.a][0] + ' ' + (group.d || '') + ' ' + ownerName(group)).toLowerCase();
  group.l.forEach((lane, place) => {
    lane.group = group;
    lane.place = place;
    lane.s = severity(lane.f);
    const shape = lane.v || lane.w;
    lane.text = (group.text + ' ' + lane.m + ' ' + (shape ? shape[1].map(lock => words(lock[1]) + ' ' + lock[1] + ' ' + lock[2] + ' ' + named(group.a, lock[2])).join(' ') + ' ' + shape[3] + ' ' + named(group.a, shape[3]) : '')).toLowerCase();
    byAnchor.set(lane.i, lane);
  });
  byAnchor.set(group.i, group);
});
const groups = D.groups, lanes = groups.flatMap(group => group.l);
const routes = lanes.filter(lane => lane.group.k === 'https_edge');
const hasPlan = lanes.some(lane => lane.c);
