const absent = new WeakSet<object>();

/**
 * A module that lacks members: only their use throws, because editors add imports that nothing uses.
 * @param present the members that it has; none: it is absent
 */
export function absentModule(name: string, present?: object): object {
  const module = new Proxy<object>(present ?? {}, {
    get: (target, member) => {
      if (Object.hasOwn(target, member)) return Reflect.get(target, member) as unknown;
      // An `import()` asks for these.
      if (typeof member === 'symbol' || member === '__esModule' || member === 'then') return undefined;
      return () => {
        throw new Error(`${name}: ${member} is not supported`);
      };
    },
  });
  if (present === undefined) absent.add(module);
  return module;
}

/** Whether nothing of it is there. */
export const isAbsentModule = (module: unknown): boolean =>
  typeof module === 'object' && module !== null && absent.has(module);
