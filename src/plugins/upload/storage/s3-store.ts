import type { Readable } from 'node:stream';
import type { S3ClientConfig } from '@aws-sdk/client-s3';
import { AppError } from '../../../errors/app-error.js';
import { StartError } from '../../../errors/start-error.js';
import { isStoredName, type FileStore } from '../../../mongo/files/file-store.js';

export interface S3Settings {
  readonly bucket: string;
  /** What the names of our files begin with in the bucket, e.g. `magazine/`. */
  readonly prefix: string;
  readonly client: S3ClientConfig;
  /** Further parameters of what is sent when a file is stored, e.g. `{ ACL: 'private' }`, and when it is removed. */
  readonly put: Readonly<Record<string, unknown>>;
  readonly remove: Readonly<Record<string, unknown>>;
  /** What the addresses of files begin with when clients read them from the bucket or a CDN; absent: the service serves them. */
  readonly address?: string;
}

/** Milliseconds without a byte after which a connection is given up. */
const SILENCE = 30_000;
const CONNECT = 5000;

/** What other S3-compatible stores understand too; a project may say otherwise. */
const defaults: S3ClientConfig = {
  requestChecksumCalculation: 'WHEN_REQUIRED',
  responseChecksumValidation: 'WHEN_REQUIRED',
  requestHandler: { connectionTimeout: CONNECT, socketTimeout: SILENCE },
};

/**
 * Files in a bucket of S3, or of what speaks its protocol. The bucket stays private: its files are served by us.
 * @throws StartError when the bucket cannot be reached
 */
export async function openS3Store({
  bucket: Bucket,
  prefix,
  client: config,
  put: putParameters,
  remove: removeParameters,
}: S3Settings): Promise<FileStore> {
  const [sdk, { Upload }] = await loadSdk();
  // The SDK notes in the credentials where they come from, and ours are frozen.
  const credentials = typeof config.credentials === 'object' && { credentials: { ...config.credentials } };
  const client = new sdk.S3Client({ ...defaults, ...config, ...credentials });
  const check = async (): Promise<void> => void (await client.send(new sdk.HeadBucketCommand({ Bucket })));
  await check().catch((error: unknown) => {
    throw new StartError(`upload: the bucket "${Bucket}" cannot be used: ${describe(error)}`);
  });
  const keyOf = (name: string) => {
    if (!isStoredName(name)) throw new Error(`"${name}" cannot be the name of a stored file`);
    return { Bucket, Key: prefix + name };
  };
  return {
    put: async (name, content) => {
      // One part at a time: a few megabytes of memory, whatever the size of the file.
      const upload = new Upload({ client, params: { ...putParameters, ...keyOf(name), Body: content }, queueSize: 1 });
      await upload.done().catch(refuseWhileAway);
    },
    get: async (name) => {
      const key = keyOf(name);
      const found = await client.send(new sdk.HeadObjectCommand(key)).catch(unlessMissing).catch(refuseWhileAway);
      if (found === undefined) return undefined;
      const { ContentLength: size = 0, LastModified: modified = new Date(0), ETag = '' } = found;
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
      const command = new sdk.DeleteObjectCommand({ ...removeParameters, ...keyOf(name) });
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
    // Parts of an upload are no file; a lifecycle rule of the bucket removes those that a crash left.
    removeUnfinished: async () => undefined,
    check,
  };
}

/** Loaded by those alone who use it: it is large. */
async function loadSdk() {
  try {
    return await Promise.all([import('@aws-sdk/client-s3'), import('@aws-sdk/lib-storage')]);
  } catch {
    throw new StartError('upload: files in S3 need the AWS SDK: npm install @aws-sdk/client-s3 @aws-sdk/lib-storage');
  }
}

function unlessMissing(error: unknown): undefined {
  if (statusOf(error) !== 404) throw error;
}

/** What connections to a store end with that is away, or what hides it. */
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

/** @throws AppError unavailable while the store is away, so that clients come again; else the error itself */
export function refuseWhileAway(error: unknown): never {
  const { code, $metadata } = error as NodeJS.ErrnoException & { readonly $metadata?: { readonly attempts?: number } };
  const status = statusOf(error);
  // The SDK counts attempts for errors of any origin, and wraps those without a code that it takes for no error.
  const isSilent = status === undefined && (code === undefined ? $metadata?.attempts !== undefined : away.has(code));
  if (isSilent || (status ?? 0) >= 500) {
    throw new AppError('unavailable', 'The file store');
  }
  throw error;
}

const statusOf = (error: unknown): number | undefined =>
  (error as { readonly $metadata?: { readonly httpStatusCode?: number } }).$metadata?.httpStatusCode;

/** Answers to HEAD have no text: their status must do. */
function describe(error: unknown): string {
  const { name, message } = error as Error;
  const status = statusOf(error);
  return status === undefined ? `${name}: ${message}` : `it answers with the status ${status}`;
}
