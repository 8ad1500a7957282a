import Module from 'node:module';

type LoadModule = (request: string, ...others: unknown[]) => unknown;

/** The module of a package name; undefined: the installed package. @throws Error for an unavailable module */
export type Provide = (request: string) => unknown;

/**
 * Provides internal modules under these names to code that requires them: files of a project and its installed
 * packages.
 * @returns a function that ends it
 */
export function provideModules(provide: Provide): () => void {
  const loader = Module as unknown as { _load: LoadModule };
  const originalLoad = loader._load;
  const load: LoadModule = (request, ...others) =>
    provide(request) ?? Reflect.apply(originalLoad, loader, [request, ...others]);
  loader._load = load;
  return () => {
    if (loader._load === load) loader._load = originalLoad;
  };
}

/** The provided modules as an object with a property for each name. */
export const asRecord = (provide: Provide): Readonly<Record<string, unknown>> =>
  new Proxy<Record<string, unknown>>(
    {},
    {
      has: (_target, name) => typeof name === 'string' && provide(name) !== undefined,
      get: (_target, name) => (typeof name === 'string' ? provide(name) : undefined),
    },
  );
