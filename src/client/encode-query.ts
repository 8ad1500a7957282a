type Pair = readonly [name: string, value: string];

/** A query as Strapi v4's query string writes it: `filters[author][name][$eq]=Ida&populate[0]=author`. */
export function encodeQuery(query: object): string {
  const pairs = Object.entries(query).flatMap(([name, value]) => pairsOf(name, value));
  return pairs.map((pair) => pair.map(encodeURIComponent).join('=')).join('&');
}

function pairsOf(name: string, value: unknown): readonly Pair[] {
  if (value === undefined || value === null) return [];
  if (value instanceof Date) return [[name, value.toISOString()]];
  if (typeof value !== 'object') return [[name, String(value)]];
  const parts = Object.entries(value);
  // A relation that is populated with nothing more to say would be lost.
  if (parts.length === 0 && name.startsWith('populate[')) return [[name, 'true']];
  return parts.flatMap(([key, part]) => pairsOf(`${name}[${key}]`, part));
}
