/**
 * What a plugin creates when it starts. Its hooks, routes and commands are created before that, and get it when they
 * run.
 */
export function createStarted<T extends object>(plugin: string) {
  let started: T | undefined;
  return {
    set: (parts: T): void => {
      started = parts;
    },
    /** @throws Error if the plugin has not started */
    get: (): T => {
      if (started === undefined) throw new Error(`The plugin ${plugin} has not started`);
      return started;
    },
  };
}
