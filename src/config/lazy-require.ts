import { createRequire } from 'node:module';

const load = createRequire(import.meta.url);

/**
 * A package that a start does not need, loaded by the first call. By `require`: should it fail, as where no more files
 * can be opened, the next call tries again, while an `import` that failed once fails for good. For packages that are no ES
 * modules.
 */
export const lazyRequire =
  <T>(name: string): (() => T) =>
  () =>
    load(name) as T;
