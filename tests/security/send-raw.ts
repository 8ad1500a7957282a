import { request } from 'node:http';
import type { TestService } from '../../src/testing.js';
import { startProcessorTime } from '../support/processor-time.js';

export interface RawAnswer {
  readonly status: number;
  readonly text: string;
  /** Milliseconds of processor time of this process, the service included, until the whole answer was there. */
  readonly time: number;
}

interface RawRequest {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly body?: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends a request as it stands, with all rights: nothing is encoded or mended on the way. */
export function sendRaw(
  { url, token }: Pick<TestService, 'url' | 'token'>,
  path: string,
  { method = 'GET', body, headers = {} }: RawRequest = {},
): Promise<RawAnswer> {
  const processorTime = startProcessorTime();
  const { hostname, port } = new URL(url);
  const type = body === undefined ? {} : { 'Content-Type': 'application/json' };
  return new Promise((resolve, reject) => {
    const sending = request(
      { hostname, port, path, method, headers: { Authorization: `Bearer ${token}`, ...type, ...headers } },
      (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part));
        response.on('error', reject);
        response.on('end', () => {
          const text = Buffer.concat(parts).toString();
          resolve({ status: response.statusCode ?? 0, text, time: processorTime() });
        });
      },
    );
    sending.on('error', reject);
    sending.end(body);
  });
}
