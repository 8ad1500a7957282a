import {
  AppError,
  isOwnType,
  isRecord,
  namesOfUsers,
  requireId,
  type Caller,
  type ContentType,
  type Data,
  type PluginContext,
  type RouteRequest,
} from 'content-service/plugin';

type Asked = Pick<RouteRequest, 'caller' | 'params' | 'body'>;

/**
 * Whether a user can say that they have an entry of the type open. That shows an entry as reading it does, so it is not
 * there where code of the project answers that.
 */
export const hasPresence = ({ http }: PluginContext, type: ContentType, caller: Caller): boolean =>
  caller.user !== undefined && mayRead(type, caller) && http.answererOf(type, 'findOne') === 'core';

const actionOf = ({ uid, kind }: ContentType): string => `${uid}.${kind === 'singleType' ? 'find' : 'findOne'}`;

const mayRead = (type: ContentType, caller: Caller): boolean => isOwnType(type) && caller.may(actionOf(type));

/**
 * Says that a user has an entry open, and returns who else has, and who has saved it since.
 * @throws AppError unauthorized, notFound, forbidden, validation
 */
export async function announcePresence(context: PluginContext, { caller, params, body }: Asked): Promise<Data> {
  const { registry, entries, storage } = context;
  const { uid = '', id: text = '' } = params;
  const user = requireUser(caller);
  const type = registry.contentTypes.get(uid);
  if (type === undefined || !isOwnType(type)) throw new AppError('notFound');
  if (!mayRead(type, caller)) throw new AppError('forbidden');
  const id = requireId(text);
  const { session, unsaved, seen } = parseAnnouncement(body);
  const time = type.attributes.get('updatedAt');
  const showsTime = time !== undefined && caller.withheld?.(actionOf(type))?.has(time) !== true;
  const query = { fields: [showsTime ? 'updatedAt' : 'id'], ...(type.copies && { status: 'draft' }) };
  const { updatedAt } = await entries.as(caller).findOne(uid, id, query);
  const subject = `${uid}:${id}`;
  await storage.presence.announce({ user, session, subject, isChanging: unsaved });
  const others = await storage.presence.at({ user, session, subject });
  const isSaved = seen !== undefined && updatedAt !== undefined && new Date(String(updatedAt)).getTime() > seen;
  if (others.length === 0 && !isSaved) return { others };
  const writer = await findWriter(context, type, id, caller);
  const names = await namesOfUsers(
    context,
    writer === undefined ? [] : [...others.map((other) => other.user), writer.updatedBy],
  );
  return {
    others: others.map((other) => ({
      name: names.get(other.user) ?? null,
      own: other.user === user,
      unsaved: other.isChanging,
    })),
    ...(isSaved && { saved: { at: updatedAt, by: names.get(writer?.updatedBy) ?? null } }),
  };
}

/** Says that a user has closed what a session had open. @throws AppError unauthorized, validation */
export async function endPresence({ storage }: PluginContext, { caller, params }: Asked): Promise<null> {
  await storage.presence.leave(requireUser(caller), parseSession(params['session']));
  return null;
}

function requireUser({ user }: Caller): number {
  if (user === undefined) throw new AppError('unauthorized', 'Unauthorized');
  return user;
}

/** Who wrote the entry last; undefined for a caller who may not change it: names are shown as those of writers are. */
async function findWriter(
  { documents, http }: PluginContext,
  type: ContentType,
  id: number,
  caller: Caller,
): Promise<{ readonly updatedBy: number | null } | undefined> {
  if (http.answererOf(type, 'update') !== 'core') return undefined;
  try {
    return await documents.writersOf(type, id, caller);
  } catch (error) {
    if (error instanceof AppError && (error.code === 'forbidden' || error.code === 'notFound')) return undefined;
    throw error;
  }
}

interface Announcement {
  readonly session: string;
  readonly unsaved: boolean;
  /** When the state was saved that the user sees, in milliseconds. */
  readonly seen: number | undefined;
}

/** @throws AppError validation, naming the value */
function parseAnnouncement(body: unknown): Announcement {
  const { session, unsaved = false, seen, ...unknown } = isRecord(body) ? body : {};
  const time = seen === undefined ? undefined : new Date(String(seen)).getTime();
  const wrong: readonly Wrong[] = [
    ...(typeof unsaved === 'boolean' ? [] : [['unsaved', 'must be true or false'] as const]),
    ...(Number.isNaN(time) ? [['seen', 'must be the updatedAt of the entry'] as const] : []),
    ...Object.keys(unknown).map((name) => [name, 'is not known'] as const),
  ];
  if (wrong.length > 0) throw refusal(wrong);
  return { session: parseSession(session), unsaved: unsaved === true, seen: time };
}

/** @throws AppError validation */
function parseSession(session: unknown): string {
  if (typeof session !== 'string' || !/^[\w-]{8,64}$/.test(session))
    throw refusal([['session', 'must have 8 to 64 letters, digits, - or _']]);
  return session;
}

/** A value, and what is wrong with it. */
type Wrong = readonly [name: string, reason: string];

const refusal = (wrong: readonly Wrong[]): AppError =>
  new AppError(
    'validation',
    wrong.map(([name, reason]) => ({ path: [name], message: `${name} ${reason}` })),
  );

/** The body of an announcement, in JSON Schema. */
export const announcement = {
  type: 'object',
  required: ['session'],
  properties: {
    session: { type: 'string', pattern: String.raw`^[\w-]{8,64}$`, example: '4f9a2c61' },
    unsaved: { type: 'boolean', default: false },
    seen: { type: 'string', format: 'date-time' },
  },
} as const;
