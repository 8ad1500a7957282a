import { parseWords } from '../process/parse-words.js';
import { StartError } from '../errors/start-error.js';
import { reasonOf } from '../errors/reason-of.js';
import { concurrently } from '../seed/concurrently.js';
import { count, createOutput, type Output } from '../process/terminal.js';
import { findDifferences, type Answer, type Difference } from './find-differences.js';
import { readRequests } from './read-requests.js';

const usage = `npm run compare -- --reference <url> --requests <access log | HAR | list> [--ours <url>]
    --reference <url>            a running Strapi v4
    --requests <file>            whose GET requests are sent to both
    --ours <url>                 this service; default http://127.0.0.1:1337
    --reference-token <token>    sent there as Authorization: Bearer …
    --token <token>              sent here; default: the same
    --json                       print the result as JSON`;

const words = {
  reference: { type: 'string' },
  requests: { type: 'string' },
  ours: { type: 'string', default: 'http://127.0.0.1:1337' },
  'reference-token': { type: 'string' },
  token: { type: 'string' },
  json: { type: 'boolean', default: false },
} as const;

/** Requests that are under way at once: a running Strapi must not suffer. */
const AT_ONCE = 4;
/** Requests of one cause that are named. */
const SHOWN = 3;
/** Milliseconds to wait for an answer. */
const PATIENCE = 30_000;

/** What differs for one cause. */
interface Cause {
  times: number;
  readonly requests: Set<string>;
  readonly first: Difference;
}

/**
 * Sends the same GET requests to a running Strapi v4 and to this service, and tells every difference: `npm run compare`.
 * Gives the exit code: 0 all answers are equal byte by byte, 1 some differ, 2 it could not run.
 */
export async function compare(args: readonly string[], output?: Output): Promise<0 | 1 | 2> {
  try {
    const { reference, ours, requests, json } = readArguments(args);
    const { say, result } = output ?? createOutput(json);
    const paths = await readRequests(requests);
    const causes = new Map<string, Cause>();
    let equal = 0;
    await concurrently(paths, AT_ONCE, async (path) => {
      const [there, here] = await Promise.all([ask(reference, path), ask(ours, path)]);
      const differences = findDifferences(there, here);
      if (differences.length === 0) equal += 1;
      for (const difference of differences) note(causes, path, difference);
    });
    const sorted = [...causes].toSorted(([, a], [, b]) => b.times - a.times);
    for (const line of describe(sorted)) say(line);
    say(`${count(paths.length)} requests: ${count(equal)} answered the same, ${count(paths.length - equal)} not`);
    const listed = sorted.map(([cause, { times, requests: asked, first }]) => ({
      cause,
      times,
      first,
      requests: [...asked],
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

/** @throws StartError when it does not answer */
async function ask({ url, token }: Server, path: string): Promise<Answer> {
  try {
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const signal = AbortSignal.timeout(PATIENCE);
    const response = await fetch(url + path, { headers, signal, redirect: 'manual' });
    // As bytes: text that is no UTF-8 would look the same.
    const body = Buffer.from(await response.arrayBuffer()).toString(isText(response) ? 'utf8' : 'base64');
    return { status: response.status, type: response.headers.get('content-type') ?? '', body };
  } catch (error) {
    throw new StartError(`${url} does not answer ${path}: ${reasonOf(error)}`);
  }
}

const isText = ({ headers }: Response): boolean => /json|text/.test(headers.get('content-type') ?? '');

function note(causes: Map<string, Cause>, path: string, difference: Difference): void {
  const known = causes.get(difference.cause) ?? { times: 0, requests: new Set(), first: difference };
  causes.set(difference.cause, known);
  known.times += 1;
  known.requests.add(path);
}

/** The most frequent first, each with an example and the first requests. */
const describe = (causes: readonly (readonly [string, Cause])[]): readonly string[] =>
  causes.flatMap(([cause, { times, requests, first }]) => {
    const [paths, more] = [[...requests].slice(0, SHOWN), requests.size - SHOWN];
    return [
      `${count(times)} × ${cause}`,
      `    at ${first.at === '' ? 'the whole' : first.at}: ${first.reference} there, ${first.ours} here`,
      ...paths.map((path) => `    GET ${path}`),
      ...(more > 0 ? [`    and ${count(more)} more requests`] : []),
    ];
  });

function readArguments(args: readonly string[]) {
  const { values } = parseWords({ args: [...args], options: words }, usage);
  const { reference, requests, ours, token, json, 'reference-token': referenceToken } = values;
  if (reference === undefined || requests === undefined) throw new StartError(usage);
  return {
    requests,
    json,
    reference: { url: addressOf(reference), token: referenceToken },
    ours: { url: addressOf(ours), token: token ?? referenceToken },
  };
}

function addressOf(url: string): string {
  if (!URL.canParse(url)) throw new StartError(`"${url}" is no address\n${usage}`);
  return url.replace(/\/+$/, '');
}
