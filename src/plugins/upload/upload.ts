import path from 'node:path';
import type { Entries } from '../../documents/entries.js';
import type { PluginFactory } from '../plugin.js';
import { createAttach } from './attach.js';
import { createBodyReader } from './body-reader.js';
import { fileType } from './file.js';
import type { FileStore } from './file-store.js';
import { createFiles } from './files.js';
import { createImages } from './images.js';
import { openLocalStore } from './local-store.js';
import { createPrepareFile, SERVED_AT } from './prepare-file.js';
import { createReadForm } from './read-form.js';
import { removeStored } from './remove-stored.js';
import { createRoutes } from './routes.js';
import { serveFiles } from './serve-files.js';
import { parseSettings } from './settings.js';
import { sweepFiles } from './sweep.js';
import type { WriteParts } from './write-files.js';

/** Milliseconds between two looks for what failed uploads have left. */
const SWEEP = 600_000;

interface Running extends WriteParts {
  readonly store: FileStore;
  readonly entries: Entries;
}

/** The media library: files, the sizes of images, and the type that media fields lead to. */
export const createUpload: PluginFactory = (config) => {
  const settings = parseSettings(config);
  let running: Running | undefined;
  let sweeping: NodeJS.Timeout | undefined;
  const parts = (): Running => {
    if (running === undefined) throw new Error('The upload plugin has not started');
    return running;
  };
  return {
    name: 'upload',
    contentTypes: [fileType],
    routes: createRoutes(parts),
    bodyReader: createBodyReader(parts),
    readForm: (message, accept, work) => parts().readForm(message, accept, work),
    mounts: [{ path: SERVED_AT, handler: serveFiles(() => parts().store, settings.maxAge) }],
    hooks: removeStored(parts),
    start: async (context) => {
      const store = openLocalStore(path.join(context.folders.data, 'uploads'));
      const temporary = path.join(context.folders.data, 'uploads-temporary');
      const { entries } = context;
      const prepare = createPrepareFile(settings, createImages(settings));
      const files = createFiles({ entries, store, prepare, attach: createAttach(entries) });
      running = { context, store, entries, files, readForm: createReadForm(temporary, settings) };
      sweeping = setInterval(() => {
        sweepFiles({ store, entries, folder: temporary }).catch((error: unknown) =>
          context.log.error(`The sweep of uploaded files failed; the next one goes on: ${String(error)}`),
        );
      }, SWEEP).unref();
    },
    stop: async () => {
      clearInterval(sweeping);
    },
  };
};
