import type { Config } from '../../../../config/config.js';
import type { Database } from '../../../../mongo/connection/database.js';
import type { FileStore } from '../../../../mongo/files/file-store.js';
import { openGridFiles } from '../../../../mongo/files/grid-files.js';
import { openStore } from '../../../../plugins/upload/storage/open-store.js';
import { parseSettings } from '../../../../plugins/upload/settings.js';

/** Where the project keeps uploaded files. */
export interface Uploads {
  readonly store: FileStore;
  /** What a file's entry says about it. */
  readonly provider: string;
}

/** @throws StartError when the plugins file chooses a place that cannot be used */
export async function openUploads({ plugins, folders }: Config, { db }: Database): Promise<Uploads> {
  const { provider } = parseSettings(plugins['upload']?.config ?? {});
  return { store: await openStore(provider, { folders, gridFiles: openGridFiles(db) }), provider: provider.kind };
}
