import type { Readable } from 'node:stream';
import type { S3ClientConfig } from '@aws-sdk/client-s3';
import { requirePackages } from '../../../config/optional-package.js';
import { AppError } from '../../../errors/app-error.js';
import { StartError } from '../../../errors/start-error.js';
import { isStoredName, type FileStore } from '../../../mongo/files/file-store.js';

export interface S3Settings {
  readonly bucket: string;
  /** The prefix of file names in the bucket, e.g. `magazine/`. */
  readonly prefix: string;
  readonly client: S3ClientConfig;
  /** Additional parameters of requests that store a file, e.g. `{ ACL: 'private' }`, and remove it. */
  readonly put: Readonly<Record<string, unknown>>;
  readonly remove: Readonly<Record<string, unknown>>;
  /** The prefix of file URLs if clients read from the bucket or a CDN; absent: the service serves them. */
  readonly address?: string;
}

/** Milliseconds without data after which a connection is closed. */
const SILENCE = 30_000;
const CONNECT = 5000;

/** Settings that other S3-compatible stores support too; a project can override them. */
const defaults: S3ClientConfig = {
  requestChecksumCalculation: 'WHEN_REQUIRED',
  responseChecksumValidation: 'WHEN_REQUIRED',
  requestHandler: { connectionTimeout: CONNECT, socketTimeout: SILENCE },
};

/**
 * Files in a bucket of S3 or a compatible store. The bucket can stay private: the service serves its files.
 * @param tolerate receives the reason why the bucket cannot be used, in place of an error
 * @throws StartError if the bucket cannot be used
 */
export async function openS3Store(settings: S3Settings, tolerate?: (problem: string) => void): Promise<FileStore> {
  const { bucket: Bucket, prefix } = settings;
  const [sdk, { Upload }] = await loadSdk();
  const client = new sdk.S3Client({ ...defaults, ...withOwnCredentials(settings.client) });
  const check = async (): Promise<void> => void (await client.send(new sdk.HeadBucketCommand({ Bucket })));
  await check().catch((error: unknown) => {
    const problem = `upload: the bucket "${Bucket}" cannot be used: ${describe(error)}`;
    if (tolerate === undefined) throw new StartError(problem);
    tolerate(problem);
  });
  const objectOf = (name: string) => {
    if (!isStoredName(name)) throw new Error(`"${name}" cannot be the name of a stored file`);
    return { Bucket, Key: prefix + name };
  };
  return {
    put: async (name, content) => {
      // One part at a time: a few megabytes of memory, whatever the size of the file.
      const upload = new Upload({
        client,
        params: { ...settings.put, ...objectOf(name), Body: content },
        queueSize: 1,
      });
      await upload.done().catch(refuseWhileAway);
    },
    get: async (name) => {
      const key = objectOf(name);
      const header = await client.send(new sdk.HeadObjectCommand(key)).catch(unlessMissing).catch(refuseWhileAway);
      if (header === undefined) return undefined;
      const { ContentLength: size = 0, LastModified: modified = new Date(0), ETag = '' } = header;
      return {
        size,
        modified,
        version: ETag.replaceAll('"', ''),
        read: async (range) => {
          const Range = range && `bytes=${range.start}-${range.end}`;
          const command = new sdk.GetObjectCommand({ ...key, Range, IfMatch: ETag });
          const { Body } = await client.send(command).catch(refuseWhileAway);
          return Body as Readable;
        },
      };
    },
    remove: async (name) => {
      const command = new sdk.DeleteObjectCommand({ ...settings.remove, ...objectOf(name) });
      await client.send(command).catch(refuseWhileAway);
    },
    list: async function* () {
      for await (const { Contents } of sdk.paginateListObjectsV2({ client }, { Bucket, Prefix: prefix })) {
        for (const { Key = '', LastModified = new Date() } of Contents ?? []) {
          const name = Key.slice(prefix.length);
          if (isStoredName(name)) yield { name, modified: LastModified };
        }
      }
    },
    // Parts of an upload are not a file; a lifecycle rule of the bucket removes those left by a crash.
    removeUnfinished: async () => undefined,
    check,
  };
}

/** The SDK writes their source into the credentials, and the configuration is frozen. */
const withOwnCredentials = (config: S3ClientConfig): S3ClientConfig =>
  typeof config.credentials === 'object' ? { ...config, credentials: { ...config.credentials } } : config;

/** Loaded only if used, because it is large. */
async function loadSdk() {
  requirePackages('upload: files in S3 need the AWS SDK', '@aws-sdk/client-s3', '@aws-sdk/lib-storage');
  return Promise.all([import('@aws-sdk/client-s3'), import('@aws-sdk/lib-storage')]);
}

function unlessMissing(error: unknown): undefined {
  if (statusOf(error) !== 404) throw error;
}

/** Connection errors of an unavailable store. */
const away = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPIPE',
  'ETIMEDOUT',
]);

/** @throws AppError unavailable while the store is unavailable, so that clients retry; otherwise the error itself */
export function refuseWhileAway(error: unknown): never {
  const { code, $metadata } = error as NodeJS.ErrnoException & { readonly $metadata?: { readonly attempts?: number } };
  const status = statusOf(error);
  // The SDK counts attempts for errors of any origin, and wraps values that it does not recognise as errors.
  const isSilent = status === undefined && (code === undefined ? $metadata?.attempts !== undefined : away.has(code));
  if (isSilent || (status ?? 0) >= 500) {
    throw new AppError('unavailable', 'The file store');
  }
  throw error;
}

const statusOf = (error: unknown): number | undefined =>
  (error as { readonly $metadata?: { readonly httpStatusCode?: number } }).$metadata?.httpStatusCode;

/** Responses to HEAD have no text, so their status is used. */
function describe(error: unknown): string {
  const { name, message } = error as Error;
  const status = statusOf(error);
  return status === undefined ? `${name}: ${message}` : `it answers with the status ${status}`;
}
