import type { Document } from 'mongodb';
import type { ContentType } from '../../content-types/types.js';
import type { Breach } from './breach.js';
import { keptRules } from './kept-rules.js';
import type { Survey } from './survey.js';
import { surveyEntry } from './survey-entry.js';
import { valueRules, type Rule } from './value-rules.js';

/** Every rule that one entry alone can break. */
export const documentRules: readonly Rule[] = [...Object.values(valueRules), ...Object.values(keptRules)];

/** Checks one stored entry of a content type, without the others. */
export const checkDocument = (document: Document, type: ContentType): readonly Breach[] =>
  findBreaches(surveyEntry(document, type), documentRules);

/** Applies rules to an entry. */
export function findBreaches(survey: Survey, rules: readonly Rule[]): readonly Breach[] {
  const { type, document } = survey;
  const [collection, id] = [type.collectionName, String(document['_id'])];
  return rules.flatMap((rule) => rule(survey)).map((finding) => ({ collection, id, ...finding }));
}
