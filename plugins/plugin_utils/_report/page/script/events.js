/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What people do with a mouse, with keys, and on paper; and the start. */
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
$('owner').onchange = event => { state.owner = event.target.value; apply(); };
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
    // What was found stays, so that the keys for routes can be used. Browsers would empty the field.
    if (document.activeElement === $('q')) { event.preventDefault(); $('q').blur(); return; }
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

// What is not on paper is said there.
const PRINTED_ROUTES = 2000, PRINTED_LANES = 29;
const omitted = many => many > PRINTED_ROUTES ? 'The ' + plural(many, 'route') + ' are not shown, because there are more than ' + PRINTED_ROUTES.toLocaleString('en') + '. To see them on paper, filter the page before you print it.'
  : many > PRINTED_LANES ? 'The traffic modules of the routes are not shown, because there are more than ' + PRINTED_LANES + ' routes. To see them on paper, filter the page before you print it.' : '';
addEventListener('beforeprint', () => {
  const many = visibleLanes().length;
  $('paper').textContent = [isFiltered() ? 'Only what matches the filters is shown: ' + $('shown').textContent + '.' : '', omitted(many)].filter(Boolean).join(' ');
  if (many <= PRINTED_ROUTES) groups.forEach(group => { if (group.kept.length) { if (group.kept.length > PAGE && !group.showsAll) { group.showsAll = true; redraw(group); } draw(group, true); } });
  root.classList.toggle('compact', many > PRINTED_LANES);
  if (many <= PRINTED_LANES) for (const node of document.querySelectorAll('#edges .lane:not(.open)')) openLane(byAnchor.get(node.id), node);
  for (const box of document.querySelectorAll('.rule, .planned')) if (box.draw) { box.draw(); box.open = true; }
  for (let button; (button = document.querySelector('.more-button:not(.edge > *)'));) button.click();
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
