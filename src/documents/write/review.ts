import { randomUUID } from 'node:crypto';
import type { ContentType } from '../../content-types/model/types.js';
import { AppError } from '../../errors/app-error.js';
import type { ReviewedEntry } from '../../mongo/reviews.js';
import {
  PUBLICATION,
  REVIEW,
  type ReviewNote,
  type StoredPublication,
  type StoredReview,
} from '../../mongo/stored/review.js';
import type { Filter } from '../../query/ast.js';
import { plainEntry } from '../../query/entry-presenter.js';
import { anyValues } from '../../query/plugin-parameters.js';
import { noChanges, type StoredValue } from '../../query/mutation.js';
import type { Caller } from '../caller.js';
import { emptyQuery, type DocumentsContext } from '../context.js';
import { requireStates, whereStatesExist } from '../entry-states.js';
import { idOf } from '../read.js';
import { whileUnchanged } from './conditional/while-unchanged.js';
import { internalField, isPrepared } from './internal-field.js';
import { mayAsk } from './rights-of-asks.js';
import { updateEntry } from './update.js';
import { identityOf, receiptOf } from './sign-write.js';

/** A request to publish an entry. */
export interface Review extends Omit<StoredReview, 'hash'> {
  /** What would be published is not what was asked for any more. */
  readonly isChanged: boolean;
}

/** An entry that a user has published. */
export interface PublishedEntry extends StoredPublication {
  readonly id: number;
}

/** What is said of requests that are kept: the latest. */
const MOST_NOTES = 20;

/** Requests to publish entries: of those who may change these, to those who may publish them. */
export const openEntryReviews = (context: DocumentsContext) => ({
  /** @throws AppError notFound, badRequest, forbidden */
  find: async (type: ContentType, id: number, caller: Caller): Promise<Review | undefined> => {
    await requireReviewable(context, type, id, caller);
    return reviewOf(await readOne(context, type, id));
  },
  /**
   * Asks to publish an entry as it is prepared now, in place of a former request. @throws AppError notFound,
   * badRequest, forbidden; conflict if there is nothing to publish
   */
  ask: async (type: ContentType, id: number, text: string | undefined, caller: Caller): Promise<Review | undefined> => {
    await requireReviewable(context, type, id, caller);
    await context.store.reviews.prepare(type);
    return change(context, type, id, caller, ({ review, hash }) => {
      if (hash === undefined) throw nothingWaits;
      const note = noteOf(caller, text);
      const by = caller.user === undefined ? {} : { by: caller.user };
      return { tag: randomUUID(), hash, ...by, ready: note.at, notes: noted(review, note) };
    });
  },
  /** Ends a request. @throws AppError notFound, badRequest, forbidden */
  withdraw: async (type: ContentType, id: number, caller: Caller): Promise<void> => {
    await requireReviewable(context, type, id, caller);
    await change(context, type, id, caller, () => undefined);
  },
  /**
   * Answers a request with what is to be changed before.
   * @throws AppError notFound, badRequest, forbidden, preconditionFailed
   */
  sendBack: async (
    type: ContentType,
    id: number,
    tag: string,
    text: string,
    caller: Caller,
  ): Promise<Review | undefined> => {
    requirePublisher(type, caller);
    await requireReviewable(context, type, id, caller);
    return change(context, type, id, caller, (entry) => {
      const { ready: _, ...review } = requireRequest(entry, tag);
      const note = { ...noteOf(caller, text), isBack: true } as const;
      return { ...review, back: note.at, notes: noted(review, note) };
    });
  },
  /**
   * Publishes the state that was asked for, and no other.
   * @throws AppError as `updateEntry`; preconditionFailed if it has changed, or the request has ended
   */
  publish: async (type: ContentType, id: number, tag: string, caller: Caller): Promise<void> => {
    requirePublisher(type, caller);
    await requireReviewable(context, type, id, caller);
    const check = async (): Promise<void> => {
      const entry = await readOne(context, type, id);
      if (requireRequest(entry, tag).hash !== entry.hash) throw hasChanged;
    };
    const request = {
      presenter: plainEntry,
      selection: { fields: [], populate: [] },
      caller,
      status: 'published',
    } as const;
    await updateEntry(context, type, id, {}, request, { check });
  },
  /**
   * The requests about entries of a type that a caller may change, those that have waited longest first, or the
   * caller's own ones that were sent back last. Empty for callers who cannot do anything about them.
   */
  list: async (
    type: ContentType,
    which: 'ready' | 'own back',
    caller: Caller,
    limit: number,
  ): Promise<readonly (Review & { readonly id: number })[]> => {
    if (!caller.may(`${type.uid}.update`) || !type.draftAndPublish) return [];
    if (!mayAsk(type, 'save', caller)) return [];
    if (which === 'ready' ? !mayAsk(type, 'publish', caller) : caller.user === undefined) return [];
    const ids = await findRequests(context, type, which, caller, limit);
    const entries = ids.length === 0 ? [] : await context.store.reviews.read(type, ids);
    const byId = new Map(entries.map((entry) => [entry.id, entry]));
    return ids.flatMap((id) => {
      const review = reviewOf(byId.get(id));
      return review === undefined ? [] : [{ id, ...review }];
    });
  },
});

/**
 * The entries of a type that users have published since, the last first, for callers who may publish them: who has
 * published each, and when.
 */
