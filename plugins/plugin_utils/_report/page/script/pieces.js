/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pieces. */
const severityMark = (name, silent) => put(el('span', 'severity ' + name), icon(name), silent ? hint(name + ' finding') : document.createTextNode(capital(name)));
const who = shape => {
  const names = shape ? shape[0].map(each => D.access[each]) : ['closed'];
  const made = el('span', 'who k-' + (names.length === 1 ? names[0] : names.length ? 'several' : 'unknown'));
  if (!names.length) return put(made, icon('unknown'), document.createTextNode('Not judged'));
  for (const name of names) put(made, icon(name));
  const shown = capital(names.slice(0, 2).join(' + '));
  return put(made, document.createTextNode(shown + (names.length > 2 ? ' +' + (names.length - 2) : '')), names.length > 2 ? hint(' ' + names.slice(2).join(' + ')) : null);
};
const lockNode = (lock, isFirst, account) => {
  const [check, module, label, status, flags] = lock, name = D.checks[check];
  const made = el('span', 'lock k-' + name);
  made.classList.add(status === OFF ? 'off' : name === 'policy' || status === UNSURE ? 'plain' : status === ON ? 'on' : 'open-lock');
  if (isFirst) made.classList.add('first');
  if (flags & WEAK) made.classList.add('weak');
  made.title = words(module) + ': ' + label + (status === OFF ? ' (disabled)' : status === OPEN && name !== 'policy' ? ' (enabled, but lacks what it checks visitors with)' : '');
  put(made, icon(name === 'policy' ? 'policy' : name), put(el('span', 'label'), el('bdi', '', named(account, label))));
  if (status === OFF) put(made, el('b', '', 'off'));
  else if (flags & UNKNOWN) put(made, put(el('b', 'question', '?'), hint(' not judged')));
  else if (flags & WEAK || (status === OPEN && name !== 'policy')) put(made, put(el('b', '', '!'), hint(flags & WEAK ? ' has a finding' : ' lacks what it checks visitors with')));
  return made;
};
const cell = css => set(el('div', css), { role: 'cell' });

function laneNode(lane, shape, when, account = lane.group.a) {
  const kind = openness(shape), row = set(el('div', 'lane ' + kind), { role: 'row' });
  if (!when) {
    row.id = lane.i;
    if (severityOf(lane) < 3) row.classList.add('s-' + D.severities[lane.s]);
    if (kind === 'public' && severityOf(lane) === 0) row.classList.add('hot');
  }
  const first = cell('who-cell');
  if (when) put(first, el('span', 'when', when));
  put(first, who(shape), !when && severityOf(lane) < 3 ? severityMark(D.severities[lane.s], true) : null);
  put(row, first, nameNode(lane, when));
  let passed = false;
  D.checks.forEach((check, number) => {
    const locks = shape[1].filter(lock => lock[0] === number), closing = check !== 'policy' && locks.some(lock => lock[3] === ON);
    const place = cell('cell' + (passed ? ' pass' : '') + (closing ? ' locked' : ''));
    locks.sort((a, b) => b[3] - a[3]);
    locks.forEach((lock, index) => put(place, lockNode(lock, closing && !passed && index === 0, account)));
    passed = passed || closing;
    put(row, place);
  });
  const others = cell('cell' + (passed ? ' pass' : ''));
  for (const code of shape[2]) {
    const name = D.others[code >> 1], made = el('span', 'other' + (code & 1 ? '' : ' off'));
    made.title = words(name) + (code & 1 ? '' : ' (disabled)');
    put(others, put(made, icon(name), hint(made.title)));
  }
  const last = cell('cell last' + (passed ? ' pass' : '')), backend = el('span', 'backend');
  put(backend, icon(kind === 'closed' ? 'closed' : 'server'), put(el('span', 'label'), el('bdi', '', named(account, shape[3]) || (shape[4] ? 'backend' : 'no backend'))));
  if (shape[4] === 1) put(backend, el('b', '', 'off'));
  backend.title = shape[3];
  return put(row, others, put(last, backend));
}

function nameNode(lane, when) {
  const name = set(el('div', 'name mono'), { role: 'rowheader' });
  const text = el('bdi', '', lane.m || '(no match)');
  if (when) return put(name, text);
  put(name, put(set(el('a'), { href: '#' + lane.i, 'aria-expanded': 'false' }), text));
  if (lane.e) put(name, set(el('span', 'note', 'exact'), { title: 'exact_path' }));
  if ((lane.f || []).some(number => D.findings[number].c)) put(name, set(el('span', 'note', 'accepted'), { title: 'A finding on this route is accepted' }));
  if (lane.c) put(name, put(set(el('a', 'change', MARKS[lane.c]), { href: '#' + lane.p }), hint(' planned ' + lane.c)));
  return name;
}

const HEADS = ['Who gets through', 'Route', 'Certificate', 'Network', 'Signature', 'Login', 'Policy', 'Others', 'Backend'];
function tableNode(label, rows) {
  const table = set(el('div', 'lanes'), { role: 'table', 'aria-label': label });
  const head = set(el('div'), { role: 'row' });
  for (const name of HEADS) put(head, set(el('span', '', name), { role: 'columnheader' }));
  put(table, put(set(el('div', 'hint'), { role: 'rowgroup' }), head));
  return put(table, put(set(el('div'), { role: 'rowgroup' }), ...rows));
}
