import {
  componentOf,
  isListed,
  labelIn,
  typeOf,
  type Attribute,
  type Content,
  type ContentType,
  type Model,
} from './schema.js';
import { linkFields } from './selection.js';
import { FILE } from './values.js';

/** A relation that can lead to an entry: an attribute of a content type, or of a component in it. */
export interface Reference {
  readonly type: ContentType;
  /** As in filters: in a dynamic zone `$on` and the uid of the component precede the attribute. */
  readonly path: readonly string[];
  readonly attribute: Attribute;
}

const ON = '$on';

/**
 * The relations to a content type that others store. Relations to any type are left out: lists cannot be filtered by
 * them. So are those that an entry of the type stores itself, of which others have the other side.
 */
export const referencesTo = (content: Content, uid: string): readonly Reference[] =>
  attributesLike(
    content,
    (attribute) =>
      attribute.type === 'relation' &&
      !attribute.morph &&
      attribute.inverse !== true &&
      attribute.targets.includes(uid),
  );

type Test = (attribute: Attribute) => boolean;

/**
 * The attributes of content types that the user may list, and of components in them. Roles are not listed as entries
 * are, and refer to nothing.
 */
const attributesLike = (content: Content, isFound: Test): readonly Reference[] =>
  content.contentTypes
    .filter((type) => isListed(type) && type.actions.includes('find'))
    .flatMap((type) => pathsTo(content, type, isFound).map((way) => ({ type, ...way })));

function pathsTo(content: Content, model: Model, isFound: Test): readonly Omit<Reference, 'type'>[] {
  return model.attributes
    .filter(({ read }) => read)
    .flatMap((attribute) => {
      if (isFound(attribute)) return [{ path: [attribute.name], attribute }];
      const isZone = attribute.type === 'dynamiczone';
      if (attribute.type !== 'component' && !isZone) return [];
      return attribute.components.flatMap((component) =>
        pathsTo(content, componentOf(content, component), isFound).map((way) => ({
          ...way,
          path: [attribute.name, ...(isZone ? [ON, component] : []), ...way.path],
        })),
      );
    });
}

/** The names of the attributes and components on the way to a relation. */
export function stepsOf(content: Content, { type, path }: Pick<Reference, 'type' | 'path'>): readonly string[] {
  let model: Model = type;
  return path
    .filter((step) => step !== ON)
    .map((step) => {
      const part = content.components.find(({ uid }) => uid === step);
      const attribute = part === undefined ? model.attributes.find(({ name }) => name === step) : undefined;
      const name = part?.displayName ?? labelIn(model, step);
      if (part !== undefined) model = part;
      if (attribute?.type === 'component') model = componentOf(content, attribute.components[0] ?? '');
      return name;
    });
}

/** The queries for the entries that refer to an entry. */
export const referenceQueries = (
  content: Content,
  { type, path }: Reference,
  id: number,
  limit: number,
): readonly UsageQuery[] => inEachState(type, queryOf(content, type, conditionAt(path, { id: { $eq: id } }), limit));

/** A condition on an attribute, in filters. */
const conditionAt = (path: readonly string[], condition: object): object =>
  path.reduceRight<object>((inner, name) => ({ [name]: inner }), condition);

/** The query for entries with their titles, drafts and all localizations included. */
const queryOf = (content: Content, type: ContentType, filters: object, limit: number): object => ({
  ...linkFields(typeOf(content, type.uid)),
  filters,
  ...(type.draftAndPublish && { publicationState: 'preview' }),
  ...(type.localized && { locale: 'all' }),
  ...(type.plain ? { limit } : { pagination: { pageSize: limit } }),
});

/** A query for entries of a type that use a file, or refer to an entry. */
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
 * The queries for the entries that the user may list and that have one of these files in a field, or its address in a
 * text, also of a component; drafts and all localizations included. Of a type with working copies what is published and
 * what is prepared are asked for, because either may use it.
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
    return inParts(conditions).flatMap((part) => inEachState(type, queryOf(content, type, { $or: part }, limit)));
  });
}

/** A query for what is prepared, and for what is published: either may use something. */
const inEachState = (type: ContentType, query: object): readonly UsageQuery[] => [
  { type, query },
  ...(type.workingCopies === true ? [{ type, query: { ...query, publicationState: 'live' } }] : []),
];

/** What comes after an address in a text, so that it is no longer one: in Markdown, HTML and JSON. */
const endsOfAddress = [')', ' ', '"', '\\', '#', '?', '>'] as const;

/**
 * The queries for the entries with a text that links to an address: among words, or at the end of a text of one line,
 * such as the address of a button.
 * @param address a path of the site, which addresses with its server end with, too
 */
export function linkQueries(content: Content, address: string, limit: number): readonly UsageQuery[] {
  const texts = attributesLike(content, hasText);
  return content.contentTypes.flatMap((type) => {
    const conditions = texts
      .filter((reference) => reference.type === type)
      .flatMap(({ path, attribute }) =>
        attribute.type === 'string'
          ? [conditionAt(path, { $endsWith: address })]
          : endsOfAddress.map((end) => conditionAt(path, { $contains: `${address}${end}` })),
      );
    return inParts(conditions).flatMap((part) => inEachState(type, queryOf(content, type, { $or: part }, limit)));
  });
}

/** What the addresses of a file and of all its sizes have in common. */
const hashOf = ({ url }: UsedFile): string => url.replace(/^.*\//, '').replace(/\.\w+$/, '');

const inParts = <T>(list: readonly T[]): readonly (readonly T[])[] =>
  Array.from({ length: Math.ceil(list.length / MOST_CONDITIONS) }, (_, part) =>
    list.slice(part * MOST_CONDITIONS, (part + 1) * MOST_CONDITIONS),
  );
