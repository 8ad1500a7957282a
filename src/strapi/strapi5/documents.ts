import lodash from 'lodash';
import { isRecord } from '../../config/record.js';
import { isLocalized } from '../../content-types/model/localized.js';
import type { ContentType } from '../../content-types/model/types.js';
import { system, type Caller } from '../../documents/caller.js';
import { draftsAction, withoutDrafts } from '../../documents/hide-drafts.js';
import { CLIENT } from '../../plugins/contract/application.js';
import type { CodeForm, DocumentAction } from '../../plugins/contract/code-form.js';
import type { Anything, EventName, Lifecycles, Named, StrapiContext } from '../strapi.js';

/** What a middleware of `strapi.documents` gets (recorded: code/54-middlewares-at-run-time). */
interface MiddlewareContext {
  readonly uid: string;
  readonly action: DocumentAction;
  params: Anything;
  readonly contentType: Anything;
}

type DocumentMiddleware = (context: MiddlewareContext, next: () => Promise<unknown>) => unknown;

/** `strapi.documents(uid)`. */
export type Repository = Readonly<Partial<Record<DocumentAction, ((params?: Named) => Promise<Anything>) | undefined>>>;

export interface StrapiDocuments {
  (uid: string): Repository;
  /** Adds a middleware around all calls, and returns a function that removes it. */
  use(middleware: DocumentMiddleware): () => void;
  /** Whether there are middlewares. */
  readonly isUsed: () => boolean;
}

const actions: readonly DocumentAction[] = [
  'findMany',
  'findFirst',
  'findOne',
  'count',
  'create',
  'update',
  'delete',
  'clone',
];
const ofDrafts: readonly DocumentAction[] = ['publish', 'unpublish', 'discardDraft'];

/** `strapi.documents`: middlewares in the order in which they were added, around lifecycle events, around the reads and writes of Strapi 5's API. */
export function createDocumentsOfCode(context: StrapiContext, lifecycles: Lifecycles): StrapiDocuments {
  const { strapi } = context;
  const middlewares: DocumentMiddleware[] = [];
  const { isObserved } = lifecycles;
  const isObservedType = (uid: string): boolean =>
    (['find', 'create', 'update', 'delete'] as const).some((action) => isObserved(uid, action));
  const typeOf = (uid: string): ContentType => {
    const type = context.runtime('strapi.documents').registry.contentTypes.get(uid);
    if (type?.documentId === undefined) throw new Error(`strapi.documents: "${uid}" is no content type with documents`);
    return type;
  };
  const call = async (uid: string, action: DocumentAction, given: unknown): Promise<unknown> => {
    const passed: MiddlewareContext = { uid, action, params: given ?? {}, contentType: strapi.contentType(uid) };
    const service = async (): Promise<unknown> =>
      answered(
        { form: codeFormOf(context), lifecycles, strapi, isObserved: isObservedType },
        typeOf(uid),
        action,
        passed.params as Named,
      );
    const from = async (index: number): Promise<unknown> => {
      const middleware = middlewares[index];
      return middleware === undefined ? service() : middleware(passed, async () => from(index + 1));
    };
    return from(0);
  };
  const repositoryOf = lodash.memoize((uid: string): Repository => {
    const model = strapi.contentType(uid);
    if (model === undefined) throw new Error(`strapi.documents: unknown content type "${uid}"`);
    const hasDrafts = model.options['draftAndPublish'] === true;
    return Object.fromEntries(
      [...actions, ...ofDrafts].map((action) => [
        action,
        actions.includes(action) || hasDrafts
          ? async (params?: Named): Promise<unknown> => call(uid, action, params)
          : undefined,
      ]),
    );
  });
  return Object.assign((uid: string) => repositoryOf(uid), {
    use: (middleware: DocumentMiddleware) => {
      middlewares.push(middleware);
      return (): void => void lodash.pull(middlewares, middleware);
    },
    isUsed: () => middlewares.length > 0,
  });
}

/** What the plugin of the form has for code. @throws Error without it */
export function codeFormOf({ runtime }: Pick<StrapiContext, 'runtime'>): CodeForm {
  const form = runtime('strapi.documents').plugins.http.codeForm();
  if (form === undefined) throw new Error('strapi.documents needs the plugin strapi5');
  return form;
}

interface Parts {
  readonly form: CodeForm;
  readonly lifecycles: Lifecycles;
  readonly strapi: StrapiContext['strapi'];
  /** Whether code observes reads or writes of a type. */
  readonly isObserved: (uid: string) => boolean;
}

/** The rights of a request that code answers are those of code, but for drafts. */
const callerOf = (params: Named): Caller => {
  const client = (params as { readonly [CLIENT]?: Caller })[CLIENT];
  return client === undefined ? system : withoutDrafts(client);
};

