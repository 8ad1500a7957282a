import { readFile } from 'node:fs/promises';
import { StartError } from '../../src/errors/start-error.js';
import { reasonOf } from '../../src/errors/reason-of.js';

/** The set-up of a server under test: the corpus's `world.json`. Each part is optional. */
export interface World {
  /** The environment that the server runs in, and its variables: of a project with code. */
  readonly nodeEnv?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** DocumentIds and numbers of rows differ from run to run: answers have labels in their place. */
  readonly labels?: boolean;
  /** In the order of their ids; one is the default. */
  readonly locales: readonly WorldLocale[];
  readonly rest: {
    readonly defaultLimit?: number;
    readonly maxLimit?: number;
    readonly withCount?: boolean;
    readonly entryMeta?: boolean;
  };
  readonly graphql: { readonly endpoint: string } & Readonly<Record<string, unknown>>;
  readonly usersPermissions: {
    readonly jwtSecret?: string;
    readonly rateLimit?: unknown;
    readonly roles?: Readonly<Record<string, WorldRole>>;
  };
  /** API tokens by name, with their keys in clear. */
  readonly tokens: Readonly<Record<string, WorldToken>>;
  /** By the type of a role: the actions that it may do, and no others. */
  readonly permissions: Readonly<Record<string, readonly string[]>>;
  /** The log-ins that exist after the seed. */
  readonly users: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

export interface WorldLocale {
  readonly code: string;
  readonly name: string;
  readonly isDefault: boolean;
}

export interface WorldRole {
  readonly id: number;
  readonly type: string;
  readonly name: string;
  readonly default?: boolean;
}

export interface WorldToken {
  readonly type: 'full-access' | 'read-only' | 'custom';
  readonly accessKey: string;
  readonly permissions?: readonly string[];
  readonly expiresAt?: string;
}

const empty: World = {
  locales: [],
  rest: {},
  graphql: { endpoint: '/graphql' },
  usersPermissions: {},
  tokens: {},
  permissions: {},
  users: {},
};

/** Reads a `world.json`. @throws StartError when it cannot be read */
export async function readWorld(file: string): Promise<World> {
  try {
    const content: Partial<World> = JSON.parse(await readFile(file, 'utf8'));
    return { ...empty, ...content, graphql: { ...empty.graphql, ...content.graphql } };
  } catch (error) {
    throw new StartError(`${file} cannot be read: ${reasonOf(error)}`);
  }
}
