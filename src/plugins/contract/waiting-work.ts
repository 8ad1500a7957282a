import type { ContentType } from '../../content-types/model/types.js';
import type { Caller } from '../../documents/caller.js';
import type { FoundChanges, FoundDrafts } from '../../documents/find-writers.js';
import type { RequestContext } from '../../documents/request-context.js';
import type { PublishedEntry, Review } from '../../documents/write/review.js';

/** What waits for the people who write and publish, of one content type; nothing for callers without the rights. */
export interface WaitingWork {
  /** The drafts that the caller, and that others have changed last; undefined: there can be none for the caller. */
  readonly drafts: (type: ContentType, request: RequestContext, limit: number) => Promise<FoundDrafts | undefined>;
  /** What users have changed last, and how many entries there are; undefined: the caller may not list them. */
  readonly changes: (type: ContentType, request: RequestContext, limit: number) => Promise<FoundChanges | undefined>;
  /**
   * The requests to publish that the caller may grant, those that have waited longest first, or the caller's own ones
   * that were sent back last.
   */
  readonly requests: (
    type: ContentType,
    which: 'ready' | 'own back',
    caller: Caller,
    limit: number,
  ) => Promise<readonly (Review & { readonly id: number })[]>;
  /** What users have published since then, the last first, for callers who may publish it. */
  readonly publications: (
    type: ContentType,
    caller: Caller,
    bounds: { readonly since: Date; readonly limit: number },
  ) => Promise<readonly PublishedEntry[]>;
}
