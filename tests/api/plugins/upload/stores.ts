import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll } from '@jest/globals';
import S3rver from 's3rver';
import type { TestServiceOptions } from '../../../../src/testing.js';

/** An S3-compatible server, and the settings that keep files there. */
interface S3Server {
  readonly config: { readonly provider: string; readonly providerOptions: Readonly<Record<string, unknown>> };
  readonly endpoint: string;
  /** Makes it stop answering. */
  pause(): Promise<void>;
  /** Starts it again, with the same files, at the same address. */
  resume(): Promise<void>;
  stop(): Promise<void>;
}

/** Has the bucket `media`. */
export async function startS3(): Promise<S3Server> {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'content-service-s3-'));
  const configureBuckets = [{ name: 'media' }];
  const open = (port: number): S3rver =>
    new S3rver({ address: '127.0.0.1', port, silent: true, directory, configureBuckets });
  let server = open(0);
  const { port } = await server.run();
  const endpoint = `http://127.0.0.1:${port}`;
  return {
    endpoint,
    config: {
      provider: 'aws-s3',
      providerOptions: {
        rootPath: 'magazine',
        s3Options: {
          endpoint,
          region: 'us-east-1',
          forcePathStyle: true,
          credentials: { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' },
          params: { Bucket: 'media' },
        },
      },
    },
    pause: () => server.close(),
    resume: async () => {
      server = open(port);
      await server.run();
    },
    stop: async () => {
      await server.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** Where a service may keep its files. */
export const stores = ['local', 'gridfs', 'aws-s3'] as const;

/** The options of a service that keeps its files there; what that needs runs for the tests of the block. */
export function useStore(store: (typeof stores)[number]): TestServiceOptions {
  let server: S3Server | undefined;
  beforeAll(async () => {
    if (store === 'aws-s3') server = await startS3();
  });
  afterAll(async () => server?.stop());
  return {
    get plugins() {
      return { upload: { config: server?.config ?? { provider: store } } };
    },
  };
}
