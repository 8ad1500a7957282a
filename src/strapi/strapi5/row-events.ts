import lodash from 'lodash';
import type { ContentType } from '../../content-types/model/types.js';
import { system, type Caller } from '../../documents/caller.js';
import { draftsAction, withoutDrafts } from '../../documents/hide-drafts.js';
import { CLIENT } from '../../plugins/contract/application.js';
import type { CodeForm, DocumentAction } from '../../plugins/contract/code-form.js';
import type { Anything, EventName, Lifecycles, Named, StrapiContext } from '../strapi.js';
import type { Messages } from './document-messages.js';
import { changesOf, createData, eventData, newRow, paramsOf, queryOf, withoutAdded } from './event-data.js';

interface Parts {
  readonly form: CodeForm;
  readonly lifecycles: Lifecycles;
  readonly strapi: StrapiContext['strapi'];
  /** Whether code observes reads or writes of a type. */
  readonly isObserved: (uid: string) => boolean;
  readonly messages: Messages;
}

/** The rights of a request that code answers are those of code, but for drafts. */
const callerOf = (params: Named): Caller => {
  const client = (params as { readonly [CLIENT]?: Caller })[CLIENT];
  return client === undefined ? system : withoutDrafts(client);
};

/** @param by default: who makes the call @param changes of what is published */
type Run = (action: DocumentAction, params: Named, by?: Caller, changes?: Named) => Promise<Anything>;

/** A call, with its lifecycle events where code observes them. */
export async function answered(
  parts: Parts,
  type: ContentType,
  action: DocumentAction,
  params: Named,
): Promise<unknown> {
  const { form, isObserved, messages, strapi } = parts;
  const isHeard = !reads.has(action) && messages.isHeard();
  const run: Run = async (name, given, by = callerOf(params), changes) =>
    form.documents[name]({ type, params: given, caller: by, changes, ...(isHeard && { event: 'untold' }) });
  if (!isHeard && !isObserved(type.uid)) return run(action, params);
  const observed = isObserved(type.uid) ? events[action] : plainly(action);
  const call = { ...parts, type, run, params };
  if (reads.has(action)) return observed(call);
  return strapi.db.transaction(async ({ onCommit }: Anything) => {
    const wasThere = isHeard && action === 'update' && (await findDraft(call, system)) !== null;
    const answer = await observed(call);
    if (!isHeard) return answer;
    const told = await messages.of({ type, action, params, answer, wasThere });
    onCommit(told);
    return answer;
  });
}

const reads: ReadonlySet<DocumentAction> = new Set(['findMany', 'findFirst', 'findOne', 'count']);

interface ObservedCall extends Parts {
  readonly type: ContentType;
  readonly run: Run;
  readonly params: Named;
}

type Observe = (call: ObservedCall) => Promise<unknown>;

/** A call of a type whose rows nobody observes. */
const plainly =
  (action: DocumentAction): Observe =>
  ({ run, params }) =>
    run(action, params);

const observeRead =
  (action: DocumentAction, name: EventName, more: (params: Named) => Named = () => ({})): Observe =>
  ({ lifecycles, type, run, params }) =>
    lifecycles.around(type.uid, name, queryOf({ ...params, ...more(params) }), (query) =>
      run(action, paramsOf(params, query)),
    );

