/** The numbers at any depth of an execution plan, by their names. */
function sumOf(plan, name) {
  if (typeof plan !== 'object' || plan === null) return 0;
  const inner = Object.values(plan).reduce((sum, value) => sum + sumOf(value, name), 0);
  return inner + Number(plan[name] ?? 0);
}

/** The index keys and documents that the database examines for a request, on average. */
export async function examine({ url, headers }, some) {
  const sums = { keys: 0, documents: 0 };
  for (const { path: address } of some) {
    const answer = await fetch(`${url}${address}${address.includes('?') ? '&' : '?'}explain=true`, { headers });
    const { explain } = await answer.json();
    sums.keys += sumOf(explain, 'totalKeysExamined');
    sums.documents += sumOf(explain, 'totalDocsExamined');
  }
  return `${Math.round(sums.keys / some.length)} / ${Math.round(sums.documents / some.length)}`;
}
