import fs from 'node:fs';
import path from 'node:path';
import { inDataFolder } from '../../config/explain-folder-error.js';
import { StartError } from '../../errors/start-error.js';

/** The engine that writes the files of a data folder. Only the same version is guaranteed to read them. */
export interface EngineVersion {
  readonly engine: 'embedded' | 'mongod';
  /** For mongod the release series, e.g. `8.0`. */
  readonly version: string;
}

/**
 * Creates the folder `database` in the data folder and records the engine of its files. Returns its path.
 * @throws StartError if it cannot be used, or contains files of another engine or version
 */
export function claimDataFolder(dataFolder: string, { engine, version }: EngineVersion): string {
  const folder = path.join(dataFolder, 'database');
  const marker = path.join(dataFolder, 'database.json');
  inDataFolder(dataFolder, () => {
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
    // Without write permission an engine would report that another one is running.
    fs.accessSync(folder, fs.constants.W_OK);
  });
  const written = readMarker(marker);
  if (written === undefined) {
    if (fs.readdirSync(folder).length > 0) {
      throw new StartError(
        `${folder} contains files, but ${marker} does not say which database wrote them; move them away`,
      );
    }
    inDataFolder(dataFolder, () => fs.writeFileSync(marker, `${JSON.stringify({ engine, version })}\n`));
  } else if (written.engine !== engine || written.version !== version) {
    throw new StartError(
      `${folder} was written by ${written.engine} ${written.version}, not by ${engine} ${version}, which may not read it; ` +
        `use ${written.engine} ${written.version}, or set DATA_FOLDER to another folder`,
    );
  }
  return folder;
}

function readMarker(file: string): Partial<EngineVersion> | undefined {
  if (!fs.existsSync(file)) return undefined;
  try {
    const marker: Partial<EngineVersion> = JSON.parse(fs.readFileSync(file, 'utf8'));
    return marker;
  } catch {
    throw new StartError(`${file} is damaged; it should contain {"engine":"embedded" or "mongod","version":"…"}`);
  }
}
