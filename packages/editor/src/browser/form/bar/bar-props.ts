import type { Entry } from '../../api/entries.js';
import type { Publication } from '../../api/write-entry.js';
import type { EntryState } from '../../model/lists/bulk.js';
import type { Content, ContentType } from '../../model/schema.js';
import type { Values } from '../../model/values.js';
import type { Present } from '../presence/announce.js';

/** An entry, and what can be done with it. */
export interface BarProps {
  readonly content: Content;
  readonly type: ContentType;
  /** Undefined: it is new. */
  readonly entry: Entry | undefined;
  readonly state: EntryState;
  /** Something is typed and not saved. */
  readonly isDirty: boolean;
  readonly isBusy: boolean;
  readonly canSave: boolean;
  readonly mayWrite: boolean;
  readonly mayPublish: boolean;
  /** Who else has it open. */
  readonly others: readonly Present[];
  readonly locale: string | undefined;
  /** The values in the form. */
  readonly now: Values;
  readonly onPublish: (publication: Publication) => void;
  /** Asks others to publish it; undefined: the user may publish it, or nobody is asked. */
  readonly onAsk: ((note: string) => void) | undefined;
  /** Undefined: no new entry follows this one. */
  readonly onSaveThenNew: (() => void) | undefined;
  readonly onDelete: () => void;
  /** Discards what is prepared of a published entry. */
  readonly onDiscard: () => void;
  /** Shows the page of the entry beside the form; undefined: it has none, or it is shown. */
  readonly onPreview: (() => void) | undefined;
  /** Puts values of a former version into the form. */
  readonly onTake: (values: Values) => void;
}
