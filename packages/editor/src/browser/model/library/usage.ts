import { attributesLike, conditionAt, queryOf, type Reference } from '../references.js';
import type { Attribute, Content, ContentType } from '../schema.js';
import { FILE } from '../values.js';

/** A query for entries of a type that use a file. */
export interface UsageQuery {
  readonly type: ContentType;
  readonly query: object;
}

interface UsedFile {
  readonly id: number;
  readonly url: string;
}

/** Conditions of one request: its address has a limit. */
const MOST_CONDITIONS = 40;

/** What can have the address of a file in it. JSON and blocks are searched as text. */
const textTypes: ReadonlySet<string> = new Set(['string', 'text', 'richtext', 'blocks', 'json', 'array']);

const hasText = ({ type }: Attribute): boolean => textTypes.has(type);

/** Relations to any type are left out: lists cannot be filtered by them. */
const leadsToFile = (attribute: Attribute): boolean =>
  attribute.type === 'media' || (attribute.type === 'relation' && !attribute.morph && attribute.targets.includes(FILE));

/**
 * The queries for the entries that the user may list and that have one of these files in a field, or its address in a text, also of a component; drafts
 * and all localizations included. Of a type with working copies what is published and what is prepared are asked for, because either may use it.
 */
export function usageQueries(content: Content, files: readonly UsedFile[], limit: number): readonly UsageQuery[] {
  const fields = attributesLike(content, leadsToFile);
  const texts = attributesLike(content, hasText);
  return content.contentTypes.flatMap((type) => {
    const isOfType = (reference: Reference): boolean => reference.type === type;
    const conditions = [
      ...fields.filter(isOfType).flatMap(({ path }) => files.map(({ id }) => conditionAt(path, { id: { $eq: id } }))),
      ...texts
        .filter(isOfType)
        .flatMap(({ path }) => files.map((file) => conditionAt(path, { $contains: hashOf(file) }))),
    ];
    return inParts(conditions).flatMap((part) => {
      const query = queryOf(content, type, { $or: part }, limit);
      const latest = { type, query };
      return type.workingCopies === true ? [latest, { type, query: { ...query, publicationState: 'live' } }] : [latest];
    });
  });
}

/** What the addresses of a file and of all its sizes have in common. */
const hashOf = ({ url }: UsedFile): string => url.replace(/^.*\//, '').replace(/\.\w+$/, '');

const inParts = <T>(list: readonly T[]): readonly (readonly T[])[] =>
  Array.from({ length: Math.ceil(list.length / MOST_CONDITIONS) }, (_, part) =>
    list.slice(part * MOST_CONDITIONS, (part + 1) * MOST_CONDITIONS),
  );
