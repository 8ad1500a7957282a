import type { CopyUse } from '../../query/mutation.js';

/**
 * What a request asks of an entry: to write it as it is, which may make a draft of it, as in Strapi v4; or, by the
 * status that it names, to save its data as a draft, to publish them, or to discard what is saved.
 */
export type Ask = 'write' | 'unpublish' | 'save' | 'publish' | 'discard';

export type EntryState = 'none' | 'draft' | 'live';

/** What a request asks of an entry in the trash: to show it, to put it back, or to remove it for good. */
export type AskOfDeleted = 'show' | 'restore' | 'remove';

/**
 * Rights besides that of the request: to write the time of publication of an entry, to read what is not published, and
 * those of the actions that the request is none of. Who writes a single type may create its entry.
 */
export type Right = 'publish' | 'readDrafts' | 'find' | 'create' | 'update' | 'delete';

/** What a write does to an entry. */
export interface Transition {
  /** With the working copy of the entry. Default: nothing. */
  readonly copy?: CopyUse;
  /**
   * What it publishes, all of which is checked: what the copy changes, a draft, or what is public already. Default:
   * nothing.
   */
  readonly publishes?: 'copy' | 'draft' | 'entry';
  /** The state whose rules the data have to meet. Default: that of the entry. */
  readonly checkedAs?: 'draft' | 'published';
}

interface Row extends Transition {
  readonly needs?: readonly Right[];
}

export type Rows = Readonly<Record<Ask, Readonly<Record<EntryState, Row>>>>;

const asDraft = { checkedAs: 'draft' } as const;
const asPublished = { checkedAs: 'published' } as const;

/**
 * Of types without working copies: nothing is saved beside what is published, and a new entry is published unless its
 * data say otherwise.
 */
const plain: Rows = {
  write: { none: {}, draft: {}, live: {} },
  unpublish: { none: {}, draft: {}, live: {} },
  save: { none: {}, draft: {}, live: {} },
  publish: {
    none: {},
    draft: { publishes: 'draft', ...asPublished, needs: ['publish'] },
    live: { publishes: 'entry', ...asPublished, needs: ['publish'] },
  },
  discard: { none: {}, draft: {}, live: {} },
};

/** Of types with working copies. */
const copied: Rows = {
  // Those who may not publish would change what is published.
  write: { none: {}, draft: {}, live: { needs: ['publish'] } },
  // The draft that the entry becomes shows its copy.
  unpublish: { none: {}, draft: {}, live: { needs: ['publish', 'readDrafts'] } },
  save: {
    none: {},
    draft: { copy: 'hold', needs: ['readDrafts'] },
    live: { copy: 'save', ...asDraft, needs: ['readDrafts'] },
  },
  publish: {
    none: { needs: ['publish'] },
    draft: { copy: 'merge', publishes: 'draft', ...asPublished, needs: ['readDrafts', 'publish'] },
    live: { copy: 'merge', publishes: 'copy', ...asPublished, needs: ['readDrafts', 'publish'] },
  },
  discard: {
    none: {},
    draft: { copy: 'discard', needs: ['readDrafts', 'update'] },
    live: { copy: 'discard', needs: ['readDrafts', 'update'] },
  },
};

export const transitions = { plain, copied };

type RightsToDeleted = Readonly<Record<AskOfDeleted, readonly Right[]>>;

/** What it takes to ask that of a deleted entry: it is in its latest state, so it shows what its copy changed. */
export const deleted: Readonly<Record<keyof typeof transitions, RightsToDeleted>> = {
  plain: {
    show: ['find', 'delete'],
    restore: ['find', 'delete', 'create'],
    remove: ['find', 'delete'],
  },
  copied: {
    show: ['find', 'delete', 'readDrafts'],
    restore: ['find', 'delete', 'readDrafts', 'create'],
    remove: ['find', 'delete', 'readDrafts'],
  },
};

/** What a write does to an entry in this state; undefined: the caller lacks a right to it. */
export function transitionFrom(
  rows: Rows,
  ask: Ask,
  state: EntryState,
  has: (right: Right) => boolean,
): Transition | undefined {
  const { needs = [], ...transition } = rows[ask][state];
  return needs.every(has) ? transition : undefined;
}

/** Whether the state of an entry has to be read: otherwise its data are written, and nothing else happens. */
export const dependsOnState = (rows: Rows, ask: Ask, has: (right: Right) => boolean): boolean =>
  (['draft', 'live'] as const).some((state) => {
    const transition = transitionFrom(rows, ask, state, has);
    return transition === undefined || Object.keys(transition).length > 0;
  });

/**
 * What a dry run tries in its place: what an entry and its copy become together is not computed without storing it.
 * @returns undefined: it is refused, because the entry has a copy or would get one
 */
export function dryTransition({ copy, ...transition }: Transition, hasCopy: boolean): Transition | undefined {
  if (copy === undefined) return transition;
  if (copy === 'save' || copy === 'discard' || hasCopy) return undefined;
  return transition.publishes === 'copy' ? { ...transition, publishes: 'entry' } : transition;
}
