/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The options of a lane. */
function flat(value, path, rows) {
  if (value && typeof value === 'object') {
    const keys = Object.keys(value);
    if (Array.isArray(value) && !value.some(one => one && typeof one === 'object')) rows.push([path, value.join(', ') || '[]']);
    else if (!keys.length) rows.push([path, Array.isArray(value) ? '[]' : '{}']);
    else for (const key of keys) flat(value[key], Array.isArray(value) ? path + '[' + key + ']' : path ? path + '.' + key : key, rows);
  } else rows.push([path, String(value)]);
  return rows;
}
function settingsNode(numbers) {
  const grid = el('div', 'settings');
  for (const number of numbers) {
    const [name, value] = D.details[number], box = el('div', value && value.enabled === false ? 'disabled' : '');
    put(box, el('h4', '', titled(name)));
    const list = el('dl');
    for (const [path, text] of flat(value, '', [])) {
      if (path) put(list, el('dt', '', path));
      put(list, put(el('dd', 'mono'), el('bdi', '', text)));
    }
    put(grid, put(box, list));
  }
  return grid;
}
function openLane(lane, node) {
  const link = node.querySelector('.name > a');
  if (node.classList.toggle('open')) {
    link.setAttribute('aria-expanded', 'true');
    const box = el('div');
    for (const number of lane.f || []) {
      const one = D.findings[number];
      put(box, put(el('div', 'rule card s-' + (one.c ? 'low' : D.rules[one.r][1])), put(el('div', 'body'), put(el('h4'), severityMark(D.rules[one.r][1]), document.createTextNode(' ' + titled(D.rules[one.r][0]))), caseNode([one]))));
    }
    const details = [...new Set([...drawn(lane)[5], ...(lane.group.x || [])])];
    put(box, details.length ? settingsNode(details) : el('p', 'soft', 'The options are not part of this report.'));
    const more = set(el('div', 'more'), { role: 'row' });
    node.after(put(more, set(box, { role: 'cell', 'aria-colspan': '9' })));
  } else {
    link.setAttribute('aria-expanded', 'false');
    if (node.nextSibling?.classList?.contains('more')) node.nextSibling.remove();
  }
}
function showLane(lane, opens = true) {
  if (!drawn(lane)) setView(lane.v ? 'live' : 'after');
  if (!lane.group.kept.includes(lane)) clear();
  if (!lane.group.isDrawn) draw(lane.group);
  if (!$(lane.i)) { lane.group.showsAll = true; redraw(lane.group); draw(lane.group); }
  const node = $(lane.i);
  if (opens && !node.classList.contains('open')) openLane(lane, node);
  node.scrollIntoView({ block: 'center' });
  node.querySelector('.name > a').focus({ preventScroll: true });
}