/** @param by default: who makes the call @param changes of what is published */
type Run = (action: DocumentAction, params: Named, by?: Caller, changes?: Named) => Promise<Anything>;

/** A call, with its lifecycle events where code observes them. */
async function answered(parts: Parts, type: ContentType, action: DocumentAction, params: Named): Promise<unknown> {
  const { form, isObserved, strapi } = parts;
  const run: Run = async (name, given, by = callerOf(params), changes) =>
    form.documents[name]({ type, params: given, caller: by, changes });
  if (!isObserved(type.uid)) return run(action, params);
  const observed = events[action];
  const write = async (): Promise<unknown> => observed({ ...parts, type, run, params });
  return reads.has(action) ? write() : strapi.db.transaction(write);
}

const reads: ReadonlySet<DocumentAction> = new Set(['findMany', 'findFirst', 'findOne', 'count']);

interface ObservedCall extends Parts {
  readonly type: ContentType;
  readonly run: Run;
  readonly params: Named;
}

type Observe = (call: ObservedCall) => Promise<unknown>;

const observeRead =
  (action: DocumentAction, name: EventName, more: (params: Named) => Named = () => ({})): Observe =>
  ({ lifecycles, type, run, params }) =>
    lifecycles.around(type.uid, name, queryOf({ ...params, ...more(params) }), (query) =>
      run(action, paramsOf(params, query)),
    );

/**
 * What each call does between the events of its rows (recorded: code/55-lifecycles-documents). An entry is one row here, so a step that only replaces a row
 * there has its events, and stores nothing.
 */
const events: Readonly<Record<DocumentAction, Observe>> = {
  findMany: observeRead('findMany', 'FindMany'),
  findFirst: observeRead('findFirst', 'FindOne'),
  findOne: observeRead('findFirst', 'FindOne', ({ filters, documentId }) => ({
    filters: { ...(filters as Named | undefined), documentId: typeof documentId === 'string' ? documentId : '' },
  })),
  count: observeRead('count', 'Count'),
  create: async (call) => {
    const entry = await createObserved(call, call.params);
    return published(call, entry);
  },
  update: async (call) => {
    const { lifecycles, type, run, params } = call;
    const draft = asDraft(type, params);
    const found: Named | null = await run('findOne', { ...draft, fields: ['documentId'], populate: undefined }, system);
    const { documentId } = params;
    if (found === null && (await run('count', { filters: { documentId }, locale: '*' }, system)) === 0) return null;
    const isOne = isPublished(type, params) && !callerOf(params).may(draftsAction(type));
    // Who may not see drafts publishes nothing that others have prepared: the data is written to what is published.
    const write = async ({ data }: Named): Promise<Named> =>
      isOne
        ? lifecycles.around(type.uid, 'Create', { data: { ...(data as Named), publishedAt: new Date() } }, (changed) =>
            run('update', { ...params, data: changed['data'] as unknown }),
          )
        : run('update', { ...draft, data: data as unknown });
    const given = eventData(type, params);
    const entry: Named =
      found === null
        ? await lifecycles.around(type.uid, 'Create', given, write)
        : await lifecycles.around(type.uid, 'Update', { ...whereOf(found), ...given }, write);
    return isOne ? entry : published(call, entry);
  },
  delete: async ({ lifecycles, type, run, params }) => {
    const named = { documentId: params['documentId'] as unknown, locale: params['locale'] as unknown };
    const rows = await rowsOf(run, type, named);
    for (const row of rows.slice(0, -1)) await lifecycles.around(type.uid, 'Delete', whereOf(row), async () => row);
    const last = rows.at(-1);
    if (last === undefined) return run('delete', params);
    let answer: unknown;
    await lifecycles.around(type.uid, 'Delete', whereOf(last), async () => {
      answer = await run('delete', params);
      return last;
    });
    return answer;
  },
  publish: async (call) => publishObserved(call, call.params),
  unpublish: async ({ lifecycles, type, run, params }) => {
    const rows: readonly Named[] = await versionsIn(run, params, 'published');
    if (rows.length === 0) return run('unpublish', params);
    let answer: unknown;
    for (const [index, row] of rows.entries())
      await lifecycles.around(type.uid, 'Delete', whereOf(row), async () => {
        if (index === rows.length - 1) answer = await run('unpublish', params);
        return row;
      });
    return answer;
  },
  discardDraft: async ({ lifecycles, type, run, params }) => {
    const rows: readonly Named[] = await versionsIn(run, params, 'published');
    if (rows.length === 0) return run('discardDraft', params);
    for (const row of rows) await lifecycles.around(type.uid, 'Delete', whereOf(row), async () => row);
    let answer: Anything;
    for (const [index, row] of rows.entries())
      await lifecycles.around(type.uid, 'Create', { data: { ...row, publishedAt: null } }, async () => {
        answer ??= await run('discardDraft', params);
        return answer.entries[index] ?? row;
      });
    return answer as unknown;
  },
  clone: async ({ lifecycles, type, run, params }) => {
    let answer: Anything;
    await lifecycles.around(type.uid, 'Create', eventData(type, params), async ({ data }) => {
      answer = await run('clone', { ...params, data });
      return answer.entries[0] ?? undefined;
    });
    return answer as unknown;
  },
};

