import { isRecord, type Data } from '../../config/record.js';
import type { ContentType } from '../../content-types/model/types.js';
import { isOwnType } from '../../documents/listings.js';
import type { Review } from '../../documents/write/review.js';
import { AppError } from '../../errors/app-error.js';
import { requireId } from '../../query/parse/input.js';
import { inData } from '../contract/content-type-routes.js';
import { reviewPath } from '../contract/describe-content.js';
import { namesOfUsers } from '../contract/names-of-users.js';
import type { BuiltInContext, BuiltInFactory } from '../contract/built-in.js';
import type { Route, RouteRequest } from '../contract/plugin.js';
import { refuseAll } from '../contract/write-terms.js';
import { createStarted } from '../contract/started.js';

/**
 * Who may change an entry asks those who may publish it; they publish what was asked for, or send it back with a
 * sentence.
 */
export const createReview: BuiltInFactory = () => {
  const context = createStarted<BuiltInContext>('review');
  return {
    name: 'review',
    start: async (started) => context.set(started),
    routes: ({ contentTypes }) =>
      [...contentTypes.values()]
        .filter((type) => isOwnType(type) && type.draftAndPublish)
        .flatMap((type) => routesOf(context.get, type)),
  };
};

type Handle = (context: BuiltInContext, type: ContentType, id: number, request: RouteRequest) => Promise<unknown>;

const show: Handle = async (context, type, id, { caller }) =>
  shown(context, await context.documents.reviews.find(type, id, caller));

const ask: Handle = async (context, type, id, { caller, body }) => {
  const { note } = parse(body, { note: 'optional' });
  return shown(context, await context.documents.reviews.ask(type, id, note, caller));
};

const withdraw: Handle = async ({ documents }, type, id, { caller }) => {
  await documents.reviews.withdraw(type, id, caller);
  return null;
};

const sendBack: Handle = async (context, type, id, { caller, body }) => {
  const { tag = '', note = '' } = parse(body, { tag: 'required', note: 'required' });
  return shown(context, await context.documents.reviews.sendBack(type, id, tag, note, caller));
};

const publish: Handle = async ({ documents }, type, id, { caller, body }) => {
  const { tag = '' } = parse(body, { tag: 'required' });
  await documents.reviews.publish(type, id, tag, caller);
  return { id };
};

const note = { type: 'string', minLength: 1, maxLength: 500 } as const;
const tag = { type: 'string', description: 'Names the request, as a GET shows it' } as const;
const request = {
  type: ['object', 'null'],
  properties: {
    tag,
    state: { type: 'string', enum: ['ready', 'back'] },
    at: { type: 'string', format: 'date-time' },
    by: { type: ['string', 'null'] },
    changed: { type: 'boolean' },
    notes: { type: 'array', items: { type: 'object' } },
  },
} as const;
const done = { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } } as const;

/** Method, path below that of a request, summary, handler, answer, body and statuses of errors. */
const table: readonly (readonly [
  Route['method'],
  string,
  string,
  Handle,
  Data,
  readonly number[],
  { readonly required?: readonly string[]; readonly properties: Data }?,
])[] = [
  ['GET', '', 'Read who asks to publish the entry; null if nobody does', show, request, [400, 404]],
  ['POST', '', 'Ask to publish the entry as it is prepared', ask, request, [400, 404, 409], { properties: { note } }],
  ['DELETE', '', 'Withdraw the request to publish the entry', withdraw, { type: 'null' }, [400, 404, 409]],
  [
    'POST',
    '/return',
    'Send the entry back with what is to be changed before it is published',
    sendBack,
    request,
    [400, 404, 409, 412],
    { required: ['tag', 'note'], properties: { tag, note } },
  ],
  [
    'POST',
    '/publish',
    'Publish the state that was asked for; 412 if it has changed',
    publish,
    done,
    [400, 404, 409, 412],
    { required: ['tag'], properties: { tag } },
  ],
];

const routesOf = (context: () => BuiltInContext, type: ContentType): readonly Route[] =>
  table.map(([method, path, summary, handle, response, errors, body]) => ({
    method,
    path: `${reviewPath(type)}${path}`,
    action: `${type.uid}.update`,
    shortcut: { type, shortcutOf: ['update'], allowedWithGuards: false },
    entryOf: type,
    caching: 'never',
    ...(method !== 'GET' && { refuses: refuseAll('a request to publish is not an entry') }),
    handle: async (received) => {
      const id = requireId(received.params['id'] ?? '');
      return { body: { data: await handle(context(), type, id, received) } };
    },
    description: {
      summary,
      tag: type.displayName,
      ...(body && { body: { type: 'object', ...body } }),
      pathParameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer', minimum: 1 } }],
      response: inData(response),
      errors,
    },
  }));

/** A request as it is answered, with the names of those who spoke. */
async function shown(context: BuiltInContext, review: Review | undefined): Promise<Data | null> {
  if (review === undefined) return null;
  const { tag: name, by, ready, back, isChanged, notes } = review;
  const names = await namesOfUsers(context, [by, ...notes.map((one) => one.by)]);
  const nameOf = (id: number | undefined): unknown => names.get(id) ?? null;
  return {
    tag: name,
    state: ready === undefined ? 'back' : 'ready',
    at: ready ?? back,
    by: nameOf(by),
    changed: isChanged,
    notes: notes.map(({ by: who, at, isBack = false, text = null }) => ({ by: nameOf(who), at, back: isBack, text })),
  };
}

type Needs = Readonly<Record<string, 'required' | 'optional'>>;

/** The texts of a body. @throws AppError validation, naming each that is wrong */
function parse<N extends Needs>(body: unknown, needs: N): { readonly [name in keyof N]?: string } {
  const given = isRecord(body) ? body : {};
  const isText = (value: unknown): boolean =>
    typeof value === 'string' && value.trim() !== '' && value.length <= note.maxLength;
  const wrong = [...new Set([...Object.keys(needs), ...Object.keys(given)])].flatMap(
    (name): readonly (readonly [string, string])[] => {
      if (!Object.hasOwn(needs, name)) return [[name, 'is not known']];
      if (given[name] === undefined) return needs[name] === 'required' ? [[name, 'is required']] : [];
      return isText(given[name]) ? [] : [[name, `must be a text of 1 to ${note.maxLength} characters`]];
    },
  );
  const issues = wrong.map(([name, reason]) => ({ path: [name], message: `${name} ${reason}` }));
  if (issues.length > 0) throw new AppError('validation', issues);
  return given as { readonly [name in keyof N]?: string };
}
