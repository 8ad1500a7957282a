import fs from 'node:fs';

/** A Markdown table, its columns aligned. Columns: `{ title, value: (row) => text, right? }`. */
export function formatTable(columns, rows) {
  const cells = [columns.map(({ title }) => title), ...rows.map((row) => columns.map(({ value }) => value(row)))];
  const widths = columns.map((_, index) => Math.max(3, ...cells.map((line) => line[index].length)));
  const pad = (text, index) => (columns[index].right ? text.padStart(widths[index]) : text.padEnd(widths[index]));
  const rule = columns.map(({ right }, index) =>
    right ? `${'-'.repeat(widths[index] - 1)}:` : '-'.repeat(widths[index]),
  );
  const [head, ...body] = cells.map((line) => line.map(pad));
  return [head, rule, ...body].map((line) => `| ${line.join(' | ')} |`).join('\n');
}

/** A number for people; what was not measured is a dash. */
export const decimals = (digits) => (value) => (Number.isFinite(value) ? value.toFixed(digits) : '–');

/** Puts text between the markers of that name in a Markdown file. Returns whether it has them. */
export function fillIn(file, name, text) {
  const [begin, end] = [`<!-- ${name}: begin -->`, `<!-- ${name}: end -->`];
  const content = fs.readFileSync(file, 'utf8');
  const [from, to] = [content.indexOf(begin), content.indexOf(end)];
  if (from < 0) return false;
  if (to < from) throw new Error(`${file} lacks the marker ${end}`);
  fs.writeFileSync(file, `${content.slice(0, from + begin.length)}\n\n${text}\n\n${content.slice(to)}`);
  return true;
}
