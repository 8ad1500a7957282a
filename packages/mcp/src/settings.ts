import { readSettings, rules, type Data } from 'content-service/plugin';

/** The paths of the endpoint, and of its description as a resource protected by OAuth. */
export const PATH = '/mcp';
export const METADATA = '/.well-known/oauth-protected-resource';

const isUrl = (value: unknown): value is string => typeof value === 'string' && URL.canParse(value);

const options = {
  /** Proposals and uploads that a caller can apply. */
  writesPerHour: rules.positive,
  /** The URLs of OAuth servers whose tokens the service accepts. */
  authorizationServers: {
    expected: 'a list of URLs',
    test: (value: unknown): value is readonly string[] => Array.isArray(value) && value.every(isUrl),
  },
};

export type McpSettings = ReturnType<typeof parseSettings>;

/** The settings of the plugins file. @throws StartError */
export const parseSettings = (config: Data) =>
  readSettings('mcp', undefined, ({ read }) => ({
    writesPerHour: 200,
    authorizationServers: [],
    ...read(config, options),
  }));
