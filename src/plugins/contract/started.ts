/** What a plugin creates when it starts. Its hooks, routes and commands are created before that, and get it when they run. */
export interface Started<T> {
  set(parts: T): void;
  /** @throws Error if the plugin has not started */
  get(): T;
}

export function createStarted<T extends object>(plugin: string): Started<T> {
  let started: T | undefined;
  return {
    set: (parts) => {
      started = parts;
    },
    get: () => {
      if (started === undefined) throw new Error(`The plugin ${plugin} has not started`);
      return started;
    },
  };
}
