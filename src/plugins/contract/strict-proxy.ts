/** Members that the language and tests read on any object. */
const expected = new Set(['then', 'toJSON', 'constructor', 'asymmetricMatch', 'nodeType', '$$typeof']);

/** The object, with an error instead of undefined for unknown members, which lists the existing ones. */
export const strictProxy = <T extends object>(name: string, target: T): T =>
  new Proxy(target, {
    get: (target, key) => {
      if (typeof key === 'symbol' || expected.has(key) || Object.hasOwn(target, key))
        return Reflect.get(target, key) as unknown;
      const members = Object.keys(target);
      const rest = members.length === 0 ? '' : `; supported: ${members.join(', ')}`;
      throw new Error(`${name}.${key} is not supported${rest}`);
    },
  });
