import type { Document } from 'mongodb';

/** Bulks are sent as sequences beside the command. */
export const sequence = (list: unknown): readonly Document[] =>
  Array.isArray(list) ? (list as readonly Document[]) : (list as { readonly documents: readonly Document[] }).documents;
