#!/usr/bin/env node
/**
 * The program of the client's package: writes the types of a running service, as `npx content-service types --url`
 * does.
 */
import { parseArgs } from 'node:util';
import { fetchTypes, writeTypesTo } from './fetch-types.js';

const USAGE =
  'content-service-client types --url <url> [--token <token>] [--role <role>] [--format 5] [--path <path>] [--out <file>]';

try {
  const string = { type: 'string' } as const;
  const { values, positionals } = parseArgs({
    options: { url: string, token: string, role: string, format: string, path: string, out: string },
    allowPositionals: true,
  });
  const { url, out, token, role, format, path } = values;
  if (url === undefined || positionals.join(' ') !== 'types') throw new Error(`Usage: ${USAGE}`);
  await writeTypesTo(out, await fetchTypes(url, { client: '@content-service/client', role, token, format, path }));
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 2;
}
