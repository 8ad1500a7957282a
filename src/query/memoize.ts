/** Computes the result for each object once, as long as the object is in memory. */
export function memoize<K extends object, V extends object | string | boolean>(compute: (key: K) => V): (key: K) => V {
  const results = new WeakMap<K, V>();
  return (key) => {
    const cached = results.get(key);
    if (cached !== undefined) return cached;
    const result = compute(key);
    results.set(key, result);
    return result;
  };
}
