/**
 * The bytes of a value's JSON; of one that has more than `most`, any number above that. A value of a request nests as
 * deep as its body does, which nothing that recurs survives.
 */
export function bytesOf(value: unknown, most: number): number {
  const waiting: unknown[] = [value];
  let characters = 0;
  while (waiting.length > 0) {
    const part = waiting.pop();
    characters += typeof part === 'string' ? 2 + part.length : 1;
    if (characters > most) return characters;
    if (typeof part !== 'object' || part === null) continue;
    for (const [name, inner] of Object.entries(part)) {
      characters += Array.isArray(part) ? 1 : name.length;
      waiting.push(inner);
    }
  }
  return Buffer.byteLength(JSON.stringify(value));
}
