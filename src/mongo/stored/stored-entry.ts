import type { Document } from 'mongodb';

/** An entry as it is stored. */
export type StoredEntry = Document & { readonly _id: number };
