import { readdir } from 'node:fs/promises';
import net from 'node:net';
import path from 'node:path';
import sharp from 'sharp';
import request from 'supertest';
import type { Answer } from '../../../support/service.js';
import type { TestService } from '../../../../src/testing.js';

/** An image of one colour. */
export const picture = (width: number, height: number, format: 'png' | 'jpeg' = 'png', background = 'red') =>
  sharp({ create: { width, height, channels: 3, background } })
    .toFormat(format)
    .toBuffer();

export interface Part {
  readonly content: Buffer | string;
  readonly name: string;
  readonly type?: string;
  /** The form field; `files` when left out. */
  readonly field?: string;
}

/** Sends a form: files, and fields as JSON. */
export async function send(
  { url, token }: Pick<TestService, 'url' | 'token'>,
  method: 'post' | 'put',
  address: string,
  parts: readonly Part[],
  fields: Readonly<Record<string, unknown>> = {},
): Promise<Answer> {
  const sending = request(url)[method](address).auth(token, { type: 'bearer' });
  for (const [name, value] of Object.entries(fields)) {
    sending.field(name, typeof value === 'string' ? value : JSON.stringify(value));
  }
  for (const { content, name, type, field = 'files' } of parts) {
    const options = { filename: name, ...(type !== undefined && { contentType: type }) };
    sending.attach(field, Buffer.from(content), options);
  }
  return sending;
}

/** Uploads files; returns their records. */
export async function upload(service: TestService, ...parts: readonly Part[]): Promise<Answer['body']> {
  const { status, body } = await send(service, 'post', '/api/upload', parts);
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
  return body;
}

/** The names of the stored files. */
export const storedIn = async ({ dataFolder }: TestService): Promise<readonly string[]> =>
  (await readdir(path.join(dataFolder, 'uploads')).catch((): string[] => [])).toSorted();

/** The files that finished uploads have left in the temporary folder: none, if all is well. */
export async function leftovers(dataFolder: string): Promise<readonly string[]> {
  const folder = path.join(dataFolder, 'uploads-temporary');
  return (await readdir(folder, { recursive: true }).catch((): string[] => [])).toSorted();
}

/** Sends raw bytes; returns everything received until the connection ends. */
export function sendRaw(url: string, bytes: string | Buffer, then: (socket: net.Socket) => void): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    let answer = '';
    const socket = net.connect(Number(port), hostname, () => {
      socket.write(bytes);
      then(socket);
    });
    socket.on('data', (chunk: Buffer) => {
      answer += chunk.toString();
    });
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(answer));
  });
}

/** A token that may do just this. */
export async function tokenFor({ applyAccess }: TestService, ...permissions: readonly string[]): Promise<string> {
  const key = permissions.join('-');
  const token = { name: key, description: undefined, type: 'custom', permissions, key, expiresAt: undefined } as const;
  await applyAccess({ roles: [], tokens: [token], locales: [] });
  return key;
}
