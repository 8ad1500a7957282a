import type { DatabaseConfig } from '../../config/config.js';
import { StartError } from '../../errors/start-error.js';
import { findEnginePackage } from '../../embedded-mongod/engine-package.js';
import { EmbeddedUnavailable } from '../../embedded-mongod/unavailable.js';
import { findMongod } from './find-mongod.js';

/** Where the data comes from. */
export type Source =
  | { readonly kind: 'uri'; readonly uri: string }
  | { readonly kind: 'mongod'; readonly program: string }
  | { readonly kind: 'embedded'; readonly version: string }
  | { readonly kind: 'download' };

const howToGetOne = 'set MONGODB_URI, install mongod (https://www.mongodb.com/try/download), or set DATABASE=download';

/**
 * Chooses by preference: a URI, a mongod of this machine, the embedded engine; or what DATABASE says. What was chosen
 * is not replaced by the next when it fails.
 * @throws StartError when the chosen one is not there
 */
export function chooseDatabaseSource(settings: DatabaseConfig): Source {
  const mongod = () => findMongod(settings.systemBinary, settings.searchPath);
  switch (settings.choice) {
    case 'auto': {
      if (settings.uri !== undefined) return { kind: 'uri', uri: settings.uri };
      const program = mongod();
      return program === undefined ? chooseEmbedded() : { kind: 'mongod', program };
    }
    case 'mongod': {
      const program = mongod();
      if (program !== undefined) return { kind: 'mongod', program };
      throw new StartError(
        `DATABASE is "mongod", but there is none on the PATH; set MONGOMS_SYSTEM_BINARY to its path`,
      );
    }
    case 'embedded':
      return chooseEmbedded();
    case 'download':
      return { kind: 'download' };
    default:
      return settings.choice satisfies never;
  }
}

function chooseEmbedded(): Source {
  try {
    return { kind: 'embedded', version: findEnginePackage().version };
  } catch (error) {
    if (!(error instanceof EmbeddedUnavailable)) throw error;
    throw new StartError(`No database: the embedded engine is not available: ${error.message}; ${howToGetOne}`);
  }
}
