import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import path from 'node:path';
import { AppError, lookUpPublic, namesPrivateAddress } from 'content-service/plugin';
import { readBytes } from './api.js';

const TIMEOUT_MS = 20_000;
const REFUSED = 'The address is not public';

/** The address of a file. @throws AppError badRequest with the reason */
export function parseFileUrl(address: string): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) throw refuse('url must begin with http:// or https://');
  if (namesPrivateAddress(url)) throw refuse(REFUSED);
  return url;
}

/**
 * Downloads a file from a public address. Redirects are not followed, because they could lead elsewhere.
 * @param limit bytes
 * @throws AppError badRequest with the reason
 */
export async function fetchFile(url: URL, limit: number): Promise<File> {
  try {
    const response = await get(url);
    if (response.statusCode !== 200) throw refuse(`${url.host} responds with ${response.statusCode}, not with a file`);
    const name = path.posix.basename(decodeURI(url.pathname)) || 'file';
    const type = response.headers['content-type']?.split(';')[0] ?? 'application/octet-stream';
    const bytes = await readBytes(response, limit, () => refuse(`The file has more than ${limit} bytes`));
    return new File([bytes], name, { type });
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw refuse(error instanceof Error ? error.message : String(error));
  }
}

function get(url: URL): Promise<IncomingMessage> {
  const { request } = url.protocol === 'https:' ? https : http;
  return new Promise((resolve, reject) => {
    const options = { lookup: lookUpPublic(REFUSED), signal: AbortSignal.timeout(TIMEOUT_MS), agent: false } as const;
    request(url, options, resolve).on('error', reject).end();
  });
}

const refuse = (reason: string): AppError => new AppError('badRequest', reason);
