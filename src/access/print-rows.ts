type Rows = readonly Readonly<Record<string, unknown>>[];

/** Rows as a table with a column for each name; nothing for no rows. */
export function formatTable(rows: Rows): string {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const lines = [names, ...rows.map((row) => names.map((name) => describe(row[name])))];
  const widths = names.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  const padded = lines.map((line) => line.map((text, column) => text.padEnd(widths[column] ?? 0)).join('  '));
  return rows.length === 0 ? '' : `${padded.map((line) => line.trimEnd()).join('\n')}\n`;
}

export const formatJson = (rows: Rows): string => `${JSON.stringify(rows, null, 2)}\n`;

/** What people type may not move the cursor of who reads it. */
function describe(value: unknown): string {
  if (value === null || value === undefined) return '–';
  return (typeof value === 'string' ? value : JSON.stringify(value)).replaceAll(/\p{Cc}/gu, '�');
}
