/** The elements by a key, in order. (`Map.groupBy`, which Node 20 does not have.) */
export function groupBy<K, T>(list: readonly T[], keyOf: (element: T) => K): ReadonlyMap<K, readonly T[]> {
  const groups = new Map<K, T[]>();
  for (const element of list) {
    const key = keyOf(element);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [element]);
    else group.push(element);
  }
  return groups;
}
