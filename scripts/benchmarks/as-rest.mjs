/** Converts the list of a GraphQL response to the form of the REST API, to compare both. */
export function asRest({ data: { articles } }, { start, limit }) {
  const { total } = articles.meta.pagination;
  return { data: articles.data.map(entryAsRest), meta: { pagination: { start, limit, total } } };
}

const entryAsRest = ({ id, attributes }) => ({ id: Number(id), attributes: valuesAsRest(attributes) });

function valuesAsRest(values) {
  const { id, __typename, quote, ...rest } = values;
  return {
    ...(id !== undefined && { id: Number(id) }),
    ...(__typename !== undefined && { __component: __typename.replace(/^ComponentBench/, 'bench.').toLowerCase() }),
    ...(quote !== undefined && { text: quote }),
    ...Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, valueAsRest(value)])),
  };
}

function valueAsRest(value) {
  if (Array.isArray(value)) return value.map(valuesAsRest);
  if (typeof value !== 'object' || value === null) return value;
  if (!('data' in value)) return valuesAsRest(value);
  const { data } = value;
  if (data === null) return { data };
  return { data: Array.isArray(data) ? data.map(entryAsRest) : entryAsRest(data) };
}
