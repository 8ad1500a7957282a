import type { Entry, EntryRead } from '../api/entries.js';
import type { Content, ContentType } from '../model/schema.js';
import type { Values } from '../model/values.js';
import { unsavedName } from '../unsaved/unsaved-texts.js';
import type { FormRead, Origin } from './form-read.js';

/** The form is over another one, which needs the new entry. */
export interface Related {
  /** How many forms are below it. */
  readonly depth: number;
  /** The values are not empty: the user has written some of them already. */
  readonly isBegun: boolean;
  readonly onCreated: (entry: Entry) => void;
}

export interface Edited {
  readonly content: Content;
  readonly type: ContentType;
  /** Undefined: the entry is new. */
  readonly id: number | undefined;
  readonly origin: Origin;
  readonly query: object;
  readonly read: FormRead;
  readonly base: Values;
  readonly related?: Related;
  /** Called where the form of a new entry becomes that of the stored one. */
  readonly onCreated?: (read: EntryRead) => void;
}

/** Under which name the browser keeps what a user types into the form. */
export function unsavedNameOf(
  { type, id, related, origin: { locale, source, copied, begun } }: Edited,
  user: number | undefined,
): string {
  const own = begun === undefined ? [] : [begun];
  return unsavedName({ user, path: type.path, id, more: [locale, source, copied, ...own, related?.depth ?? 0] });
}
