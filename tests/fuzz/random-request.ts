import { choicesOf, type Choices } from './choices.js';

/** A request as it goes over the wire. */
export interface FuzzRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

const methods = ['GET', 'GET', 'GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS'];
const ids = [
  '1',
  '2',
  '3',
  '0',
  '-1',
  '1.5',
  '99999999999999999999',
  '%00',
  '%ff',
  '{"$gt":0}',
  'me',
  'null',
  '..%2f',
  'x'.repeat(300),
];
const names = [
  'title',
  'name',
  'author',
  'tags',
  'blocks',
  'seo',
  'locale',
  'id',
  'createdBy',
  'internalNote',
  'password',
  '_id',
  '$where',
  '$or',
  '$and',
  '$not',
  '__proto__',
  'constructor',
  'toString',
  'a.b',
  '',
  '0',
  '__component',
  'publishedAt',
];
const operators = [
  '$eq',
  '$ne',
  '$in',
  '$notIn',
  '$contains',
  '$startsWithi',
  '$null',
  '$between',
  '$gt',
  '$lte',
  '$regex',
  '$expr',
  '$not',
  '$or',
];
const texts = [
  'x',
  '',
  '0',
  '-1',
  'true',
  'null',
  '1e400',
  '2023-13-45',
  '$$ROOT',
  '%',
  '.*',
  '(a+)+$',
  '\u0000',
  '\ud800',
  '😀',
  '[',
  '{"$ne":1}',
  'asc',
  'name:desc',
  '*',
  '9'.repeat(40),
  'y'.repeat(3000),
];
const parameters = [
  'filters',
  'sort',
  'fields',
  'populate',
  'pagination',
  'publicationState',
  'locale',
  '_q',
  'where',
  'id',
  'status',
];
const pages = ['page', 'pageSize', 'start', 'limit', 'withCount'];
const types = [
  'application/json',
  'application/json',
  'application/json',
  'application/x-www-form-urlencoded',
  'text/plain',
  'multipart/form-data; boundary=x',
  'application/graphql',
  '',
];

/** One request, the same for the same number: to any of these routes, right in much and wrong in something. */
export function randomRequest(
  seed: number,
  routes: readonly string[],
  collections: readonly string[],
  token: string,
): FuzzRequest {
  const choices = choicesOf(seed);
  const { pick, chance } = choices;
  const route = pick(routes).replaceAll(/:(\w+)/g, (_, name: string) =>
    name === 'name' ? encodeURIComponent(pick(collections)) : pick(ids),
  );
  const path = chance(0.05) ? scramble(route, choices) : route;
  const method = pick(methods);
  const type = pick(types);
  const hasBody = !['GET', 'HEAD', 'OPTIONS'].includes(method) || chance(0.05);
  const body = hasBody ? bodyOf(choices, type, path) : undefined;
  return {
    method,
    path: encodeURI(path).replaceAll('%25', '%') + (chance(0.7) ? queryOf(choices) : ''),
    headers: {
      ...(body !== undefined && { 'Content-Length': String(Buffer.byteLength(body)) }),
      ...(chance(0.85) ? { Authorization: `Bearer ${chance(0.95) ? token : encode(pick(texts))}` } : {}),
      ...(hasBody && type !== '' ? { 'Content-Type': type } : {}),
      ...(chance(0.1) ? { 'X-Request-Id': encode(pick(texts)), Origin: 'http://evil.test', 'If-None-Match': '*' } : {}),
      ...(chance(0.05)
        ? { Range: 'bytes=0-', 'Accept-Encoding': 'gzip', 'Content-Encoding': pick(['gzip', 'identity', 'x']) }
        : {}),
    },
    body,
  };
}

function queryOf({ pick, times, chance }: Choices): string {
  const brackets = (name: string): string => {
    if (name === 'pagination') return `[${pick(pages)}]`;
    return times(5, () => `[${pick(chance(0.5) ? names : operators)}]`).join('');
  };
  const parts = times(5, () => {
    const name = pick(parameters);
    return `${name}${brackets(name)}=${encode(pick(texts))}`;
  });
  return `?${parts.join(chance(0.95) ? '&' : '&&=&[')}`;
}

/** Half of a pair of surrogates has no encoding. */
const encode = (text: string): string => encodeURIComponent(Buffer.from(text).toString());

function bodyOf(choices: Choices, type: string, path: string): string {
  const { pick, chance } = choices;
  if (path.startsWith('/graphql')) {
    const query = chance(0.5) ? graphqlOf(choices) : pick(texts);
    return scrambleSome(JSON.stringify({ query, variables: valueOf(choices, 2) }), choices);
  }
  if (type.startsWith('multipart')) {
    const name = pick(['files', 'files.cover', 'data', 'fileInfo', '', 'a[4294967294]', '__proto__']);
    const part = `--x\r\nContent-Disposition: form-data; name="${name}"${chance(0.5) ? '; filename="a.png"' : ''}\r\n\r\n${pick(texts)}\r\n`;
    return `${part}${part}${chance(0.8) ? '--x--\r\n' : ''}`;
  }
  if (type.includes('urlencoded')) return `data[${pick(names)}]=${encode(pick(texts))}&${pick(names)}=1`;
  const wrapped = chance(0.9) ? { data: objectOf(choices, 3) } : objectOf(choices, 3);
  const auth = {
    identifier: valueOf(choices, 1),
    password: valueOf(choices, 1),
    email: valueOf(choices, 1),
    code: valueOf(choices, 1),
  };
  return scrambleSome(JSON.stringify(path.includes('/auth') ? auth : wrapped), choices);
}

function graphqlOf({ pick, times }: Choices): string {
  const field = pick([
    'articles',
    'tags',
    'authors',
    'article',
    'createTag',
    'deleteTag',
    'me',
    '__schema',
    'login',
    'nothing',
  ]);
  const argument = pick([
    '',
    '(id: 1)',
    '(id: "x")',
    '(filters: { title: { eq: "x" } })',
    '(sort: "$where")',
    '(pagination: { limit: -1 })',
    '(data: { name: 1 })',
  ]);
  const inner = times(3, () =>
    pick(['data { id }', 'meta { pagination { total } }', '__typename', 'data { attributes { name } }']),
  ).join(' ');
  return `${pick(['query', 'mutation', ''])} { ${field}${argument} { ${inner} } }`;
}

function objectOf(choices: Choices, depth: number): Record<string, unknown> {
  const { pick, times } = choices;
  return Object.fromEntries(times(4, () => [pick(names), valueOf(choices, depth - 1)] as const));
}

function valueOf(choices: Choices, depth: number): unknown {
  const { pick, chance, times } = choices;
  if (depth > 0 && chance(0.3)) return objectOf(choices, depth);
  if (depth > 0 && chance(0.2)) return times(4, () => valueOf(choices, depth - 1));
  if (depth > 0 && chance(0.1)) return { [pick(['connect', 'disconnect', 'set'])]: valueOf(choices, depth - 1) };
  return pick([null, true, 0, -1, 1, 1.5, 1e300, [], {}, ...texts]);
}

const scrambleSome = (text: string, choices: Choices): string => (choices.chance(0.1) ? scramble(text, choices) : text);

/** Takes a piece out, or puts one in twice. */
function scramble(text: string, { below }: Choices): string {
  const [start, length] = [below(text.length), below(20)];
  return below(2) === 0
    ? text.slice(0, start) + text.slice(start + length)
    : text.slice(0, start + length) + text.slice(start);
}
