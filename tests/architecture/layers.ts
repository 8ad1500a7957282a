/** Files directly in `src`. */
export const ROOT = 'root';

/** From the top down: imports lead to lower rows only. In a row with brackets, modules do not import each other. */
export const rows = [
  // The programs: the commands of the shell, and the service.
  'cli main',
  // The package's own entry points: index, testing.
  ROOT,
  'server',
  'app',
  'strapi',
  '(rest graphql plugins)',
  // What a client asks of the service, whichever door it came through, and the promises that each door keeps.
  'calls',
  // The contract between plugins, GraphQL and REST; a part of `plugins`.
  'contract',
  'documents',
  'mongo',
  'query',
  'content-types',
  'config',
  'errors',
];

/** The position of a module from the top; -1 if it has none. */
export const rowOf = (module: string): number =>
  rows.findIndex((row) => row.replaceAll(/[()]/g, '').split(' ').includes(module));
