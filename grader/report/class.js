// class.js: sorts and filters the table of students. The page is whole without it.
'use strict';
const table = document.getElementById('students');
const body = table.tBodies[0];
const rows = [...body.rows];
const search = document.getElementById('search');
const verdict = document.getElementById('verdict');
const shown = document.getElementById('shown');

const value = (row, column) => {
  const cell = row.cells[column];
  return 'v' in cell.dataset ? Number(cell.dataset.v) : cell.textContent.trim().toLowerCase();
};
const compare = (a, b) => typeof a === 'number' ? a - b : a.localeCompare(b, undefined, {numeric: true});

const sort = (header) => {
  const column = header.cellIndex;
  const down = header.getAttribute('aria-sort') === 'ascending' ||
               (!header.hasAttribute('aria-sort') && 'down' in header.dataset);
  for (const other of table.tHead.rows[0].cells) other.removeAttribute('aria-sort');
  header.setAttribute('aria-sort', down ? 'descending' : 'ascending');
  rows.sort((a, b) => (down ? -1 : 1) * compare(value(a, column), value(b, column)));
  body.append(...rows);
};
for (const header of table.tHead.rows[0].cells) {
  const button = header.querySelector('button');
  if (button) button.addEventListener('click', () => sort(header));
}

const filter = () => {
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  let count = 0;
  for (const row of rows) {
    const text = row.cells[0].textContent.toLowerCase();
    const fits = words.every((word) => text.includes(word)) &&
                 (!verdict.value || (' ' + row.dataset.verdicts + ' ').includes(' ' + verdict.value + ' '));
    row.hidden = !fits;
    count += fits;
  }
  shown.textContent = count === rows.length ? '' : `${count} of ${rows.length}`;
};
search.addEventListener('input', filter);
verdict.addEventListener('change', filter);
document.getElementById('filters').hidden = false;
