import type { DatabaseConfig } from '../../config/config.js';
import { StartError } from '../../errors/start-error.js';
import { EmbeddedUnavailable, findEnginePackage } from '../../embedded-mongod/engine-package.js';
import { findMongod } from './find-mongod.js';

export type Source =
  | { readonly kind: 'uri'; readonly uri: string }
  | { readonly kind: 'mongod'; readonly program: string }
  | { readonly kind: 'embedded'; readonly version: string }
  | { readonly kind: 'download' };

const howToGetOne = 'set MONGODB_URI, install mongod (https://www.mongodb.com/try/download), or set DATABASE=download';

/**
 * Selects in order of preference: a URI, a local mongod, the embedded engine; or the engine in DATABASE. The selected one
 * is not replaced by the next if it fails.
 * @throws StartError if the selected one does not exist
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
