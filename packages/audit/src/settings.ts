import { readSettings, rules, type Data } from 'content-service/plugin';

const options = {
  /** Days for which records are kept. Default: for ever. */
  days: rules.positive,
  /** A secret of the hashes: without it, whoever can write to the database could compute them anew. */
  key: {
    expected: 'a string of 32 characters or more',
    test: (value: unknown): value is string => typeof value === 'string' && value.length >= 32,
  },
};

/** The settings of the plugins file. @throws StartError */
export const parseSettings = (config: Data): { readonly days?: number; readonly key?: string } =>
  readSettings('audit', undefined, ({ read }) => read(config, options));
