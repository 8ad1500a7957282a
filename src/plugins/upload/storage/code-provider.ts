import { Readable } from 'node:stream';
import { AppError } from '../../../errors/app-error.js';
import type { Values } from '../../../mongo/values.js';
import { readableSize } from '../forms/readable-size.js';
import type { Running } from '../running.js';
import { storedName } from './file-storage.js';

/** A file that code stores: providers write where it is into it. */
interface CodeFile {
  readonly name?: string;
  readonly hash: string;
  readonly ext: string;
  /** In kilobytes. */
  readonly size?: number;
  readonly buffer?: Uint8Array;
  readonly stream?: Readable;
  url?: string;
}

/** The name of the values that keep stored files which code has without a record, by their names. */
const KEPT = 'upload_kept_file';

/** Which of these stored files code keeps, whether they have a record or not. */
export const keptIn =
  (values: Values) =>
  (names: readonly string[]): Promise<ReadonlySet<string>> =>
    values.tagsOf(KEPT, names);

type Method = (file: CodeFile, options?: unknown) => Promise<unknown>;

/**
 * `strapi.plugin('upload').provider` for project code: the bytes of files, without records. Files in a store of the
 * service stay until code deletes them.
 */
export function createCodeProvider(parts: () => Running) {
  const remoteMethod = (action: string): Method | undefined => parts().remote?.methodFor(action);
  const put: Method = async (file) => {
    const { address, store, context } = parts();
    const content = file.buffer === undefined ? file.stream : Readable.from([file.buffer]);
    if (content === undefined) throw new Error('A file needs a buffer or a stream');
    const name = storedName(file);
    // Before the bytes, which are swept otherwise.
    await context.storage.values.set(KEPT, '', name, true);
    await store.put(name, content);
    file.url = address + name;
  };
  const remove: Method = async (file) => {
    const { store, context } = parts();
    const name = storedName(file);
    await store.remove(name);
    await context.storage.values.delete(KEPT, '', name);
  };
  const checkSize: Method = async ({ name, size = 0 }, options) => {
    const { sizeLimit = parts().settings.sizeLimit } = (options ?? {}) as { readonly sizeLimit?: number };
    if (size * 1000 > sizeLimit)
      throw new AppError('payloadTooLarge', `${name} exceeds size limit of ${readableSize(sizeLimit)}.`);
  };
  /** The methods of the service, in place of which a package has its own. */
  const methods: Readonly<Record<string, Method>> = {
    upload: put,
    uploadStream: put,
    delete: remove,
    checkFileSize: checkSize,
    getSignedUrl: async (file) => file,
  };
  const provider = {
    isPrivate: async (): Promise<boolean> => parts().remote?.isPrivate ?? false,
    extend: (members: object): void => void Object.assign(provider, members),
  };
  for (const [name, own] of Object.entries(methods))
    Object.defineProperty(provider, name, {
      configurable: true,
      enumerable: true,
      // Which methods a package has is known once it is opened.
      get: () => remoteMethod(name) ?? (ofBytes.has(name) && parts().remote !== undefined ? undefined : own),
      set: (value: unknown) => {
        Object.defineProperty(provider, name, { value, writable: true, enumerable: true, configurable: true });
      },
    });
  return provider;
}

/** Those that a package lacks do not exist: its store is another one. */
const ofBytes: ReadonlySet<string> = new Set(['upload', 'uploadStream', 'delete']);
