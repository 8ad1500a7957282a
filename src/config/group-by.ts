/** The elements by a key, both in order. (`Map.groupBy`, which Node 20 does not have.) */
export function groupBy<K, T>(elements: Iterable<T>, key: (element: T) => K): ReadonlyMap<K, readonly T[]> {
  const groups = new Map<K, T[]>();
  for (const element of elements) {
    const group = groups.get(key(element));
    if (group === undefined) groups.set(key(element), [element]);
    else group.push(element);
  }
  return groups;
}
