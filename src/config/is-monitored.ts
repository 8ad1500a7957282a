import type { Config } from './config.js';

/** Does the driver report its commands? In development every response has its query cost. */
export const isMonitored = ({ environment, log }: Config): boolean =>
  environment === 'development' || log.monitorCommands;
