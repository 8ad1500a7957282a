import { AppError } from '../../errors/app-error.js';
import type { Component, ContentType } from '../../content-types/model/types.js';
import type { PublicationState } from '../ast.js';

/** Which state of entries a request is about: what is prepared, or what is published. */
export type Status = 'draft' | 'published';

/** Whether entries of the type can have working copies by its own definition; only then reads have a status. */
export const hasStatus = (model: ContentType | Component): boolean =>
  model.kind !== 'component' && model.hasStatus === true;

/** The status that a request names; other types ignore it. @throws AppError invalidParameter */
export function parseStatus(input: unknown, type: ContentType | Component): Status | undefined {
  if (!hasStatus(type) || input === undefined || input === null || input === '') return undefined;
  if (input === 'draft' || input === 'published') return input;
  throw new AppError('invalidParameter', 'status');
}

/**
 * The status that an update names. Of entries that have drafts and no working copies only `published` means something:
 * the entry is published afterwards, and all of it is checked. Others ignore it. @throws AppError invalidParameter
 */
export function parseWrittenStatus(input: unknown, type: ContentType): Status | undefined {
  if (hasStatus(type)) return parseStatus(input, type);
  return type.draftAndPublish && input === 'published' ? input : undefined;
}

/**
 * Whether a list has only published entries with a working copy, of which it shows what is prepared; other types ignore
 * that.
 * @throws AppError invalidParameter also beside `status=published`, which shows nothing that is prepared
 */
export function parseModified(input: unknown, type: ContentType | Component, status: unknown): boolean {
  if (!hasStatus(type) || input === undefined || input === null || input === '') return false;
  const isModified = input === true || input === 'true';
  const isRefused = (!isModified && input !== false && input !== 'false') || (isModified && status === 'published');
  if (isRefused) throw new AppError('invalidParameter', 'modified');
  return isModified;
}

/** The publication state that a status means. */
export const stateOfStatus = { draft: 'preview', published: 'live' } as const satisfies Record<
  Status,
  PublicationState
>;
