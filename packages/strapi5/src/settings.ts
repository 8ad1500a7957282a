import { readSettings, rules, type Data } from 'content-service/plugin';

const options = {
  /** The path that Strapi 5's addresses are below. */
  path: {
    expected: 'a path such as "/v5"',
    test: (value: unknown): value is string => /^(?:\/[\w-]+)+$/.test(String(value)),
  },
  /** Whether unknown parameters of requests are refused, as with Strapi's `api.rest.strictParams`. */
  strictParams: rules.boolean,
};

/** The settings of the plugins file. @throws StartError */
export const parseSettings = (config: Data) =>
  readSettings('strapi5', undefined, ({ read }) => ({ path: '/v5', strictParams: false, ...read(config, options) }));

export type Settings = ReturnType<typeof parseSettings>;
