import { createHash } from 'node:crypto';
import { BSON, type Document } from 'mongodb';
import type { ContentType } from '../../content-types/model/types.js';
import { COPIED, isCopied } from './working-copy.js';

/*
 * The stored form of a request to publish an entry: a field of the entry, so that one write publishes it and ends the
 * request, and a deletion ends it, too.
 */

/** The field of an entry with the request to publish what is prepared of it. */
export const REVIEW = '_review';

/** What was said in a review. */
export interface ReviewNote {
  /** The user who said it; absent: it was no user. */
  readonly by?: number;
  readonly at: Date;
  /** Who says this sends it back. */
  readonly isBack?: true;
  readonly text?: string;
}

export interface StoredReview {
  /** Names the request: whoever publishes names it, too. */
  readonly tag: string;
  /** Of the state that was asked for; see `hashOfState`. */
  readonly hash: string;
  /** The user who asked; absent: it was no user. */
  readonly by?: number;
  /** Since when it waits, or since when it is sent back: one of both. */
  readonly ready?: Date;
  readonly back?: Date;
  /** The latest one is the last. */
  readonly notes: readonly ReviewNote[];
}

/** The field of an entry with its last publication by a user. */
export const PUBLICATION = '_publication';

export interface StoredPublication {
  readonly by: number;
  readonly at: Date;
  /** Changes of a published entry were published, and not a draft. */
  readonly isOfCopy?: true;
}

/** Whether a publication of the entry would change what readers see: it is a draft, or has a working copy. */
export const waits = (entry: Document): boolean => entry['_live'] === undefined || entry[COPIED] !== undefined;

/**
 * A hash of all values that would be published. It is compared and never shown: with the other values a reader could
 * find out by it what is hidden.
 * @param latest the working copy, or the entry if there is none
 */
export function hashOfState({ attributes }: ContentType, latest: Document): string {
  const names = [...attributes.keys()].filter((name) => isCopied(name) && latest[name] !== undefined);
  const values = names.toSorted().map((name) => [name, latest[name] as unknown]);
  return createHash('sha256')
    .update(BSON.serialize(Object.fromEntries(values)))
    .digest('base64url');
}
