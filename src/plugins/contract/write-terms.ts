/** What a client can ask of a write besides its data: three headers, and a parameter of the query string. */
export type Term = 'If-Match' | 'If-None-Match' | 'Idempotency-Key' | 'dryRun';

/** Why a write refuses terms; those that are not named it keeps. */
export type RefusedTerms = Readonly<Partial<Record<Term, string>>>;

/**
 * What a write expects of its entry: that it is as one of these tags says, or, with `*`, that it exists; or that there
 * is none.
 */
export type Condition = { readonly match: '*' | ReadonlySet<string> } | { readonly absent: true };

/** What a client asks of a write besides its data. That it is done only once is kept around the write. */
export interface WriteTerms {
  readonly condition: Condition | undefined;
  /** The write is checked and not stored. */
  readonly isDryRun: boolean;
}

/** Of a write that no client asks for. */
export const noTerms: WriteTerms = { condition: undefined, isDryRun: false };

/** Every term, for the same reason. */
export const refuseAll = (reason: string): Required<RefusedTerms> => ({
  'If-Match': reason,
  'If-None-Match': reason,
  'Idempotency-Key': reason,
  dryRun: reason,
});

const CREATES = 'a POST creates an entry';
const ofEntry = { 'If-None-Match': 'it needs a PUT by a key, or of a single type' } as const;
const OF_OPERATION = 'an operation of a batch has ifMatch';
const ofDeleted = 'an entry in the trash does not change';

/**
 * What writes refuse, by what they name. An entry that the address names by its id exists or not: only by other names
 * it can be written where it is absent.
 */
export const refusedTerms = {
  creation: { 'If-Match': CREATES, 'If-None-Match': CREATES },
  entry: ofEntry,
  named: {},
  schedule: { ...ofEntry, dryRun: 'a schedule is not an entry' },
  batch: { 'If-Match': OF_OPERATION, 'If-None-Match': OF_OPERATION },
  deletedEntry: {
    'If-Match': ofDeleted,
    'If-None-Match': ofDeleted,
    dryRun: 'an entry in the trash is only restored or removed',
  },
} as const satisfies Readonly<Record<string, RefusedTerms>>;
