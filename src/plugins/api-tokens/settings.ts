import type { Data } from '../../config/record.js';
import { boolean } from '../../content-types/model/settings-schema.js';
import type { Tolerate } from '../contract/plugin.js';
import { readSettings } from '../contract/read-settings.js';

/**
 * The settings of the plugins file: `{ routes: true }` lets users manage tokens over REST.
 * @param tolerate receives a line for each unknown setting, which is refused without it
 * @throws StartError with the cause
 */
export const parseSettings = (config: Data, tolerate?: Tolerate) =>
  readSettings('api-tokens', tolerate, ({ read }) => ({ routes: false, ...read(config, { routes: boolean }) }));
