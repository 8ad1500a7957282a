import fs from 'node:fs';
import path from 'node:path';
import lodash from 'lodash';
import type { Config } from '../../config/config.js';
import { settingsOf } from '../../config/plugins/settings-of.js';
import type { Named } from '../strapi.js';

/** The reproduced version of Strapi. */
const VERSION = '4.26.2';

/** The settings of plugins that Strapi v4 adds to those of `config/plugins`. */
const pluginDefaults = {
  upload: { enabled: true, provider: 'local', sizeLimit: 1_000_000_000, actionOptions: {} },
  'users-permissions': { jwt: { expiresIn: '30d' }, ratelimit: { interval: 60_000, max: 10 } },
  email: {
    provider: 'sendmail',
    providerOptions: {},
    settings: { defaultFrom: 'Strapi <no-reply@strapi.io>' },
  },
};

/** The initial settings of `strapi.config`: those of the service, overridden by the project's. */
export function defaultSettings(config: Config, own: Named, folder: string): Named {
  const { environment, server, api, plugin } = settingsOf(config) as Named;
  const file = path.join(folder, 'package.json');
  const info = fs.existsSync(file) ? (JSON.parse(fs.readFileSync(file, 'utf8')) as Named) : {};
  const defaults = {
    launchedAt: Date.now(),
    environment,
    autoReload: false,
    uuid: info['strapi']?.uuid as unknown,
    info: { ...info, strapi: VERSION },
    server: { ...server, url: config.server.publicUrl ?? '', cron: { enabled: false }, dirs: { public: './public' } },
    admin: {},
    api: { ...api, rest: { prefix: '/api', ...(api as Named)['rest'] } },
    plugin: lodash.defaultsDeep({}, plugin, pluginDefaults) as Named,
  };
  // Frozen settings cannot be changed.
  const settings = lodash.merge(lodash.cloneDeep(defaults), own) as Named;
  // As in Strapi v4, the address is also here.
  return { ...lodash.pick(settings['server'], ['host', 'port']), ...settings };
}
