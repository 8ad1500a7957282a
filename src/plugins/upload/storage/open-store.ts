import path from 'node:path';
import type { FileStore } from '../../../mongo/files/file-store.js';
import { openLocalStore } from './local-store.js';
import type { Provider } from './provider.js';
import { openS3Store } from './s3-store.js';

/** Opens the store that the settings choose. @throws StartError when it cannot be used */
export async function openStore(
  provider: Provider,
  { dataFolder, gridFiles }: { readonly dataFolder: string; readonly gridFiles: FileStore },
): Promise<FileStore> {
  switch (provider.kind) {
    case 'local':
    // Files from before a provider was chosen, or of an import.
    case 'package':
      return openLocalStore(path.join(dataFolder, 'uploads'));
    case 'gridfs':
      return gridFiles;
    case 'aws-s3':
      return openS3Store(provider.s3);
    default:
      return provider satisfies never;
  }
}
