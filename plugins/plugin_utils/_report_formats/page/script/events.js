/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What people do with a mouse, with keys, and on paper; and the start. */
addEventListener('hashchange', go);
$('edges').addEventListener('toggle', event => {
  // The address of the page is that of the route that was opened last.
  if (event.target.matches('.lane[open]')) history.replaceState(null, '', '#' + event.target.id);
}, true);
let typing = 0;
$('q').oninput = event => { clearTimeout(typing); const text = event.target.value; typing = setTimeout(() => { state.q = text; apply(); }, lanes.length > 2000 ? 120 : 0); };
for (const name of ['account', 'owner', 'order']) if ($(name)) $(name).onchange = event => { state[name] = event.target.value; apply(); };
$('clear').onclick = () => { clear(); $('q').focus(); };
for (const button of all('[data-shows]')) button.onclick = () => setView(button.dataset.shows);
for (const button of all('[data-field]')) button.onclick = () => { const kept = state[button.dataset.field], one = button.dataset.value; kept.delete(one) || kept.add(one); apply(); };
for (const button of all('.copy > button')) button.onclick = async () => {
  const pre = button.previousElementSibling;
  try { await navigator.clipboard.writeText(pre.textContent); button.textContent = 'Copied'; }
  catch {
    getSelection().selectAllChildren(pre);
    button.textContent = document.execCommand && document.execCommand('copy') ? 'Copied' : 'Selected';
  }
  setTimeout(() => { button.textContent = 'Copy'; }, 2000);
};

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

const visibleLanes = () => lastOrder.flatMap(group => group.lanes.filter(isShown));
function step(distance, wanted = () => true) {
  const list = visibleLanes().filter(wanted), at = list.indexOf(laneOf.get(document.activeElement.closest('.lane')));
  if (!list.length) return;
  reveal(list[at < 0 ? (distance > 0 ? 0 : list.length - 1) : (at + distance + list.length) % list.length].node, false);
}
addEventListener('keydown', event => {
  if (event.key === 'Escape' && !dialog.open) {
    // What was found stays, so that the keys for routes can be used. Browsers would empty the field.
    if (document.activeElement === $('q')) { event.preventDefault(); $('q').blur(); return; }
    const opened = document.querySelector('.lane[open]:not([hidden])');
    if (opened) { opened.open = false; opened.firstElementChild.focus({ preventScroll: true }); } else if (!$('clear').hidden) clear();
    else document.activeElement.blur();
    return;
  }
  if (!$('single').checked || event.ctrlKey || event.metaKey || event.altKey || dialog.open || document.activeElement.matches('input, select, textarea')) return;
  const jump = id => () => { location.hash = id; };
  const action = { '/': () => { $('q').focus(); $('q').select(); }, j: () => step(1), k: () => step(-1), n: () => step(1, lane => lane.severity < 3), '?': () => dialog.showModal(), 1: jump('accounts'), 2: jump('findings'), 3: jump('plan') }[event.key];
  if (action) { event.preventDefault(); action(); }
});

// What is not on paper is said there.
const PRINTED_ROUTES = 2000, PRINTED_LANES = 29;
const omitted = many => many > PRINTED_ROUTES ? 'The ' + plural(many, 'route') + ' are not shown, because there are more than ' + PRINTED_ROUTES.toLocaleString('en') + '. To see them on paper, filter the page before you print it.'
  : many > PRINTED_LANES ? 'The traffic modules of the routes are not shown, because there are more than ' + PRINTED_LANES + ' routes. To see them on paper, filter the page before you print it.' : '';
addEventListener('beforeprint', () => {
  const many = visibleLanes().length;
  $('paper').textContent = [isFiltered() ? 'Only what matches the filters is shown: ' + $('shown').textContent + '.' : '', omitted(many)].filter(Boolean).join(' ');
  root.classList.toggle('compact', many > PRINTED_LANES);
  root.classList.toggle('without-routes', many > PRINTED_ROUTES);
  for (const box of all(many > PRINTED_LANES ? '.rule, .planned' : 'details')) box.open = true;
});

new ResizeObserver(() => root.style.setProperty('--bar', (phone.matches ? 0 : $('filters').offsetHeight) + 'px')).observe($('filters'));
document.body.classList.remove('plain-page');
try { paint(localStorage.getItem('report-theme') || 'auto'); } catch { paint('auto'); }
apply(false);
go();
