/* SPDX-License-Identifier: GPL-3.0-or-later */
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
