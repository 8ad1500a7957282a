import type { Document } from 'mongodb';
import type { ContentType } from '../../../content-types/model/types.js';
import type { Violation } from './violation.js';
import { keptRules } from './kept-rules.js';
import { type Scan, scanEntry } from './scan-entry.js';
import { valueRules, type Rule } from './value-rules.js';

/** Every rule that one entry alone can break. */
export const documentRules: readonly Rule[] = [...Object.values(valueRules), ...Object.values(keptRules)];

/** Checks one stored entry of a content type, without the others. */
export const checkDocument = (document: Document, type: ContentType): readonly Violation[] =>
  findViolations(scanEntry(document, type), documentRules);

/** Applies rules to an entry. */
export function findViolations(scan: Scan, rules: readonly Rule[]): readonly Violation[] {
  const { type, document } = scan;
  const [collection, id] = [type.collectionName, String(document['_id'])];
  return rules.flatMap((rule) => rule(scan)).map((finding) => ({ collection, id, ...finding }));
}