const isPublished = ({ draftAndPublish }: ContentType, { status }: Named): boolean =>
  draftAndPublish && status === 'published';

const asDraft = (type: ContentType, params: Named): Named =>
  type.draftAndPublish ? { ...params, status: 'draft' } : params;

const createObserved = async ({ lifecycles, type, run }: ObservedCall, params: Named): Promise<Named> =>
  lifecycles.around(type.uid, 'Create', eventData(type, params), ({ data }) =>
    run('create', { ...asDraft(type, params), data }),
  );

/** The answer to a write of a draft, which is published afterwards if its status says so. */
async function published(call: ObservedCall, entry: Named | null): Promise<unknown> {
  const { type, params } = call;
  if (entry === null || !isPublished(type, params)) return entry;
  const named = { ...params, documentId: entry['documentId'] as unknown };
  const { entries } = await publishObserved(call, lodash.omit(named, 'data'));
  return entries[0] ?? null;
}

/** What is published is replaced; what code changes in the data of the new row is published. */
async function publishObserved(call: ObservedCall, params: Named): Promise<{ readonly entries: readonly unknown[] }> {
  const { lifecycles, type } = call;
  // The draft is of this call, or its caller may see drafts.
  const run: Run = async (action, given, by, changes) =>
    call.run(action, given, action === 'publish' && call.params === params ? by : system, changes);
  const { documentId } = params;
  const old = await versionsIn(run, params, 'published');
  for (const row of old) await lifecycles.around(type.uid, 'Delete', whereOf(row), async () => row);
  const entries: unknown[] = [];
  for (const row of await versionsIn(run, params, 'draft')) {
    const data: Named = { ...row, publishedAt: new Date() };
    const entry: unknown = await lifecycles.around(type.uid, 'Create', { data }, async ({ data: changed }) => {
      const changes = lodash.pickBy(
        changed as Named,
        (value, name) => !kept.has(name) && !lodash.isEqual(value, row[name]),
      );
      const one = { ...lodash.omit(params, 'data'), documentId, locale: row['locale'] ?? undefined };
      const answer: Anything = await run('publish', one, undefined, changes);
      return answer.entries[0] as unknown;
    });
    entries.push(entry);
  }
  return { documentId, entries } as never;
}

/** Set by the service. */
const kept: ReadonlySet<string> = new Set(['id', 'documentId', 'createdAt', 'updatedAt', 'publishedAt', 'locale']);

const whereOf = ({ id }: Named): Named => ({ where: { id: id as unknown } });

/** The versions of a document as rows: what is there of one whose locale is named, or of the default one. */
const versionsIn = async (
  run: Run,
  { documentId, locale }: Named,
  status: 'draft' | 'published',
): Promise<readonly Named[]> =>
  typeof documentId === 'string' ? run('findMany', { filters: { documentId }, locale, status }) : [];

const rowsOf = async (run: Run, type: ContentType, named: Named): Promise<readonly Named[]> => {
  const drafts = await versionsIn(run, named, 'draft');
  return type.draftAndPublish ? [...drafts, ...(await versionsIn(run, named, 'published'))] : drafts;
};

/** The data of an event, with what Strapi adds to it. */
const eventData = (type: ContentType, params: Named): { readonly data: Anything } => {
  const { data, locale } = params;
  if (!isRecord(data)) return { data };
  return {
    data: {
      ...data,
      publishedAt: type.draftAndPublish ? null : new Date(),
      ...(isLocalized(type) && typeof locale === 'string' && { locale }),
    },
  };
};

/** The parameters of a read as events show them: those of `strapi.db.query`. */
const queryOf = ({ filters, fields, populate, sort, start, limit, _q }: Named): Named =>
  lodash.omitBy(
    {
      where: (filters ?? {}) as unknown,
      select: fields as unknown,
      populate,
      orderBy: sort as unknown,
      offset: start as unknown,
      limit,
      _q,
    },
    (value) => value === undefined,
  );

/** The parameters of a call with what code that observes it has changed. */
const paramsOf = (params: Named, { where, select, populate, orderBy, offset, limit, _q }: Named): Named => ({
  ...params,
  filters: where as unknown,
  fields: select as unknown,
  populate,
  sort: orderBy as unknown,
  start: offset as unknown,
  limit,
  _q,
});
