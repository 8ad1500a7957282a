import type { ContentType } from '../../content-types/model/types.js';
import type { Caller } from '../caller.js';
import { draftsAction } from '../hide-drafts.js';
import { listingOf } from '../listings.js';
import { mayPublish } from './prepare-data.js';
import {
  deleted,
  transitionFrom,
  transitions,
  type Ask,
  type AskOfDeleted,
  type EntryState,
  type Right,
  type Rows,
  type Transition,
} from './transitions.js';

const tableOf = ({ copies }: ContentType): keyof typeof transitions => (copies === undefined ? 'plain' : 'copied');

/** What a write of a content type does to an entry, by its state. */
export const rowsOf = (type: ContentType): Rows => transitions[tableOf(type)];

export const rightsOf =
  (type: ContentType, action: 'create' | 'update', caller: Caller) =>
  (right: Right): boolean => {
    if (right === 'publish') return mayPublish(type, action, caller);
    if (right === 'readDrafts') return caller.may(draftsAction(type));
    return caller.may(actionOf(type, right));
  };

/** The action of a right to entries of a type. */
function actionOf(type: ContentType, right: Exclude<Right, 'publish' | 'readDrafts'>): string {
  const { action: find, changes, deletes } = listingOf(type) ?? {};
  const named = { find, create: changes?.action, update: changes?.action, delete: deletes?.action }[right];
  return named ?? `${type.uid}.${right === 'create' && type.kind === 'singleType' ? 'update' : right}`;
}

/** What it does to an entry in this state that the caller may update; undefined: the caller lacks a right to it. */
export const transitionOf = (type: ContentType, ask: Ask, state: EntryState, caller: Caller): Transition | undefined =>
  transitionFrom(rowsOf(type), ask, state, rightsOf(type, 'update', caller));

/**
 * Whether a caller that may update an entry has the further rights to ask that of it, as far as its rules on attributes
 * let it.
 * @param state of the entry. Default: it is published, which needs the most
 */
export const mayAsk = (type: ContentType, ask: Ask, caller: Caller, state: EntryState = 'live'): boolean =>
  transitionOf(type, ask, state, caller) !== undefined;

/** Whether a caller has the rights to ask that of the deleted entries of a type. */
export const mayAskOfDeleted = (type: ContentType, ask: AskOfDeleted, caller: Caller): boolean =>
  deleted[tableOf(type)][ask].every(rightsOf(type, 'update', caller));
