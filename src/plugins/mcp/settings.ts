import { StartError } from '../../errors/start-error.js';

/** The paths of the endpoint, and of its description as a resource protected by OAuth. */
export const PATH = '/mcp';
export const METADATA = '/.well-known/oauth-protected-resource';

export interface McpSettings {
  /** Proposals and uploads that a caller can apply. */
  readonly writesPerHour: number;
  /** The URLs of OAuth servers whose tokens the service accepts. */
  readonly authorizationServers: readonly string[];
}

/** The settings of the plugins file. @throws StartError */
export function parseSettings(settings: Readonly<Record<string, unknown>>): McpSettings {
  const { writesPerHour = 200, authorizationServers = [], ...others } = settings;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined)
    throw new StartError(`mcp.config.${unknown} is unknown; allowed: writesPerHour, authorizationServers`);
  if (typeof writesPerHour !== 'number' || !Number.isSafeInteger(writesPerHour) || writesPerHour < 1)
    throw new StartError('mcp.config.writesPerHour must be a number from 1');
  const isUrl = (value: unknown): value is string => typeof value === 'string' && URL.canParse(value);
  if (!Array.isArray(authorizationServers) || !authorizationServers.every(isUrl))
    throw new StartError('mcp.config.authorizationServers must be a list of URLs');
  return { writesPerHour, authorizationServers };
}