export async function findPublications(
  context: DocumentsContext,
  type: ContentType,
  caller: Caller,
  { since, limit }: { readonly since: Date; readonly limit: number },
): Promise<readonly PublishedEntry[]> {
  const mayChange = caller.may(`${type.uid}.find`) && caller.may(`${type.uid}.update`);
  if (!type.draftAndPublish || !mayChange || !mayAsk(type, 'publish', caller)) return [];
  const field = internalField(`${PUBLICATION}.at`, 'datetime');
  const isRecent: Filter = { kind: 'comparison', field, operator: '$gt', operands: [since] };
  const query = context.intercept(
    {
      ...emptyQuery(type),
      publicationState: 'live',
      parameters: anyValues(type),
      filter: isRecent,
      sort: [{ through: [], field, direction: 'descending' }],
      pagination: { form: 'offset', start: 0, limit, withCount: false },
    },
    { action: 'find', caller },
  );
  const ids = (await context.store.find(query)).entries.map(idOf);
  if (ids.length === 0) return [];
  const publications = await context.store.reviews.publications(type, ids);
  return ids.flatMap((id) => {
    const publication = publications.get(id);
    return publication === undefined ? [] : [{ id, ...publication }];
  });
}

const nothingWaits = new AppError('conflict', 'There is nothing to publish: the entry is published as it is');
const hasChanged = new AppError('preconditionFailed', 'The entry has changed since somebody asked to publish it');

/** The ids of the entries with these requests, in their order. */
async function findRequests(
  context: DocumentsContext,
  type: ContentType,
  which: 'ready' | 'own back',
  caller: Caller,
  limit: number,
): Promise<readonly number[]> {
  const { store } = context;
  // Others have no index of the times.
  if (!(await store.reviews.types()).includes(type.uid)) return [];
  const field = internalField(`${REVIEW}.${which === 'ready' ? 'ready' : 'back'}`, 'datetime');
  const isThere: Filter = { kind: 'comparison', field, operator: '$gt', operands: [new Date(0)] };
  const isOwn: Filter = {
    kind: 'comparison',
    field: internalField(`${REVIEW}.by`, 'integer'),
    operator: '$eq',
    operands: [caller.user ?? 0],
  };
  const filters = which === 'ready' ? [isThere, isPrepared] : [isThere, isPrepared, isOwn];
  const { entries } = await store.find({
    ...emptyQuery(type),
    filter: await whereStatesExist(context, type, 'update', caller, { kind: 'and', filters }),
    sort: [{ through: [], field, direction: which === 'ready' ? 'ascending' : 'descending' }],
    pagination: { form: 'offset', start: 0, limit, withCount: false },
  });
  return entries.map(idOf);
}

/**
 * @throws AppError badRequest for a type without drafts, notFound, forbidden for callers who do not see what is
 * prepared
 */
async function requireReviewable(
  context: DocumentsContext,
  type: ContentType,
  id: number,
  caller: Caller,
): Promise<void> {
  if (!type.draftAndPublish) throw new AppError('badRequest', `${type.uid} has no drafts`);
  if (!mayAsk(type, 'save', caller)) throw new AppError('forbidden');
  await requireStates(context, type, id, 'update', caller);
}

/** @throws AppError forbidden */
function requirePublisher(type: ContentType, caller: Caller): void {
  if (!mayAsk(type, 'publish', caller)) throw new AppError('forbidden');
}

/** The request with a tag, which waits. @throws AppError preconditionFailed */
function requireRequest({ review }: ReviewedEntry, tag: string): StoredReview {
  if (review === undefined || review.tag !== tag || review.ready === undefined)
    throw new AppError('preconditionFailed', 'This request to publish has ended');
  return review;
}

/** @throws AppError notFound */
async function readOne({ store }: DocumentsContext, type: ContentType, id: number): Promise<ReviewedEntry> {
  const [entry] = await store.reviews.read(type, [id]);
  if (entry === undefined) throw new AppError('notFound');
  return entry;
}

/**
 * Replaces the request of an entry, which is locked meanwhile: nobody edits or publishes it between the look and the
 * write.
 */
async function change(
  context: DocumentsContext,
  type: ContentType,
  id: number,
  caller: Caller,
  compute: (entry: ReviewedEntry) => StoredReview | undefined,
): Promise<Review | undefined> {
  const only = context.limitOf(type, 'update', caller);
  const isThere = async (): Promise<void> => void (await readOne(context, type, id));
  return whileUnchanged(context, { type, id }, isThere, async () => {
    const entry = await readOne(context, type, id);
    const review = compute(entry);
    const changes = { ...noChanges, values: new Map([[REVIEW, review as unknown as StoredValue | undefined]]) };
    const receipt = receiptOf(context, type, { caller }, { ...identityOf({ caller }), action: 'review' });
    const { matched } = await context.store.apply([{ kind: 'update', type, id, changes, receipt }], { only });
    if (matched === 0) throw new AppError('notFound');
    return reviewOf({ ...entry, review });
  });
}

/** What is shown of a request. One about an entry of which nothing waits any more is none. */
function reviewOf(entry: ReviewedEntry | undefined): Review | undefined {
  if (entry?.review === undefined || entry.hash === undefined) return undefined;
  const { hash, ...review } = entry.review;
  return { ...review, isChanged: hash !== entry.hash };
}

const noteOf = ({ user }: Caller, text: string | undefined): ReviewNote => ({
  ...(user !== undefined && { by: user }),
  at: new Date(),
  ...(text !== undefined && { text }),
});

const noted = (review: Pick<StoredReview, 'notes'> | undefined, note: ReviewNote): readonly ReviewNote[] =>
  [...(review?.notes ?? []), note].slice(-MOST_NOTES);
