/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the plan leaves undeclared. */
const unknowns = $('unknowns');
function drawUndeclared() {
  if (!unknowns) return;
  unknowns.replaceChildren();
  const kept = D.undeclared.filter(([account, object, , , , owner]) => (state.account === '' || account === +state.account) && owns(owner < 0 ? {} : { u: owner }) && matches((object + ' ' + D.accounts[account][0]).toLowerCase()));
  if (!kept.length) put(unknowns, el('p', 'nothing', 'Nothing matches the filters.'));
  fill(unknowns, kept, ([account, object, option, why, yaml]) => {
    const made = el('div', 'undeclared'), left = el('div');
    put(left, put(el('h3'), el('bdi', '', object)), el('p', 'soft', why));
    put(left, put(el('p', '', 'Declare it in '), el('code', '', option), document.createTextNode(' of '), el('span', 'tag', D.accounts[account][0])));
    return put(made, left, yaml && copyNode(yaml));
  }, 20);
}
