import type { Config } from './config.js';

/** Must the driver report its commands? In development every answer tells what it cost. */
export const isMonitored = ({ environment, log }: Config): boolean =>
  environment === 'development' || log.monitorCommands;
