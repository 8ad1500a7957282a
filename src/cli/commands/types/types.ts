import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describeFailure, loadProject } from '../../io/project.js';
import { describeTypes } from './describe-types.js';

/** 0 they are written, 2 the content types are broken or the file cannot be written. */
export type TypesExit = 0 | 2;

/**
 * Writes the content types of the project in this folder down as TypeScript: `npx content-service types`.
 * @param out the file; undefined: standard output
 * @param client the package of the client
 */
export async function writeTypes(out: string | undefined, client: string): Promise<TypesExit> {
  try {
    const { registry } = await loadProject();
    const text = describeTypes(registry, client);
    if (out === undefined) {
      process.stdout.write(text);
      return 0;
    }
    await mkdir(path.dirname(path.resolve(out)), { recursive: true });
    await writeFile(out, text);
    console.log(`Written: ${out}`);
    return 0;
  } catch (error) {
    console.error(describeFailure(error));
    return 2;
  }
}
