import { readSettings, rules, type Data } from 'content-service/plugin';

const options = {
  /**
   * The path that Strapi 5's addresses are below: `/v5/api`. With `/` they are those of Strapi itself, and Strapi v4's
   * need another.
   */
  path: {
    expected: 'a path such as "/v5", or "/"',
    test: (value: unknown): value is string => value === '/' || /^(?:\/[\w-]+)+$/.test(String(value)),
  },
  /** Whether unknown parameters of requests are refused, as with Strapi's `api.rest.strictParams`. */
  strictParams: rules.boolean,
};

/**
 * The settings of the plugins file; `isNative`: its addresses are those of Strapi itself, and its rules hold for the
 * data, in which no published entry leads to a draft.
 * @throws StartError
 */
export const parseSettings = (config: Data) =>
  readSettings('strapi5', undefined, ({ read }) => {
    const { path = '/v5', strictParams = false } = read(config, options);
    const below = path === '/' ? '' : path;
    return { path: below, strictParams, isNative: below === '' };
  });

export type Settings = ReturnType<typeof parseSettings>;
