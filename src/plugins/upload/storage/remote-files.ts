import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { copySettings } from '../../../config/plugins/copy-settings.js';
import { openProvider } from '../../../config/project/open-provider.js';
import { isRecord } from '../../../config/record.js';
import { AppError } from '../../../errors/app-error.js';
import { reasonOf } from '../../../errors/reason-of.js';
import { StartError } from '../../../errors/start-error.js';
import type { ProviderPackage } from './provider.js';
import { refuseWhileAway } from './s3-store.js';

/** The attributes of a file, and of each of its sizes. */
export interface FileAttributes {
  readonly name: string;
  readonly hash: string;
  readonly ext: string;
  readonly mime: string;
  /** In kilobytes. */
  readonly size: number;
}

/** The attributes that a provider returns for a stored file. */
export interface Placed {
  readonly url: string;
  readonly previewUrl?: string;
  readonly provider_metadata?: unknown;
}

/**
 * Opens a provider by Strapi v4's contract: `init(providerOptions)` returns `upload` or `uploadStream`, and `delete`.
 * @param load loads a module of the project
 * @throws StartError if it is not installed, refuses its options, or has another contract
 */
export async function openRemoteFiles(
  { name, file, options, actions }: ProviderPackage,
  { sizeLimit, load }: { readonly sizeLimit: number; readonly load: (file: string) => Promise<unknown> },
) {
  if (file === undefined) {
    const install = `install @strapi/provider-upload-${name}, strapi-provider-upload-${name} or ${name}`;
    throw new StartError(`upload: the provider "${name}" is not installed: ${install} in the project`);
  }
  const methodOf = await openProvider(`upload: the provider "${name}"`, () => load(file), options);
  const method = ['uploadStream', 'upload'].find((candidate) => methodOf(candidate) !== undefined);
  if (method === undefined || methodOf('delete') === undefined) {
    throw new StartError(`upload: the provider "${name}" must implement delete, and upload or uploadStream`);
  }
  /** As in Strapi v4, every method gets its parameters in `actionOptions`. */
  const call = async (
    action: string,
    target: object,
    parameters: unknown = copySettings(actions[action]),
  ): Promise<unknown> => {
    try {
      return await methodOf(action)?.(target, parameters);
    } catch (error) {
      return refuse(error);
    }
  };
  return {
    name,
    /** A method for code, with other parameters than those of `actionOptions`; undefined: the provider has none. */
    methodFor: (action: string) =>
      methodOf(action) === undefined
        ? undefined
        : (target: object, parameters?: unknown): Promise<unknown> =>
            call(action, target, parameters ?? copySettings(actions[action])),
    /** Whether its URLs need a signature. */
    isPrivate: (await methodOf('isPrivate')?.({})) === true,
    /**
     * Stores the file at a path of this machine: providers write where it is into its description.
     * @throws AppError payloadTooLarge
     */
    put: async (described: FileAttributes, path: string): Promise<Placed> => {
      await call('checkFileSize', { ...described }, { sizeLimit });
      const getStream = (): Readable => createReadStream(path).on('error', () => undefined);
      const stream = getStream();
      const content = method === 'upload' ? { buffer: await buffer(stream) } : { stream };
      const uploaded: Record<string, unknown> = { ...described, ...content, getStream };
      await call(method, uploaded).finally(() => stream.destroy());
      const { url, previewUrl, provider_metadata: metadata } = uploaded;
      if (typeof url !== 'string') throw new Error(`The upload provider "${name}" returned no url`);
      return {
        url,
        ...(typeof previewUrl === 'string' && { previewUrl }),
        ...(metadata !== undefined && { provider_metadata: metadata }),
      };
    },
    remove: async (stored: Placed): Promise<void> => void (await call('delete', { ...stored })),
    /** A temporary signed URL. */
    sign: async (stored: Placed): Promise<string> => {
      const signed = await call('getSignedUrl', { ...stored });
      return isRecord(signed) && typeof signed['url'] === 'string' ? signed['url'] : stored.url;
    },
  };
}

/** A provider of a package, whose files have their own URLs. */
export type RemoteFiles = Awaited<ReturnType<typeof openRemoteFiles>>;

/** The counterparts of errors of `@strapi/utils` that providers throw, by name. */
const refusals: Readonly<Record<string, (message: string) => AppError>> = {
  PayloadTooLargeError: (message) => new AppError('payloadTooLarge', message),
  ApplicationError: (message) => new AppError('application', message),
  ValidationError: (message) => new AppError('invalidValue', message),
};

/** @throws the client's error for an error of a provider */
function refuse(error: unknown): never {
  const refusal = error instanceof Error && Object.hasOwn(refusals, error.name) ? refusals[error.name] : undefined;
  if (refusal !== undefined) throw refusal(reasonOf(error));
  refuseWhileAway(error);
}
