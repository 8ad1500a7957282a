import {
  AppError,
  isOwnType,
  namesOfUsers,
  type ContentType,
  type Data,
  type PluginContext,
  type RouteRequest,
} from 'content-service/plugin';

/** Of each kind, for each content type. */
const MOST_ROWS = 8;
/** Of what was changed last, the editor shows what is in no other list of drafts, of requests or of publications. */
const MOST_CHANGES = 4 * MOST_ROWS;
/** What was published before is no news. */
const RECENT_MS = 14 * 86_400_000;

/**
 * What waits for a user and what was done, by the uids of types: drafts of their own and of others, what they have
 * prepared, requests to publish, requests of their own that were sent back, what was published and what was changed
 * lately. Whose the drafts of others are, this does not tell.
 * @throws AppError unauthorized
 */
export async function readDesk(context: PluginContext, request: RouteRequest): Promise<Data> {
  const { registry, http } = context;
  if (request.caller.user === undefined) throw new AppError('unauthorized', 'Unauthorized');
  // Code of the project may hide entries from lists.
  const listed = [...registry.contentTypes.values()].filter((type) => http.answererOf(type, 'find') === 'core');
  const read = await Promise.all(
    listed.map(async (type) => [type.uid, await readType(context, type, request)] as const),
  );
  const ids = read.flatMap(([, { waiting, back, published }]) => [
    ...[...waiting, ...back].flatMap(({ by, notes }) => [by, notes.at(-1)?.by]),
    ...published.map(({ by }) => by),
  ]);
  const names = await namesOfUsers(context, ids);
  const nameOf = (id: number | undefined): unknown => names.get(id) ?? null;
  const shown = ({ drafts, changes, waiting, back, published }: Awaited<ReturnType<typeof readType>>): Data => ({
    ...(drafts && { drafts }),
    ...changes,
    waiting: waiting.map(({ id, tag, by, ready, isChanged, notes }) => ({
      id,
      tag,
      by: nameOf(by),
      at: ready,
      changed: isChanged,
      note: notes.at(-1)?.text ?? null,
    })),
    back: back.map(({ id, back: at, notes }) => ({
      id,
      by: nameOf(notes.at(-1)?.by),
      at,
      note: notes.at(-1)?.text ?? null,
    })),
    published: published.map(({ id, by, at, isOfCopy = false }) => ({ id, by: nameOf(by), at, changes: isOfCopy })),
  });
  const rows = read.filter(
    ([, { drafts, changes, waiting, back, published }]) =>
      (drafts ?? changes) !== undefined || waiting.length + back.length + published.length > 0,
  );
  return Object.fromEntries(rows.map(([uid, found]) => [uid, shown(found)]));
}

async function readType({ waiting: work, http }: PluginContext, type: ContentType, request: RouteRequest) {
  const { caller } = request;
  // Where code of the project writes, nobody is asked.
  const isReviewed = http.answererOf(type, 'update') === 'core';
  const since = new Date(Date.now() - RECENT_MS);
  const [drafts, changes, waiting, back, published] = await Promise.all([
    work.drafts(type, request, MOST_ROWS),
    isOwnType(type) ? work.changes(type, request, MOST_CHANGES) : undefined,
    isReviewed ? work.requests(type, 'ready', caller, MOST_ROWS) : [],
    isReviewed ? work.requests(type, 'own back', caller, MOST_ROWS) : [],
    isReviewed ? work.publications(type, caller, { since, limit: MOST_ROWS }) : [],
  ]);
  return { drafts, changes, waiting, back, published };
}
