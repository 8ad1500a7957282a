import lodash from 'lodash';
import type { StrapiConfig } from '../strapi.js';

interface Urls {
  readonly serverUrl: string;
  readonly adminUrl: string;
  readonly adminPath: string;
}

const isAbsolute = (url: string): boolean => url.startsWith('http');
const trimmed = (url: unknown): string => lodash.trim(String(url ?? ''), '/ ');

/** `getConfigUrls` of `@strapi/utils`. @throws Error for a URL that cannot be parsed */
function getConfigUrls(config: StrapiConfig): Urls {
  const server = trimmed(config.get('server.url', ''));
  const serverUrl = isAbsolute(server) ? trimmed(new URL(server)) : server === '' ? '' : `/${server}`;
  const admin = trimmed(config.get('admin.url', '/admin'));
  const adminUrl = isAbsolute(admin) ? trimmed(new URL(admin)) : `${serverUrl}/${admin}`;
  const adminPath = isAbsolute(adminUrl) ? new URL(adminUrl).pathname : adminUrl;
  return { serverUrl, adminUrl, adminPath };
}

function absolute(url: string, config: StrapiConfig): string {
  if (isAbsolute(url)) return url;
  const host = String(config.get('server.host'));
  const isLocal = config.get('environment') === 'development' && ['127.0.0.1', '0.0.0.0'].includes(host);
  return `http://${isLocal ? 'localhost' : host}:${config.get('server.port')}${url}`;
}

/** The functions of `@strapi/utils` for URLs. */
export const urlUtilities = {
  getConfigUrls,
  getAbsoluteAdminUrl: (config: StrapiConfig): string => absolute(getConfigUrls(config).adminUrl, config),
  getAbsoluteServerUrl: (config: StrapiConfig): string => absolute(getConfigUrls(config).serverUrl, config),
};
