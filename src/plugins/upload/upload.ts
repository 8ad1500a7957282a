import path from 'node:path';
import type { Entries } from '../../documents/entries.js';
import { readableFields } from '../../query/parse-fields.js';
import type { UploadFile } from '../forms.js';
import type { PluginFactory } from '../plugin.js';
import { createAttach } from './attach.js';
import { createBodyReader } from './body-reader.js';
import { fileType, fileTypeOf } from './file.js';
import type { FileStore } from '../../mongo/file-store.js';
import { folderType } from './folder.js';
import { guardRecords } from './guard-records.js';
import { createFiles } from './files.js';
import { createImageProcess } from './image-process.js';
import { openStore } from './open-store.js';
import { createPrepareFile, SERVED_AT } from './prepare-file.js';
import { createReadForm } from './read-form.js';
import { removeStored } from './remove-stored.js';
import { createRoutes } from './routes.js';
import { serveFiles } from './serve-files.js';
import { parseSettings } from './settings.js';
import { sweepFiles } from './sweep.js';
import { createTurns } from './turns.js';
import { createUploadFile } from './upload-file.js';
import type { WriteParts } from './write-files.js';

/** Milliseconds between two looks for what failed uploads have left. */
const SWEEP = 3_600_000;
/** Milliseconds after the start until the first: processes that live shortly sweep too. */
const FIRST_SWEEP = 60_000;

interface Running extends WriteParts {
  readonly store: FileStore;
  readonly entries: Entries;
  readonly uploadFile: UploadFile;
}

/** The media library: files, the sizes of images, and the type that media fields lead to. */
export const createUpload: PluginFactory = (config) => {
  const settings = parseSettings(config);
  const images = createImageProcess(settings);
  let running: Running | undefined;
  const timers: NodeJS.Timeout[] = [];
  const parts = (): Running => {
    if (running === undefined) throw new Error('The upload plugin has not started');
    return running;
  };
  return {
    name: 'upload',
    contentTypes: [fileType, folderType],
    routes: createRoutes(parts),
    bodyReader: createBodyReader(parts),
    readForm: (message, accept, work) => parts().readForm(message, accept, work),
    uploadFile: (name, content, info) => parts().uploadFile(name, content, info),
    mounts: [{ path: SERVED_AT, handler: serveFiles(() => parts().store, settings.maxAge) }],
    hooks: { ...removeStored(parts), prepare: guardRecords(() => parts().entries) },
    graphql: async (context) => (await import('./graphql.js')).createGraphql(context, parts),
    start: async (context) => {
      const store = await openStore(settings.provider, context);
      const temporary = path.join(context.folders.data, 'uploads-temporary');
      const { entries, registry } = context;
      const prepare = createPrepareFile(settings, images.render);
      const inTurn = createTurns(context.claims);
      const files = createFiles({
        entries,
        fields: readableFields(fileTypeOf(registry).attributes, 'client').map(({ name }) => name),
        store,
        provider: settings.provider.kind,
        prepare,
        attach: createAttach(entries, inTurn),
        inTurn,
      });
      running = {
        context,
        store,
        entries,
        files,
        readForm: createReadForm(temporary, settings),
        uploadFile: createUploadFile(temporary, settings, files),
      };
      const sweep = (): void =>
        void sweepFiles({ store, entries, folder: temporary }).catch((error: unknown) =>
          context.log.error(`The sweep of uploaded files failed; the next one goes on: ${String(error)}`),
        );
      timers.push(setTimeout(sweep, FIRST_SWEEP).unref(), setInterval(sweep, SWEEP).unref());
    },
    stop: async () => {
      for (const timer of timers) clearTimeout(timer);
      images.stop();
    },
  };
};
