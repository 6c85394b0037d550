/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is on the page, and what of it is to be shown. The files of this folder are one script. */
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
