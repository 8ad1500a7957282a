import type { chooseSettings } from './choose-settings.js';

/** All settings of a running service: read once at start, checked, frozen. Paths are absolute. */
export type Config = Frozen<Awaited<ReturnType<typeof chooseSettings>>>;

/** The settings of plugins may hold objects of other code, which are not frozen. */
type Frozen<T> = T extends (...args: never[]) => unknown
  ? T
  : { readonly [K in keyof T]: K extends 'plugins' | 'servicePlugins' ? T[K] : Frozen<T[K]> };

export type HttpConfig = Config['http'];
export type DatabaseConfig = Config['database'];

/** Whether the driver reports its commands. In development every response has its query cost. */
export const isMonitored = ({ environment, log }: Config): boolean =>
  environment === 'development' || log.monitorCommands;
