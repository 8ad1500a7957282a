import { useSyncExternalStore } from 'react';
import { keep, keptNames, readKeptJson, thisTab } from '../api/kept.js';
import type { Values } from '../model/values.js';

/** Values that were typed and not saved, and the version of the entry that they were typed over. */
export interface Unsaved {
  readonly etag?: string | undefined;
  readonly values: Values;
  /** What the form is called, and its address; absent: it was over another form. */
  readonly title?: string | undefined;
  readonly address?: string | undefined;
  /** When something was typed last. */
  readonly at: string;
}

/** The form that values were typed into. */
export interface Typed {
  readonly user: number | undefined;
  /** The path of the content type. */
  readonly path: string;
  /** Undefined: of a new entry, which each tab has for itself. */
  readonly id: number | undefined;
  /** What else tells one form of the entry from another; at the end how many forms are below it. */
  readonly more: readonly unknown[];
}

const PREFIX = 'content-service.unsaved';
const CHANGED = 'content-service.unsaved';
/** Milliseconds for which values are kept that nobody asks for. */
const KEPT_MS = 90 * 86_400_000;

const prefixOf = (user: number | undefined): string => `${PREFIX}.${user ?? ''}.`;

/** Under which name the browser keeps what was typed into a form. */
export const unsavedName = ({ user, path, id, more }: Typed): string =>
  `${prefixOf(user)}${path}/${id ?? `new-${thisTab()}`}/${more.join('/')}`;

export const readUnsaved = (name: string): Unsaved | undefined =>
  readKeptJson('localStorage', name) as Unsaved | undefined;

/** Keeps what was typed, for all tabs; undefined forgets it. */
export function keepUnsaved(name: string, unsaved: Unsaved | undefined): void {
  keep('localStorage', name, unsaved && JSON.stringify(unsaved));
  dispatchEvent(new Event(CHANGED));
}

/** Forgets all that a user has typed in this browser and not saved. */
export function forgetUnsaved(user: number | undefined): void {
  for (const name of keptNames('localStorage', prefixOf(user))) keep('localStorage', name, undefined);
  dispatchEvent(new Event(CHANGED));
}

/** Forgets what nobody has asked for in a long time, whose ever it is. */
export function forgetOldUnsaved(): void {
  for (const name of keptNames('localStorage', `${PREFIX}.`)) {
    const { at } = readUnsaved(name) ?? {};
    if (!(Date.parse(at ?? '') > Date.now() - KEPT_MS)) keepUnsaved(name, undefined);
  }
}

function subscribe(listen: () => void): () => void {
  addEventListener(CHANGED, listen);
  // Another tab.
  addEventListener('storage', listen);
  return () => {
    removeEventListener(CHANGED, listen);
    removeEventListener('storage', listen);
  };
}

/** The names of what a user has typed and not saved, in all tabs of the browser. */
export function useUnsavedNames(user: number | undefined): readonly string[] {
  const names = useSyncExternalStore(subscribe, () => keptNames('localStorage', prefixOf(user)).toSorted().join('\n'));
  return names === '' ? [] : names.split('\n');
}

/** The form of a name: the path of its type, the id of an entry or `new`, and whether it is a page or over one. */
export function placeOf(user: number | undefined, name: string) {
  const [path = '', id = '', ...more] = name.slice(prefixOf(user).length).split('/');
  return { path, id: id.startsWith('new') ? 'new' : id, isPage: more.at(-1) === '0' };
}

/** Makes what another tab has typed into the form of a new entry that of this tab; both change places. */
export function adopt(name: string): void {
  const own = name.replace(/\/new-[^/]+\//, `/new-${thisTab()}/`);
  if (own === name) return;
  const [theirs, mine] = [readUnsaved(name), readUnsaved(own)];
  keepUnsaved(own, theirs);
  keepUnsaved(name, mine);
}
