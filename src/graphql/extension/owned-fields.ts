import type { GraphqlExtension, ResolverConfig, ResolversConfig } from './extension.js';

/** The fields with code of the project, by their paths: `Query.articles`. */
export interface OwnedFields {
  readonly configs: ReadonlyMap<string, ResolverConfig>;
  readonly resolved: ReadonlySet<string>;
  /** Whether a field is configured or resolved: it is authorized around the resolver, before policies and middlewares. */
  readonly isOwned: (path: string) => boolean;
}

export function ownedFields(extensions: readonly GraphqlExtension[]): OwnedFields {
  const configs = new Map(extensions.flatMap(({ resolversConfig = {} }) => byPath(resolversConfig)));
  const resolved = new Set(extensions.flatMap(({ resolvers = {} }) => pathsOf(resolvers)));
  return { configs, resolved, isOwned: (path) => configs.has(path) || resolved.has(path) };
}

export const pathsOf = (resolvers: Readonly<Record<string, object>>): readonly string[] =>
  Object.entries(resolvers).flatMap(([type, fields]) => Object.keys(fields).map((field) => `${type}.${field}`));

/** `{ 'Query.articles': … }` and `{ Query: { articles: … } }` are the same. */
const byPath = (configs: ResolversConfig): readonly (readonly [string, ResolverConfig])[] =>
  Object.entries(configs).flatMap(([name, config]) =>
    name.includes('.')
      ? [[name, config as ResolverConfig] as const]
      : Object.entries(config as Readonly<Record<string, ResolverConfig>>).map(
          ([field, own]) => [`${name}.${field}`, own] as const,
        ),
  );
