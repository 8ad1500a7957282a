import { readFile } from 'node:fs/promises';
import { StartError } from '../../../errors/start-error.js';
import { reasonOf } from '../../../errors/reason-of.js';
import { count, createOutput, type Output } from '../../io/terminal.js';
import { findDifferences, type Answer, type Difference } from './find-differences.js';
import { isRecord } from '../../../config/record.js';

export interface CompareOptions {
  /** The address of Strapi v4. */
  readonly reference: string;
  /** The address of this service. */
  readonly ours: string;
  /** The file that lists the requests. */
  readonly requests: string;
  readonly token?: string;
  readonly referenceToken?: string;
  readonly json: boolean;
}

/** The number of concurrent requests, limited to protect a running Strapi. */
const CONCURRENCY = 4;
/** Requests of one cause that are named. */
const MAX_LISTED = 3;
/** Milliseconds to wait for an answer. */
const TIMEOUT_MS = 30_000;

/** The differences with one cause. */
interface Cause {
  times: number;
  readonly requests: Set<string>;
  readonly first: Difference;
}

/**
 * Sends the same GET requests to a running Strapi v4 and to this service, and reports every difference: `npx
 * content-service compare`. Returns the exit code: 0 all answers are equal byte by byte, 1 some differ, 2 it could not
 * run.
 */
export async function compare(options: CompareOptions, output?: Output): Promise<0 | 1 | 2> {
  try {
    const { requests, token, referenceToken } = options;
    const reference = { url: addressOf(options.reference), token: referenceToken };
    const ours = { url: addressOf(options.ours), token: token ?? referenceToken };
    const { print, result } = output ?? createOutput(options.json);
    const paths = await readRequests(requests);
    const causes = new Map<string, Cause>();
    let equal = 0;
    // In batches, so that the report does not depend on which response arrives first.
    for (let start = 0; start < paths.length; start += CONCURRENCY) {
      const batch = paths.slice(start, start + CONCURRENCY).map(async (path) => {
        const [expected, actual] = await Promise.all([ask(reference, path), ask(ours, path)]);
        return { path, differences: findDifferences(expected, actual) };
      });
      for (const { path, differences } of await Promise.all(batch)) {
        if (differences.length === 0) equal += 1;
        for (const difference of differences) note(causes, path, difference);
      }
    }
    const sorted = [...causes].toSorted(([, a], [, b]) => b.times - a.times);
    for (const line of describe(sorted)) print(line);
    print(`${count(paths.length)} requests: ${count(equal)} equal responses, ${count(paths.length - equal)} different`);
    const listed = sorted.map(([cause, { times, requests: paths, first }]) => ({
      cause,
      times,
      first,
      requests: [...paths],
    }));
    result({ requests: paths.length, same: equal, causes: listed });
    return equal === paths.length ? 0 : 1;
  } catch (error) {
    console.error(error instanceof StartError ? error.message : error);
    return 2;
  }
}

interface Server {
  readonly url: string;
  readonly token: string | undefined;
}

/** @throws StartError if it does not respond */
async function ask({ url, token }: Server, path: string): Promise<Answer> {
  try {
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const response = await fetch(url + path, { headers, signal, redirect: 'manual' });
    // As bytes: text that is not UTF-8 would look the same.
    const body = Buffer.from(await response.arrayBuffer()).toString(isText(response) ? 'utf8' : 'base64');
    return { status: response.status, type: response.headers.get('content-type') ?? '', body };
  } catch (error) {
    throw new StartError(`${url} does not answer ${path}: ${reasonOf(error)}`);
  }
}

const isText = ({ headers }: Response): boolean => /json|text/.test(headers.get('content-type') ?? '');

function note(causes: Map<string, Cause>, path: string, difference: Difference): void {
  const cause = causes.get(difference.cause) ?? { times: 0, requests: new Set(), first: difference };
  causes.set(difference.cause, cause);
  cause.times += 1;
  cause.requests.add(path);
}

/** The most frequent first, each with an example and the first requests. */
const describe = (causes: readonly (readonly [string, Cause])[]): readonly string[] =>
  causes.flatMap(([cause, { times, requests, first }]) => {
    const [paths, omitted] = [[...requests].slice(0, MAX_LISTED), requests.size - MAX_LISTED];
    return [
      `${count(times)} × ${cause}`,
      `    at ${first.at === '' ? 'the root' : first.at}: Strapi ${first.reference}, this service ${first.ours}`,
      ...paths.map((path) => `    GET ${path}`),
      ...(omitted > 0 ? [`    and ${count(omitted)} more requests`] : []),
    ];
  });

function addressOf(url: string): string {
  if (!URL.canParse(url)) throw new StartError(`"${url}" is not a URL`);
  return url.replace(/\/+$/, '');
}

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
