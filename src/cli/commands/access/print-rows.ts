import { styleText } from 'node:util';

type Rows = readonly Readonly<Record<string, unknown>>[];

/** Rows as a table with a column for each name, which stands out where there are colours; nothing for no rows. */
export function formatTable(rows: Rows, colours: boolean): string {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const cells = [names, ...rows.map((row) => names.map((name) => describe(row[name])))];
  const widths = names.map((_, column) => Math.max(...cells.map((line) => line[column]?.length ?? 0)));
  const padded = cells.map((line) => line.map((text, column) => text.padEnd(widths[column] ?? 0)).join('  '));
  const [heading = '', ...body] = padded.map((line) => line.trimEnd());
  const lines = [colours ? paint('bold', heading) : heading, ...body.map((line) => (colours ? dimAbsent(line) : line))];
  return rows.length === 0 ? '' : `${lines.join('\n')}\n`;
}

export const formatJson = (rows: Rows): string => `${JSON.stringify(rows, null, 2)}\n`;

const paint = (style: 'bold' | 'dim', text: string): string => styleText(style, text, { validateStream: false });

/** What is not there, in the background. */
const dimAbsent = (line: string): string => line.replaceAll(/(?<=^|  )–(?=  |$)/g, paint('dim', '–'));

/** What people type may not move the cursor of who reads it. */
function describe(value: unknown): string {
  if (value === null || value === undefined) return '–';
  return (typeof value === 'string' ? value : JSON.stringify(value)).replaceAll(/\p{Cc}/gu, '�');
}
