import type { Db, MongoClient } from 'mongodb';

export interface Asked {
  readonly client: MongoClient;
  /** An empty database of its own. */
  readonly db: Db;
  readonly isReplicated: boolean;
}

export interface Probe {
  readonly name: string;
  /** The part of the service that uses it. */
  readonly use: Use;
  /**
   * Uses it. Returns what is worth knowing.
   * @throws whatever the database reports, or an error that says how it differs from MongoDB
   */
  ask(asked: Asked): Promise<string | void>;
}

/** The parts of the service, and what does not work without the features that they use. */
export const uses = {
  start: { isNeeded: true, title: 'every start', consequence: 'the service refuses to start, or loses writes' },
  reads: { isNeeded: true, title: 'reads', consequence: 'lists, filters and populated relations fail with 500' },
  writes: { isNeeded: true, title: 'writes', consequence: 'creating, changing and deleting entries fails with 500' },
  rules: {
    isNeeded: true,
    title: 'unique values',
    consequence: 'duplicates are stored, or the service does not start',
  },
  order: { isNeeded: true, title: 'the order of lists', consequence: 'lists have another order than in Strapi v4' },
  coordination: {
    isNeeded: true,
    title: 'locks, counters and the event log',
    consequence: 'several processes cannot share the database; ids and events fail',
  },
  dialects: {
    isNeeded: false,
    title: 'the rules of PostgreSQL and MySQL',
    consequence: 'set STRAPI_DATABASE=sqlite',
  },
  groups: { isNeeded: false, title: 'aggregation', consequence: 'requests for groups of entries fail with 500' },
  files: { isNeeded: false, title: 'the upload provider gridfs', consequence: 'use the provider local or aws-s3' },
  maintenance: { isNeeded: false, title: 'migrate and check-data', consequence: 'some migrations fail' },
  speed: { isNeeded: false, title: 'speed', consequence: 'the service works, but some requests take longer' },
  operation: { isNeeded: false, title: 'operation', consequence: 'the service works, but each of these has a price' },
} as const satisfies Record<
  string,
  { readonly isNeeded: boolean; readonly title: string; readonly consequence: string }
>;

export type Use = keyof typeof uses;
