'use strict';
(() => {
  const $ = id => document.getElementById(id);
  const D = JSON.parse($('data').textContent);
  const root = document.documentElement;
  const PUBLIC = D.access.indexOf('public'), CLOSED = D.access.indexOf('closed');
  const OFF = 0, OPEN = 1, ON = 2, WEAK = 1, UNKNOWN = 2;
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
  const ACRONYMS = { tls: 'TLS', idp: 'identity provider', http: 'HTTP', ip: 'IP', oauth: 'OAuth', oidc: 'OIDC', saml: 'SAML' };
  const titled = name => capital(name.split('_').map(word => ACRONYMS[word] || word).join(' '));
  // Sentences of rules name options in backticks.
  const prose = (tag, css, text) => {
    const made = el(tag, css);
    text.split('`').forEach((piece, index) => { if (piece) put(made, index % 2 ? el('code', '', piece) : document.createTextNode(piece)); });
    return made;
  };
  const plural = (number, noun) => number.toLocaleString('en') + ' ' + noun + (number === 1 ? '' : 's');
  const MARKS = { create: '+', update: '~', delete: '−' };

  const state = { q: '', who: new Set(), severity: new Set(), account: '', order: 'worst', view: 'live' };
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

  D.groups.forEach((group, number) => {
    group.number = number;
    group.s = severity(group.f);
    group.text = (group.h.join(' ') + ' ' + D.accounts[group.a][0] + ' ' + (group.d || '')).toLowerCase();
    group.l.forEach((lane, place) => {
      lane.group = group;
      lane.place = place;
      lane.s = severity(lane.f);
      const shape = lane.v || lane.w;
      lane.text = (group.text + ' ' + lane.m + ' ' + (shape ? shape[1].map(gate => words(gate[1]) + ' ' + gate[1] + ' ' + gate[2]).join(' ') + ' ' + shape[3] : '')).toLowerCase();
      byAnchor.set(lane.i, lane);
    });
    byAnchor.set(group.i, group);
  });
  const groups = D.groups, lanes = groups.flatMap(group => group.l);
  const routes = lanes.filter(lane => lane.group.k === 'https_edge');
  const hasPlan = lanes.some(lane => lane.c);

  /* Pieces */
  const severityMark = (name, silent) => put(el('span', 'severity ' + name), icon(name), silent ? hint(name + ' finding') : document.createTextNode(capital(name)));
  const who = shape => {
    const names = shape ? shape[0].map(each => D.access[each]) : ['closed'];
    const made = el('span', 'who k-' + (names.length === 1 ? names[0] : names.length ? 'several' : 'unknown'));
    if (!names.length) return put(made, icon('unknown'), document.createTextNode('Not judged'));
    for (const name of names) put(made, icon(name));
    const shown = capital(names.slice(0, 2).join(' + '));
    return put(made, document.createTextNode(shown + (names.length > 2 ? ' +' + (names.length - 2) : '')), names.length > 2 ? hint(' ' + names.slice(2).join(' + ')) : null);
  };
  const gateNode = (gate, isFirst) => {
    const [check, module, label, status, flags] = gate, name = D.checks[check];
    const made = el('span', 'gate k-' + name);
    made.classList.add(name === 'policy' && status ? 'plain' : status === ON ? 'on' : status === OFF ? 'off' : 'open-gate');
    if (isFirst) made.classList.add('first');
    if (flags & WEAK) made.classList.add('weak');
    made.title = words(module) + ': ' + label + (status === OFF ? ' (disabled)' : status === OPEN && name !== 'policy' ? ' (enabled, but lets everybody through)' : '');
    put(made, icon(name === 'policy' ? 'policy' : name), put(el('span', 'label'), el('bdi', '', label)));
    if (status === OFF) put(made, el('b', '', 'off'));
    else if (flags & UNKNOWN) put(made, put(el('b', 'question', '?'), hint(' not judged')));
    else if (flags & WEAK || (status === OPEN && name !== 'policy')) put(made, put(el('b', '', '!'), hint(flags & WEAK ? ' has a finding' : ' lets everybody through')));
    return made;
  };
  const cell = css => set(el('div', css), { role: 'cell' });

  function laneNode(lane, shape, when) {
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
      const gates = shape[1].filter(gate => gate[0] === number), closing = check !== 'policy' && gates.some(gate => gate[3] === ON);
      const place = cell('cell' + (passed ? ' pass' : '') + (closing ? ' gated' : ''));
      gates.sort((a, b) => b[3] - a[3]);
      gates.forEach((gate, index) => put(place, gateNode(gate, closing && !passed && index === 0)));
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
    put(backend, icon(kind === 'closed' ? 'closed' : 'server'), put(el('span', 'label'), el('bdi', '', shape[3] || (shape[4] ? 'backend' : 'no backend'))));
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

  /* A long list shows its first members, and the others after a click. */
  function fill(box, members, draw, size = PAGE) {
    const add = from => {
      members.slice(from, from + size).forEach(one => put(box, draw(one)));
      const left = members.length - from - size;
      if (left <= 0) return;
      const button = set(el('button', 'more-button', 'Show ' + Math.min(left, size * 5) + ' of ' + left + ' more'), { type: 'button' });
      button.onclick = () => { button.remove(); const start = from + size; size = size * 5; add(start); };
      put(box, button);
    };
    add(0);
  }

  function copyNode(text) {
    const pre = set(el('pre', '', text), { tabindex: '0', role: 'group', 'aria-label': 'Declaration' });
    const button = set(el('button', '', 'Copy'), { type: 'button' });
    button.onclick = async () => {
      try { await navigator.clipboard.writeText(text); button.textContent = 'Copied'; }
      catch {
        const range = document.createRange();
        range.selectNodeContents(pre);
        getSelection().removeAllRanges();
        getSelection().addRange(range);
        button.textContent = document.execCommand && document.execCommand('copy') ? 'Copied' : 'Selected';
      }
      setTimeout(() => { button.textContent = 'Copy'; }, 2000);
    };
    return put(el('div', 'copy'), pre, button);
  }

  /* Findings, grouped by rule, then by reason and fix */
  const rules = $('rules');
  const visibleFindings = () => D.findings.filter(one => {
    if (state.account !== '' && one.a !== +state.account) return false;
    if (state.severity.size && (one.c || !state.severity.has(D.rules[one.r][1]))) return false;
    return matches((one.o + ' ' + one.m + ' ' + D.rules[one.r][0] + ' ' + D.accounts[one.a][0]).toLowerCase());
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
    put(made, put(target, el('bdi', '', one.o)), document.createTextNode(' '), el('span', 'tag', D.accounts[one.a][0]));
    put(made, el('p', '', one.m));
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

  /* The edges with their lanes, each drawn when it comes near the window */
  const edges = $('edges'), phone = matchMedia('(max-width: 860px)');
  const nodes = new Map();
  const room = group => svg('svg', { class: 'room', width: '1', height: String(Math.min(group.kept.length, PAGE) * (phone.matches ? ROW_ON_PHONES : ROW)), 'aria-hidden': 'true' });
  const near = new IntersectionObserver(entries => {
    for (const entry of entries) if (entry.isIntersecting) draw(entry.target.group);
  }, { rootMargin: '800px 0px' });

  function groupNode(group) {
    const made = el('article', 'edge card'), head = el('header'), title = el('h3');
    made.id = group.i;
    made.group = group;
    set(made, { 'aria-label': group.h.join(', ') + ', ' + D.accounts[group.a][0] });
    group.h.forEach((host, index) => put(title, index ? document.createTextNode(' ') : null, put(el('span', index ? 'soft' : ''), el('bdi', '', host))));
    put(head, title, el('span', 'tag', D.accounts[group.a][0]));
    if (group.n) put(head, el('span', 'tag', 'new'));
    if (group.k === 'https_edge' && !group.n) put(head, el('span', 'tag' + ((group.f || []).some(number => !D.findings[number].c && D.findings[number].p.includes('tls_termination')) ? ' bad' : ''), group.t ? 'TLS ' + group.t + ' or newer' : 'TLS by the service'));
    for (const number of group.f || []) {
      const one = D.findings[number], name = D.rules[one.r][0];
      put(head, put(set(el('a'), { href: '#f-' + name + (one.c ? '-accepted' : '') }), put(severityMark(D.rules[one.r][1], true), el('span', '', titled(name)))));
    }
    put(head, el('span', 'words', group.d || ''));
    group.count = el('span', 'number');
    return put(made, put(head, group.count));
  }
  function draw(group, all) {
    const made = nodes.get(group);
    if (group.isDrawn || made.hidden) return;
    group.isDrawn = true;
    near.unobserve(made);
    made.querySelector('.room')?.remove();
    const shown = all || group.showsAll ? group.kept : group.kept.slice(0, PAGE);
    put(made, tableNode((group.k === 'https_edge' ? 'Routes of ' : '') + group.h[0], shown.map(lane => laneNode(lane, drawn(lane)))));
    const left = group.kept.length - shown.length;
    if (left) {
      const button = set(el('button', 'more-button', 'Show ' + left + ' more'), { type: 'button' });
      button.onclick = () => { group.showsAll = true; redraw(group); draw(group); };
      put(made, button);
    }
  }
  function redraw(group) {
    const made = nodes.get(group);
    while (made.children.length > 1) made.lastChild.remove();
    group.isDrawn = false;
    group.opened = null;
    made.hidden = !group.kept.length && !(group.isEmpty && group.emptyMatches);
    if (made.hidden) return;
    if (group.kept.length) put(made, room(group));
    else put(made, el('p', 'nothing', 'This edge has no routes.'));
    group.count.textContent = group.k === 'https_edge' ? plural(group.kept.length, 'route') : String(group.kept.length);
    if (group.kept.length) near.observe(made);
  }

  const passes = lane => {
    const shape = drawn(lane);
    if (!shape) return false;
    if (state.account !== '' && lane.group.a !== +state.account) return false;
    if (state.who.size && !(shape[0].length ? shape[0].some(each => state.who.has(D.access[each])) : state.who.has('unknown'))) return false;
    if (state.severity.size && !(severityOf(lane) < 3 && state.severity.has(D.severities[lane.s]))) return false;
    return matches(lane.text);
  };
  const rankOf = lane => severityOf(lane) * 10 + RANK[openness(drawn(lane))];
  const KINDS = ['https_edge', 'tls_edge', 'tunnel'];
  function sorted() {
    const key = group => {
      const ranks = group.kept.map(lane => state.order === 'open' ? RANK[openness(drawn(lane))] * 10 + lane.s : rankOf(lane));
      return Math.min(group.s * 10 + 9, ...ranks);
    };
    const compare = { name: (a, b) => a.h[0] < b.h[0] ? -1 : a.h[0] > b.h[0] ? 1 : 0, account: () => 0 };
    const keys = new Map(groups.map(group => [group, key(group)]));
    const by = compare[state.order] || ((a, b) => keys.get(a) - keys.get(b));
    return [...groups].sort((a, b) => KINDS.indexOf(a.k) - KINDS.indexOf(b.k) || by(a, b) || a.number - b.number);
  }
  let lastOrder = '';
  function drawEdges() {
    let shown = 0;
    for (const group of groups) {
      const kept = group.l.filter(passes);
      if (state.order === 'worst' && kept.length > PAGE) kept.sort((a, b) => rankOf(a) - rankOf(b) || a.place - b.place);
      group.isEmpty = !group.l.some(drawn);
      group.emptyMatches = group.isEmpty && !state.who.size && !state.severity.size && (state.account === '' || group.a === +state.account) && matches(group.text) && (!group.n || state.view === 'after');
      const same = group.kept && group.keptView === state.view && kept.length === group.kept.length && kept.every((lane, index) => lane === group.kept[index]);
      group.kept = kept;
      group.keptView = state.view;
      if (!nodes.has(group)) nodes.set(group, groupNode(group));
      if (!same || !kept.length) redraw(group);
      if (group.k === 'https_edge') shown += kept.length;
    }
    const order = sorted(), signature = order.map(group => group.number).join();
    if (signature !== lastOrder) { lastOrder = signature; edges.append(...order.map(group => nodes.get(group))); }
    const nothing = $('no-edges');
    if (nothing) nothing.remove();
    if (![...nodes.values()].some(node => !node.hidden)) put(edges, Object.assign(el('p', 'nothing card', groups.length ? 'Nothing matches the filters.' : 'There is nothing to draw.'), { id: 'no-edges' }));
    if (routes.length <= EAGER) groups.forEach(group => draw(group));
    return shown;
  }

  /* The options of a lane */
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

  /* The plan */
  const changes = $('changes');
  const visibleChanges = () => D.plan.filter(one => (state.account === '' || one.a === +state.account) && matches((one.o + ' ' + D.accounts[one.a][0]).toLowerCase()));
  const EFFECTS = ['opens', 'not judged', 'shifts', 'adds', 'closes', 'removes', ''];
  D.plan.sort((a, b) => EFFECTS.indexOf(a.e) - EFFECTS.indexOf(b.e));
  function drawPlan() {
    if (!changes) return;
    changes.replaceChildren();
    const kept = visibleChanges();
    if (!kept.length) put(changes, el('p', 'nothing', D.plan.length ? 'No change matches the filters.' : 'There is nothing to change.'));
    fill(changes, kept, changeNode);
  }
  function changeNode(one) {
    const box = el('details', 'planned'), summary = el('summary'), body = el('div', 'body');
    box.id = one.i;
    put(summary, el('span', 'action ' + one.c, MARKS[one.c] + ' ' + capital(one.c)), put(el('b'), el('bdi', '', one.o)), el('span', 'tag', D.accounts[one.a][0]));
    if (one.e || one.b || one.w) {
      const effect = el('span', 'effect ' + one.e);
      if (one.e === 'not judged') put(effect, document.createTextNode('who gets through: '));
      else if (one.b || one.w) put(effect, one.b ? who(one.b) : el('span', 'soft', 'new'), document.createTextNode(' → '), one.w ? who(one.w) : el('span', 'soft', 'gone'));
      put(effect, el('b', '', one.e || 'no difference'), one.n ? el('span', 'soft', 'and ' + one.n + ' more') : null);
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
    if (one.b || one.w) put(body, tableNode('Before and after', [one.b ? laneNode(lane, one.b, 'before') : null, one.w ? laneNode(lane, one.w, 'after') : null].filter(Boolean)));
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

  const unknowns = $('unknowns');
  function drawUndeclared() {
    if (!unknowns) return;
    unknowns.replaceChildren();
    const kept = D.undeclared.filter(([account, object]) => (state.account === '' || account === +state.account) && matches((object + ' ' + D.accounts[account][0]).toLowerCase()));
    if (!kept.length) put(unknowns, el('p', 'nothing', 'Nothing matches the filters.'));
    fill(unknowns, kept, ([account, object, option, why, yaml]) => {
      const made = el('div', 'undeclared'), left = el('div');
      put(left, put(el('h3'), el('bdi', '', object)), el('p', 'soft', why));
      put(left, put(el('p', '', 'Declare it in '), el('code', '', option), document.createTextNode(' of '), el('span', 'tag', D.accounts[account][0])));
      return put(made, left, yaml ? copyNode(yaml) : el('p', 'soft', 'It cannot be written as YAML.'));
    }, 20);
  }

  /* Every route at a glance: one bar for each, or, if there are very many, one for each edge */
  const bars = $('bars'), reading = $('reading'), HEIGHTS = { public: 36, unknown: 30, one: 16, several: 8, closed: 3 }, TOP = 12, MANY = 1500;
  let items = [], cursor = -1, blocks = [], skyWidth = 0, isByEdge = false;
  function collectItems() {
    const live = routes.filter(drawn);
    isByEdge = live.length > MANY;
    $('h-sky').textContent = isByEdge ? 'Every edge at a glance, by its worst route' : 'Every route at a glance';
    if (!isByEdge) return live.map(lane => ({ lane, account: lane.group.a, kind: openness(drawn(lane)), s: severityOf(lane), hit: lane.group.kept.includes(lane), group: lane.group }));
    return groups.filter(group => group.k === 'https_edge' && group.l.some(drawn)).map(group => {
      const top = group.l.filter(drawn).reduce((best, lane) => rankOf(lane) < rankOf(best) ? lane : best);
      return { lane: top, account: group.a, kind: openness(drawn(top)), s: Math.min(group.s, severityOf(top)), hit: group.kept.length > 0, group };
    });
  }
  function drawSky() {
    items = collectItems();
    const count = items.length, pitch = count <= 90 ? 15 : count <= 200 ? 9 : count <= 420 ? 6 : count <= 900 ? 4 : 3;
    const wide = Math.max(200, skyWidth - 34), perRow = Math.floor(wide / pitch);
    bars.replaceChildren();
    blocks = [];
    D.accounts.forEach(([name], account) => {
      const numbers = items.map((item, number) => number).filter(number => items[number].account === account);
      if (!numbers.length) {
        if (D.accounts[account][2]) put(bars, put(el('figure', 'absent'), el('p', '', D.accounts[account][2]), put(el('figcaption'), el('bdi', '', name))));
        return;
      }
      const places = layout(numbers, perRow), columns = Math.max(...places.map(place => place[0])) + 1;
      const rows = places.length ? places[places.length - 1][1] + 1 : 1, tall = TOP + 40;
      const picture = svg('svg', { width: columns * pitch, height: rows * tall, viewBox: '0 0 ' + columns * pitch + ' ' + rows * tall, 'aria-hidden': 'true' });
      const paths = {};
      numbers.forEach((number, index) => {
        const item = items[number], [column, row] = places[index], x = column * pitch, base = row * tall + TOP + 38, high = HEIGHTS[item.kind], width = Math.max(2, pitch - (pitch > 5 ? 2 : 1));
        const add = (css, d) => { const key = css + (item.hit ? '' : ' dim'); paths[key] = (paths[key] || '') + d; };
        add(item.kind === 'public' && item.s === 0 ? 'f-hot' : 'f-' + item.kind, 'M' + x + ' ' + base + 'v-' + high + 'h' + width + 'v' + high + 'z');
        const c = x + width / 2, y = base - high - 3;
        if (item.s === 0) add('f-hot', 'M' + (c - 4) + ' ' + y + 'l4 -7l4 7z');
        if (item.s === 1) add('f-medium', 'M' + (c - 3.5) + ' ' + (y - 3.5) + 'l3.500 -3.500l3.500 3.500l-3.500 3.500z');
      });
      for (const css in paths) put(picture, svg('path', { class: css, d: paths[css] }));
      const mark = svg('rect', { class: 'cursor', width: pitch + 2, height: tall - 4, visibility: 'hidden' });
      put(picture, mark);
      const figure = put(el('figure'), picture, put(el('figcaption'), el('bdi', '', name)));
      blocks.push({ picture, numbers, places, pitch, tall, mark });
      put(bars, figure);
    });
    set(bars, { 'aria-valuemax': Math.max(0, count - 1) });
    point(Math.min(cursor, count - 1), false);
  }
  function layout(numbers, perRow) {
    // A gap of one bar between edges, and a new row where the width ends.
    const places = [];
    let column = 0, row = 0, last = null;
    for (const number of numbers) {
      const group = items[number].group;
      if (!isByEdge && last && group !== last && column) column += 1;
      if (column >= perRow) { column = 0; row += 1; }
      places.push([column, row]);
      column += 1;
      last = group;
    }
    return places;
  }
  function point(number, speaks = true) {
    cursor = number;
    for (const block of blocks) {
      const index = block.numbers.indexOf(number);
      set(block.mark, index < 0 ? { visibility: 'hidden' } : { visibility: 'visible', x: block.places[index][0] * block.pitch - 1.5, y: block.places[index][1] * block.tall + 2 });
    }
    reading.replaceChildren();
    if (number < 0 || !items[number]) {
      put(reading, document.createTextNode(items.length ? 'Point at a bar, or use the arrow keys. Enter shows the route.' : 'There are no routes.'));
      set(bars, { 'aria-valuenow': 0, 'aria-valuetext': items.length ? 'none selected' : 'no routes' });
      return;
    }
    const item = items[number], text = item.group.h[0] + ' ' + item.lane.m + ': ' + says(drawn(item.lane)) + (item.s < 3 ? ', ' + D.severities[item.s] + ' finding' : '');
    put(reading, put(el('b'), el('bdi', '', item.group.h[0] + ' ' + item.lane.m)), who(drawn(item.lane)), item.s < 3 ? severityMark(D.severities[item.s]) : null, el('span', 'tag', D.accounts[item.account][0]),
      put(set(el('a', 'link', 'Show'), { href: '#' + item.lane.i })));
    if (speaks) set(bars, { 'aria-valuenow': number, 'aria-valuetext': text });
  }
  function hit(event) {
    for (const block of blocks) {
      const box = block.picture.getBoundingClientRect();
      if (event.clientX < box.left || event.clientX > box.right || event.clientY < box.top || event.clientY > box.bottom) continue;
      const scale = box.width / block.picture.viewBox.baseVal.width, column = (event.clientX - box.left) / scale / block.pitch - .5, row = Math.floor((event.clientY - box.top) / scale / block.tall);
      let best = -1, distance = Infinity;
      block.places.forEach(([x, y], index) => { const far = Math.abs(x - column) + Math.abs(y - row) * 1000; if (far < distance) { distance = far; best = block.numbers[index]; } });
      return best;
    }
    return -1;
  }
  const follow = () => { if (items[cursor]) location.hash === '#' + items[cursor].lane.i ? showLane(items[cursor].lane) : location.hash = items[cursor].lane.i; };
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

  /* Filters, which are part of the address */
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
  }
  function toggle(field, value, content, count) {
    const button = set(el('button'), { type: 'button', 'aria-pressed': 'false' });
    put(button, ...content, el('b', '', count.toLocaleString('en')));
    button.onclick = () => { state[field].has(value) ? state[field].delete(value) : state[field].add(value); apply(); };
    button.update = () => button.setAttribute('aria-pressed', String(state[field].has(value)));
    return button;
  }
  function address() {
    const pairs = [['q', state.q], ['who', [...state.who].join()], ['sev', [...state.severity].join()], ['acc', state.account === '' ? '' : D.accounts[+state.account][0]], ['order', state.order === 'worst' ? '' : state.order], ['view', state.view === 'live' ? '' : state.view]];
    const query = new URLSearchParams(pairs.filter(pair => pair[1]));
    return String(query) ? '#?' + query : '#';
  }
  function apply(writes = true) {
    search = state.q.toLowerCase().split(/\s+/).filter(Boolean);
    const shown = drawEdges();
    drawFindings();
    drawPlan();
    drawUndeclared();
    drawSky();
    for (const row of document.querySelectorAll('[data-account]')) row.hidden = state.account !== '' && row.dataset.account !== state.account;
    for (const button of document.querySelectorAll('.set button')) button.update();
    const isFiltered = Boolean(search.length || state.who.size || state.severity.size || state.account !== '');
    $('clear').hidden = !isFiltered;
    $('shown').textContent = isFiltered ? shown.toLocaleString('en') + ' of ' + plural(routes.filter(drawn).length, 'route') : '';
    $('q').value = state.q;
    $('account').value = state.account;
    $('order').value = state.order;
    for (const button of document.querySelectorAll('[data-view]')) button.setAttribute('aria-pressed', String(button.dataset.view === state.view));
    if (writes) history.replaceState(null, '', address());
  }
  function clear() {
    Object.assign(state, { q: '', account: '' });
    state.who.clear();
    state.severity.clear();
    apply();
  }
  function setView(view) { state.view = view; apply(); }

  function go() {
    let hash = location.hash.slice(1);
    try { hash = decodeURIComponent(hash); } catch { /* it is no address of this page */ }
    if (hash.startsWith('?')) {
      const query = new URLSearchParams(location.hash.slice(2)), list = name => (query.get(name) || '').split(',').filter(Boolean);
      const account = D.accounts.findIndex(([name]) => name === query.get('acc'));
      Object.assign(state, { q: query.get('q') || '', who: new Set(list('who')), severity: new Set(list('sev')), account: account < 0 ? '' : String(account) });
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

  addEventListener('hashchange', go);
  edges.addEventListener('click', event => {
    const node = event.target.closest('.lane');
    if (!node || event.target.closest('.change') || String(getSelection())) return;
    const lane = byAnchor.get(node.id), link = event.target.closest('a');
    if (link && location.hash !== '#' + lane.i && !node.classList.contains('open')) return;
    event.preventDefault();
    openLane(lane, node);
    if (node.classList.contains('open')) history.replaceState(null, '', '#' + lane.i);
  });
  let typing = 0;
  $('q').oninput = event => { clearTimeout(typing); const text = event.target.value; typing = setTimeout(() => { state.q = text; apply(); }, lanes.length > 2000 ? 120 : 0); };
  $('account').onchange = event => { state.account = event.target.value; apply(); };
  $('order').onchange = event => { state.order = event.target.value; apply(); };
  $('clear').onclick = () => { clear(); $('q').focus(); };
  for (const button of document.querySelectorAll('[data-view]')) button.onclick = () => setView(button.dataset.view);

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
  let shortcuts = true;
  $('single').onchange = event => { shortcuts = event.target.checked; };

  const visibleLanes = () => [...edges.children].filter(node => node.group && !node.hidden).flatMap(node => node.group.kept);
  function step(distance, wanted) {
    const list = visibleLanes().filter(wanted || (() => true)), now = document.activeElement.closest?.('.lane');
    if (!list.length) return;
    const at = now ? list.indexOf(byAnchor.get(now.id)) : -1;
    const next = at < 0 ? (distance > 0 ? 0 : list.length - 1) : (at + distance + list.length) % list.length;
    showLane(list[next], false);
  }
  addEventListener('keydown', event => {
    if (event.key === 'Escape' && !dialog.open) {
      const opened = document.querySelector('.lane.open');
      if (opened) { openLane(byAnchor.get(opened.id), opened); opened.querySelector('.name > a').focus({ preventScroll: true }); } else if (!$('clear').hidden) clear();
      else document.activeElement.blur?.();
      return;
    }
    if (!shortcuts || event.ctrlKey || event.metaKey || event.altKey || dialog.open || document.activeElement.matches('input, select, textarea')) return;
    const jump = id => () => { location.hash = id; };
    const action = { '/': () => { $('q').focus(); $('q').select(); }, j: () => step(1), k: () => step(-1), n: () => step(1, lane => severityOf(lane) < 3), '?': () => dialog.showModal(), 1: jump('accounts'), 2: jump('findings'), 3: jump('plan') }[event.key];
    if (action) { event.preventDefault(); action(); }
  });

  addEventListener('beforeprint', () => {
    const many = visibleLanes().length;
    if (many <= 2000) groups.forEach(group => { if (group.kept.length) { if (group.kept.length > PAGE && !group.showsAll) { group.showsAll = true; redraw(group); } draw(group, true); } });
    if (many <= 150) for (const node of document.querySelectorAll('#edges .lane:not(.open)')) openLane(byAnchor.get(node.id), node);
    for (const box of document.querySelectorAll('.rule, .planned')) if (box.draw) { box.draw(); box.open = true; }
  });

  // Measured rarely, because it makes the browser lay out the whole page.
  const measure = () => { skyWidth = $('sky').clientWidth; };
  let width = innerWidth;
  addEventListener('resize', () => { if (innerWidth !== width) { width = innerWidth; measure(); drawSky(); } });
  new ResizeObserver(() => root.style.setProperty('--bar', (phone.matches ? 0 : $('filters').offsetHeight) + 'px')).observe($('filters'));
  document.body.classList.remove('plain-page');
  for (const id of ['sky', 'filters', 'heads', 'theme', 'help']) $(id).hidden = false;
  if (hasPlan) $('view').hidden = false;
  try { paint(localStorage.getItem('report-theme') || 'auto'); } catch { paint('auto'); }
  measure();
  controls();
  apply(false);
  go();
})();
