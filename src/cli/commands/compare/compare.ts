import { readFile } from 'node:fs/promises';
import lodash from 'lodash';
import { isRecord } from '../../../config/record.js';
import { StartError } from '../../../errors/start-error.js';
import { reasonOf } from '../../../errors/reason-of.js';
import { count, counted, createOutput, type Output } from '../../io/terminal.js';
import { describeCauses, gatherCauses } from './causes.js';
import { findDifferences, readAnswer, type Answer } from './find-differences.js';
import { isRead, nameOf, type SentRequest } from './requests.js';

export interface CompareOptions {
  readonly reference: string;
  readonly ours: string;
  readonly requests: string;
  readonly token?: string;
  readonly referenceToken?: string;
  readonly json: boolean;
}

/** The number of concurrent requests, limited to protect a running Strapi. */
const CONCURRENCY = 4;
const TIMEOUT_MS = 30_000;

/** Answers count as equal if their bytes are. @throws StartError if it cannot run */
export async function compare(options: CompareOptions, output?: Output): Promise<0 | 1> {
  const { requests, token, referenceToken } = options;
  const reference = { url: addressOf(options.reference), token: referenceToken };
  const ours = { url: addressOf(options.ours), token: token ?? referenceToken };
  const { print, result } = output ?? createOutput(options.json);
  const sent = await readRequests(requests);
  const causes = gatherCauses();
  let equal = 0;
  /** Errors that both answer alike, by status: they say nothing about the data. */
  const refused = new Map<number, number>();
  // In batches, so that the report does not depend on which response arrives first.
  for (const batch of lodash.chunk(sent, CONCURRENCY)) {
    const compared = batch.map(async (request) => {
      const [expected, actual] = await Promise.all([ask(reference, request), ask(ours, request)]);
      return { request, status: expected.status, differences: findDifferences(expected, actual) };
    });
    for (const { request, status, differences } of await Promise.all(compared)) {
      if (differences.length === 0 && status >= 400) refused.set(status, (refused.get(status) ?? 0) + 1);
      else if (differences.length === 0) equal += 1;
      causes.add(nameOf(request), differences);
    }
  }
  const listed = causes.list();
  for (const line of describeCauses(listed)) print(line);
  const refusals = lodash.sum([...refused.values()]);
  const different = sent.length - equal - refusals;
  const byStatus = [...refused].map(([status, times]) => `${status}: ${count(times)}`).join(', ');
  const alike = [
    counted(equal, 'equal response'),
    ...(refusals > 0 ? [`${count(refusals)} refused by both (${byStatus})`] : []),
  ];
  print(`${counted(sent.length, 'request')}: ${alike.join(', ')}, ${count(different)} different`);
  if (refusals * 2 >= sent.length)
    print(
      'Half or more is refused by both, which compares no data: pass tokens with --reference-token and --token, or correct the requests',
    );
  result({ requests: sent.length, same: equal, refused: Object.fromEntries(refused), causes: listed });
  return different === 0 ? 0 : 1;
}

/** @throws StartError if it does not respond */
async function ask(
  { url, token }: { url: string; token: string | undefined },
  { method, path, body }: SentRequest,
): Promise<Answer> {
  try {
    const headers = {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    };
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const response = await fetch(url + path, { method, headers, body: body ?? null, signal, redirect: 'manual' });
    return await readAnswer(response);
  } catch (error) {
    throw new StartError(`${url} does not answer ${path}: ${networkReasonOf(error)}`);
  }
}

/** `fetch` says only that it failed; its cause says why. */
const networkReasonOf = (error: unknown): string => {
  const { cause } = error as { readonly cause?: unknown };
  const { code } = (cause ?? {}) as { readonly code?: unknown };
  return cause === undefined ? reasonOf(error) : reasonOf(cause) || String(code);
};

/** A URL without the slash at its end. @throws StartError if it is none */
export function addressOf(url: string): string {
  if (!URL.canParse(url)) throw new StartError(`"${url}" is not a URL`);
  return url.replace(/\/+$/, '');
}

/** Parses the requests of one format; undefined for text in another format. */
type Parse = (text: string) => readonly SentRequest[] | undefined;

/** A line of a list: a path or URL; of GraphQL with its method and body. */
const LINE = /^(?:(GET|POST)\s+)?(https?:\/\/\S+|\/\S*)(?:\s+(\{.*\}))?$/i;
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
      if (!isRecord(request)) return [];
      const { method, url, postData } = request;
      const body = isRecord(postData) ? postData['text'] : undefined;
      return [{ method: String(method), path: String(url), body: typeof body === 'string' ? body : undefined }];
    });
  },
  function accessLog(text) {
    const requests = text.split('\n').flatMap((line) => {
      const [, method, address] = LOGGED.exec(line) ?? [];
      // A log has no bodies.
      return method === undefined ? [] : [{ method, path: address ?? '' }];
    });
    return requests.length === 0 ? undefined : requests;
  },
  function list(text) {
    return text.split('\n').flatMap((line) => {
      const [, method = 'GET', path, body] = LINE.exec(line.trim()) ?? [];
      return path === undefined ? [] : [{ method: method.toUpperCase(), path, body }];
    });
  },
];

/**
 * The reads of an access log, a HAR file or a list, each once: GET requests, and GraphQL queries by POST where the file
 * has bodies. Paths have their queries.
 * @throws StartError when there are none, or the file cannot be read
 */
export async function readRequests(file: string): Promise<readonly SentRequest[]> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new StartError(`${file} cannot be read: ${reasonOf(error)}`);
  });
  for (const parse of parsers) {
    const requests = parse(text)?.filter((request) => comparable.has(request.method) && isRead(request));
    if (requests === undefined) continue;
    const sent = requests.map((request) => ({ ...request, path: pathOf(request.path) }));
    if (sent.length > 0) return lodash.uniqBy(sent, nameInFull);
  }
  throw new StartError(
    `${file} contains no GET request and no GraphQL query; expected an access log, a HAR file, or one path per line`,
  );
}

const comparable = new Set(['GET', 'POST']);

const nameInFull = ({ method, path, body = '' }: SentRequest): string => `${method} ${path} ${body}`;

const pathOf = (address: string): string => {
  if (address.startsWith('/')) return address;
  const { pathname, search } = new URL(address);
  return pathname + search;
};
