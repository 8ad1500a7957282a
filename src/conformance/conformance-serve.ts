import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { StartError } from '../errors/start-error.js';
import { serveWorld, type Environment } from './serve-world.js';
import { readWorld } from './world.js';

const words = {
  world: { type: 'string' },
  'content-types': { type: 'string' },
  port: { type: 'string' },
  data: { type: 'string' },
  database: { type: 'string' },
} as const;

const usage = `conformance:serve -- --world <world.json> --content-types <folder> --port <number>
    [--data <folder>]      keep the data in this folder, and go on with it at the next start
    [--database <name>]    use this database of MONGODB_URI; one that begins with "test_" is emptied first`;

/** What to serve, and where its data is. */
interface Wanted {
  readonly world: string;
  readonly contentTypes: string;
  readonly port: number;
  readonly place: Place;
}

type Place =
  | { readonly kind: 'folder'; readonly folder: string }
  | { readonly kind: 'database'; readonly name: string }
  /** Gone when the server stops. */
  | { readonly kind: 'temporary' };

/**
 * Serves a world until `stopped`: `npm run conformance:serve`.
 * @returns the exit code: 0 when it was stopped, 2 when it could not start
 */
export async function conformanceServe(
  args: readonly string[],
  environment: Environment,
  stopped: Promise<unknown>,
): Promise<0 | 2> {
  const temporary = await mkdtemp(path.join(os.tmpdir(), 'conformance-'));
  try {
    const { world, contentTypes, port, place } = parse(args, environment);
    const dataFolder = place.kind === 'folder' ? path.resolve(place.folder) : temporary;
    const server = await serveWorld({
      world: await readWorld(world),
      contentTypes,
      dataFolder,
      port,
      environment: { ...environment, ...variables[place.kind](place) },
      prepare: async ({ db }) => {
        if (place.kind === 'database' && place.name.startsWith('test_')) await db.dropDatabase();
      },
    });
    console.log(`ready ${server.url}`);
    await stopped;
    await server.close();
    return 0;
  } catch (error) {
    console.error(error instanceof StartError ? error.message : error);
    return 2;
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}
