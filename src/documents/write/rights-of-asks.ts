import type { ContentType } from '../../content-types/model/types.js';
import type { Caller } from '../caller.js';
import { draftsAction } from '../hide-drafts.js';
import { mayPublish } from './prepare-data.js';
import {
  transitionFrom,
  transitions,
  type Ask,
  type EntryState,
  type Right,
  type Rows,
  type Transition,
} from './transitions.js';

/** What a write of a content type does to an entry, by its state. */
export const rowsOf = ({ copies }: ContentType): Rows =>
  copies === undefined ? transitions.plain : transitions.copied;

export const rightsOf =
  (type: ContentType, action: 'create' | 'update', caller: Caller) =>
  (right: Right): boolean => {
    if (right === 'publish') return mayPublish(type, action, caller);
    return caller.may(right === 'update' ? `${type.uid}.update` : draftsAction(type));
  };

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
