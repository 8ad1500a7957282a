import { readFile } from 'node:fs/promises';
import { isRecord } from '../../../config/record.js';
import { StartError } from '../../../errors/start-error.js';
import { reasonOf } from '../../../errors/reason-of.js';

/** Parses the requests of one format: paths with their queries; undefined for text in another format. */
type Parse = (text: string) => readonly string[] | undefined;

/** A line of a list: a path or URL. */
const LINE = /^(?:GET\s+)?(https?:\/\/\S+|\/\S*)$/i;
/** A line of an access log, in the formats of nginx, Apache and most others, which quote the request. */
const LOGGED = /"(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS) (\S+)(?: HTTP\/[\d.]+)?"/;

const parsers: readonly Parse[] = [
  function har(text) {
    if (!text.trimStart().startsWith('{')) return undefined;
    const content: unknown = JSON.parse(text);
    const log = isRecord(content) ? content['log'] : undefined;
    const entries = isRecord(log) && Array.isArray(log['entries']) ? (log['entries'] as unknown[]) : [];
    return entries.flatMap((entry) => {
      const request = isRecord(entry) ? entry['request'] : undefined;
      return isRecord(request) && request['method'] === 'GET' ? [String(request['url'])] : [];
    });
  },
  function accessLog(text) {
    const requests = text.split('\n').flatMap((line) => {
      const [, method, address] = LOGGED.exec(line) ?? [];
      return method === undefined ? [] : [{ method, address: address ?? '' }];
    });
    if (requests.length === 0) return undefined;
    return requests.filter(({ method }) => method === 'GET').map(({ address }) => address);
  },
  function list(text) {
    return text.split('\n').flatMap((line) => LINE.exec(line.trim())?.[1] ?? []);
  },
];

/**
 * The GET requests of an access log, a HAR file or a list, each once, as paths with their queries.
 * @throws StartError when there are none, or the file cannot be read
 */
export async function readRequests(file: string): Promise<readonly string[]> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new StartError(`${file} cannot be read: ${reasonOf(error)}`);
  });
  for (const parse of parsers) {
    const requests = parse(text);
    if (requests === undefined) continue;
    const paths = new Set(requests.map(pathOf));
    if (paths.size > 0) return [...paths];
  }
  throw new StartError(`${file} contains no GET request; expected an access log, a HAR file, or one path per line`);
}

const pathOf = (address: string): string => {
  if (address.startsWith('/')) return address;
  const { pathname, search } = new URL(address);
  return pathname + search;
};
