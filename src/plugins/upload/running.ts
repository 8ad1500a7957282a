import type { BuiltInContext } from '../contract/built-in.js';
import { createDistributedLock } from '../contract/distributed-lock.js';
import { fileTypeOf } from './definitions.js';
import { Folders } from './folders/folders.js';
import { createReadForm } from './forms/read-form.js';
import { SERVED_AT } from './images/prepare-file.js';
import type { ImageProcess } from './images/image-process.js';
import { Files } from './media/files.js';
import type { UploadSettings } from './settings.js';
import { createLocalStorage, createRemoteStorage } from './storage/file-storage.js';
import { openStore } from './storage/open-store.js';
import { openRemoteFiles } from './storage/remote-files.js';
import { openTemporaryFolder } from './storage/temporary-folder.js';

/** What the plugin creates when it starts. */
export type Running = Awaited<ReturnType<typeof start>>;

/** @throws StartError if files cannot be stored */
export async function start(context: BuiltInContext, settings: UploadSettings, render: ImageProcess['render']) {
  const { entries, documents, registry, log } = context;
  const { provider, sizeLimit } = settings;
  const { environment, folders: paths } = context.settings;
  const dataFolder = paths.data;
  // A copy of a project need not reach the bucket of its production.
  const tolerate =
    environment === 'development' ? (problem: string) => log.warn(`${problem}; uploads fail until it can`) : undefined;
  const store = await openStore(provider, { dataFolder, gridFiles: context.storage.gridFiles, tolerate });
  const remote =
    provider.kind === 'package'
      ? await openRemoteFiles(provider, { sizeLimit, load: context.project.loadModule })
      : undefined;
  const local = createLocalStorage(store, provider.kind === 'package' ? 'local' : provider.kind);
  const storage = remote === undefined ? local : createRemoteStorage(remote, local);
  // The folder of files that are being received.
  const temporary = await openTemporaryFolder(provider.kind, dataFolder);
  const inTurn = createDistributedLock('upload', context.storage.locks);
  const address = (provider.kind === 'aws-s3' ? provider.s3.address : undefined) ?? `${SERVED_AT}/`;
  const folders = new Folders({ entries, documents, fileType: fileTypeOf(registry), inTurn });
  const fileParts = { context, settings, storage, render, address, folders, inTurn };
  return {
    context,
    settings,
    /** The prefix of the URLs of stored files. */
    address,
    store,
    storage,
    remote,
    files: new Files(fileParts, 'client'),
    filesForCode: new Files(fileParts, 'internal'),
    readForm: createReadForm(temporary, settings, context.http.bodies),
    temporary,
    folders,
  };
}
