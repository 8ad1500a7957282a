import { createBodyReader } from './forms/body-reader.js';
import { createFolderRoutes } from './folders/routes.js';
import { createDefinitions, FILE } from './definitions.js';
import { createImageProcess } from './images/image-process.js';
import { createImageService } from './images/image-service.js';
import { SERVED_AT } from './images/prepare-file.js';
import { createKnownRoutes, createRoutes } from './routes.js';
import { serveFiles, servePrivate } from './storage/serve-files.js';
import { start, type Running } from './running.js';
import { createCodeProvider, keptIn } from './storage/code-provider.js';
import { parseSettings } from './settings.js';
import { sweepFiles } from './storage/sweep.js';
import type { BuiltInFactory } from '../contract/built-in.js';
import { createStarted } from '../contract/started.js';
import { createUploadService, uploadFile } from './forms/upload-service.js';
import { createTrashRoutes } from './trash/routes.js';
import { findDeleted, placesOf } from './storage/places.js';
import type { Data } from '../../config/record.js';
import type { DocumentHooks } from '../../documents/hooks.js';
import { AppError } from '../../errors/app-error.js';

/** Milliseconds between two searches for files of failed uploads. */
const SWEEP = 3_600_000;
/** Milliseconds from the start to the first one, so that short-lived processes sweep too. */
const FIRST_SWEEP = 60_000;

/** The media library: files, sizes of images, and the target type of media fields. */
export const createUpload: BuiltInFactory = (config, findProvider, tolerate) => {
  const settings = parseSettings(config, findProvider, tolerate);
  const { folders: hasFolders, trash } = settings;
  const images = createImageProcess(settings);
  const running = createStarted<Running>('upload');
  const parts = running.get;
  const timers: NodeJS.Timeout[] = [];
  return {
    name: 'upload',
    contentTypes: createDefinitions(trash),
    routes: (registry) => [
      // Code of a project is shown the routes that there are without content types: those of Strapi v4.
      ...(registry.contentTypes.has(FILE) ? createKnownRoutes(registry, parts) : []),
      ...(registry.contentTypes.has(FILE) && trash !== undefined ? createTrashRoutes(registry, parts) : []),
      ...createRoutes(parts),
      ...(hasFolders ? createFolderRoutes(parts) : []),
    ],
    bodyReader: createBodyReader(parts),
    readForm: (message, accept, work) => parts().readForm(message, accept, work),
    fileLimit: settings.sizeLimit,
    uploadFile: (name, content, info) => uploadFile(parts(), name, content, info),
    fileProvider: createCodeProvider(parts),
    services: {
      upload: createUploadService(parts),
      'image-manipulation': createImageService(parts, images.render),
    },
    mounts: () => [
      { path: SERVED_AT, handler: serveFiles(() => parts().store, settings.maxAge) },
      { path: SERVED_AT, handler: servePrivate(parts) },
    ],
    hooks: {
      beforeDelete: removeStored(parts),
      beforePurge: removePurged(parts),
      prepare: guardRecords(hasFolders),
    },
    graphql: async (context) => (await import('./graphql.js')).createGraphql(context, parts, hasFolders),
    start: async (context) => {
      running.set(await start(context, settings, images.render));
      const { store, folders, temporary } = parts();
      const { log, storage } = context;
      const places = placesOf(context);
      const kept = keptIn(storage.values);
      const sweep = (): void =>
        void Promise.all([
          sweepFiles({ store, places, kept, folder: temporary }),
          hasFolders && folders.repair(),
        ]).catch((error: unknown) =>
          log.error(`The cleanup of uploaded files failed; it runs again at the next interval: ${String(error)}`),
        );
      timers.push(setTimeout(sweep, FIRST_SWEEP).unref(), setInterval(sweep, SWEEP).unref());
    },
    dependencies: { 'upload store': async () => parts().store.check?.() },
    stop: async () => {
      for (const timer of timers) clearTimeout(timer);
      images.stop();
    },
  };
};

/** Where the bytes of a file are stored. Only an upload decides it. */
const stored = new Set(['hash', 'ext', 'formats', 'url', 'provider', 'provider_metadata', 'contentDigest']);

/**
 * Prevents clients from choosing the stored bytes of a record: they can write records of files in GraphQL, private
 * files of a provider are served by their record, and deleting a record deletes its bytes.
 * @param hasFolders records have no copy of the path of their folder, which moves
 * @throws AppError badRequest for a new record
 */
const guardRecords =
  (hasFolders: boolean): NonNullable<DocumentHooks['prepare']> =>
  (data, { type, action, caller }) => {
    if (type.uid !== FILE || caller.kind === 'system') return data;
    if (action === 'create') throw new AppError('badRequest', 'Files are created by uploads: use the mutation upload');
    const metadata = Object.fromEntries(Object.entries(data).filter(([name]) => !stored.has(name)));
    return hasFolders ? withoutPath(metadata) : metadata;
  };

const withoutPath = ({ folderPath: _copy, ...record }: Data): Data =>
  'folder' in record ? { ...record, folderPath: null } : record;

/** Removes the bytes of a file once its record is deleted, by any caller; those of a file in the trash stay. */
const removeStored =
  (parts: () => Running): NonNullable<DocumentHooks['beforeDelete']> =>
  async ({ type, id }) => {
    if (type.uid !== FILE || type.trash !== undefined) return undefined;
    const { context, storage } = parts();
    const file = await context.entries.findFirst(FILE, { filters: { id } });
    return file && (() => storage.remove(file));
  };

/** Removes the bytes of files that are removed from the trash. After a crash, the sweep does. */
const removePurged =
  (parts: () => Running): NonNullable<DocumentHooks['beforePurge']> =>
  async ({ type, ids }) => {
    if (type.uid !== FILE) return undefined;
    const { context, storage } = parts();
    const files = await findDeleted(context, { id: { $in: ids } });
    return async (removed) => {
      for (const file of files) if (removed.has(file.id)) await storage.remove(file);
    };
  };
