import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { lexicographicSortSchema, printSchema, type GraphQLSchema } from 'graphql';
import { printTypes } from './print-types.js';
import type { Settings } from './settings.js';

/** Writes the schema and its types to the files that the settings name. A file that would not change is left alone. */
export async function writeArtifacts(
  schema: GraphQLSchema,
  artifacts: Settings['artifacts'],
  projectFolder: string,
): Promise<void> {
  const prints = [
    [artifacts.schema, (sorted: GraphQLSchema) => `${printSchema(sorted)}\n`],
    [artifacts.typegen, printTypes],
  ] as const;
  for (const [name, print] of prints) {
    if (name === undefined) continue;
    const file = path.resolve(projectFolder, name);
    const text = print(lexicographicSortSchema(schema));
    if ((await readFile(file, 'utf8').catch(() => undefined)) === text) continue;
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
  }
}
