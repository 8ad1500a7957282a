import type { Config } from '../../../../config/config.js';
import { createFindProvider } from '../../../../config/project/find-provider.js';
import type { Database } from '../../../../mongo/connection/database.js';
import type { FileStore } from '../../../../mongo/files/file-store.js';
import { openGridFiles } from '../../../../mongo/files/grid-files.js';
import { openStore } from '../../../../plugins/upload/storage/open-store.js';
import { parseSettings } from '../../../../plugins/upload/settings.js';

export interface Uploads {
  readonly store: FileStore;
  /** The data of a file's entry. */
  readonly provider: string;
  /** The provider of a package, whose files stay where they are. */
  readonly remote?: string;
  /** The prefix of file URLs; default: that of the service. */
  readonly address?: string | undefined;
}

/** @throws StartError when the plugins file chooses a place that cannot be used */
export async function openUploads({ plugins, folders }: Config, { db }: Database): Promise<Uploads> {
  const find = createFindProvider(folders);
  const { provider } = parseSettings(plugins['upload']?.config ?? {}, find);
  const store = await openStore(provider, { dataFolder: folders.data, gridFiles: openGridFiles(db) });
  // Files of other providers are served by this service.
  if (provider.kind === 'package') return { store, provider: 'local', remote: provider.name };
  return { store, provider: provider.kind, address: provider.kind === 'aws-s3' ? provider.s3.address : undefined };
}