/**
 * What each call does between the events of its rows (recorded: code/55-lifecycles-documents). An entry is one row
 * here, so a step that only replaces a row there has its events, and stores nothing.
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
    const found = await findDraft(call, system);
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
    const rows = await rowsOf(run, type, params);
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
    const rows: readonly Named[] = await versionsIn(run, lodash.pick(params, named), 'published');
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
    const rows = await wholeVersionsIn(run, params, 'published');
    if (rows.length === 0) return run('discardDraft', params);
    const locales = new Set(rows.map(({ locale }) => locale as unknown));
    const drafts = (await versionsIn(run, lodash.pick(params, named), 'draft')).filter(({ locale }) =>
      locales.has(locale),
    );
    for (const row of drafts) await lifecycles.around(type.uid, 'Delete', whereOf(row), async () => row);
    let answer: Anything;
    for (const [index, row] of rows.entries())
      await lifecycles.around(type.uid, 'Create', { data: newRow(type, row, null) }, async () => {
        answer ??= await run('discardDraft', params);
        return answer.entries[index] ?? row;
      });
    return answer as unknown;
  },
  clone: async ({ lifecycles, type, run, params }) => {
    let answer: Anything;
    const [original = {}] = await wholeVersionsIn(run, params, 'draft');
    const given = {
      ...newRow(type, lodash.omit(original, 'documentId'), type.draftAndPublish ? null : new Date()),
      ...(params['data'] as Named),
    };
    await lifecycles.around(type.uid, 'Create', { data: given }, async ({ data: changed }) => {
      const data = { ...(params['data'] as Named), ...changesOf(changed as Named, given) };
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

/** As in Strapi 5, code that observes reads sees the new row, too (recorded: code/56-lifecycles-other). */
const createObserved = async ({ lifecycles, type, run }: ObservedCall, params: Named): Promise<Named> => {
  const given = createData(type, params);
  return lifecycles.around(type.uid, 'Create', given, async ({ data }) => {
    const entry = (await run('create', { ...asDraft(type, params), data: withoutAdded(data, given.data) })) as Named;
    return lifecycles.around(type.uid, 'FindOne', whereOf(entry), async () => entry);
  });
};

/** The draft that a call names. */
const findDraft = async ({ run, type, params }: ObservedCall, by: Caller): Promise<Named | null> =>
  run('findOne', { ...asDraft(type, params), fields: ['documentId'], populate: undefined }, by);

/** The answer to a write of a draft, which is published afterwards if its status says so. */
async function published(call: ObservedCall, entry: Named | null): Promise<unknown> {
  const { type, params } = call;
  if (entry === null || !isPublished(type, params)) return entry;
  const written = { ...params, documentId: entry['documentId'] as unknown };
  const { entries } = await publishObserved(call, lodash.omit(written, 'data'));
  return entries[0] ?? null;
}

/** What is published is replaced; what code changes in the data of the new row is published. */
async function publishObserved(call: ObservedCall, params: Named): Promise<{ readonly entries: readonly unknown[] }> {
  const { lifecycles, type } = call;
  // The draft is of this call, or its caller may see drafts.
  const run: Run = async (action, given, by, changes) =>
    call.run(action, given, action === 'publish' && call.params === params ? by : system, changes);
  const { documentId } = params;
  const old = await versionsIn(run, lodash.pick(params, named), 'published');
  for (const row of old) await lifecycles.around(type.uid, 'Delete', whereOf(row), async () => row);
  const entries: unknown[] = [];
  for (const row of await wholeVersionsIn(run, params, 'draft')) {
    const data = newRow(type, row, new Date());
    const entry: unknown = await lifecycles.around(type.uid, 'Create', { data }, async ({ data: changed }) => {
      const changes = changesOf(changed as Named, row);
      const one = { ...lodash.omit(params, 'data'), documentId, locale: row['locale'] ?? undefined };
      const answer: Anything = await run('publish', one, undefined, changes);
      return answer.entries[0] as unknown;
    });
    entries.push(entry);
  }
  return { documentId, entries } as never;
}

/** What names the versions of a document. */
const named = ['documentId', 'locale'] as const;

const whereOf = ({ id }: Named): Named => ({ where: { id: id as unknown } });

/** The versions of a document as rows: what is there of one whose locale is named, or of the default one. */
const versionsIn = async (
  run: Run,
  { documentId, locale, fields, populate }: Named,
  status: 'draft' | 'published',
): Promise<readonly Named[]> =>
  typeof documentId === 'string' ? run('findMany', { filters: { documentId }, locale, status, fields, populate }) : [];

/** The versions with all that their rows have: relations and components, too. */
const wholeVersionsIn = async (...[run, params, status]: Parameters<typeof versionsIn>): Promise<readonly Named[]> =>
  versionsIn(run, { ...lodash.pick(params, named), populate: '*' }, status);

const rowsOf = async (run: Run, type: ContentType, params: Named): Promise<readonly Named[]> => {
  const drafts = await versionsIn(run, params, 'draft');
  return type.draftAndPublish ? [...drafts, ...(await versionsIn(run, params, 'published'))] : drafts;
};
