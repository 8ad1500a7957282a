import fs from 'node:fs';
import path from 'node:path';
import lodash from 'lodash';
import type { Config } from '../../config/config.js';
import { settingsOf } from '../../config/plugins/settings-of.js';
import type { Named } from '../strapi.js';

/** The version of Strapi whose behaviour this is. */
const VERSION = '4.26.2';

/** All settings that `strapi.config` begins with: what the service has, and what the project says over it. */
export function defaultSettings(config: Config, own: Named, folder: string): Named {
  const { environment, server, api, plugin } = settingsOf(config) as Named;
  const file = path.join(folder, 'package.json');
  const info = fs.existsSync(file) ? (JSON.parse(fs.readFileSync(file, 'utf8')) as Named) : {};
  const defaults = {
    launchedAt: Date.now(),
    environment,
    uuid: info['strapi']?.uuid as unknown,
    info: { ...info, strapi: VERSION },
    server: { ...server, url: config.server.publicUrl ?? '', cron: { enabled: false }, dirs: { public: './public' } },
    admin: {},
    api: { ...api, rest: { prefix: '/api', ...(api as Named)['rest'] } },
    plugin,
  };
  // Frozen ones must not be written into.
  return lodash.merge(lodash.cloneDeep(defaults), own);
}
