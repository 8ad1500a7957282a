import qs from 'qs';
import type { ContentType, RelationAttribute } from '../../src/content-types/model/types.js';
import { isScalar } from '../../src/query/ast.js';
import { namesOf } from '../../src/plugins/contract/graphql/names.js';
import { asStrapi5Graphql } from '../parity/as-graphql.js';
import { asStrapi5 } from '../parity/as-strapi5.js';
import type { Wish } from '../parity/random-request.js';
import type { Choices } from './choices.js';
import { randomQueryInput } from './random-query-input.js';

/** A request; without a method it is a GET, or with a body a POST. */
export type Sent = readonly [
  type: ContentType,
  path: string,
  body?: object | undefined,
  method?: 'get' | 'post' | 'put' | 'delete',
];

interface Asking {
  readonly type: ContentType;
  readonly wish: Wish;
  /** What can be written. */
  readonly data: object;
  readonly documents: ReadonlyMap<ContentType, readonly string[]>;
  readonly ids: ReadonlyMap<ContentType, readonly number[]>;
  readonly choices: Choices;
}

/** Nothing has them. */
const [NO_DOCUMENT, NO_ID] = ['c0123456789012345678901a', 987_654];

/**
 * Requests to the addresses of Strapi 5: lists, and entries that a client knows by their documentIds. Writes are dry
 * runs.
 */
export function strapi5Requests(asking: Asking): readonly Sent[] {
  const { type, wish, data, choices } = asking;
  const { chance, oneOf } = choices;
  const document = documentOf(asking, type);
  const status = oneOf(['draft', 'published'] as const);
  const scope = (): object => ({
    status: oneOf(['draft', 'published']),
    ...(chance(50) && { locale: oneOf(['en', 'fr']) }),
  });
  const list = {
    ...randomQueryInput(type, choices),
    ...scope(),
    ...(chance(30) && { locale: '*' }),
    ...(chance(30) && { publicationFilter: oneOf(publicationFilters) }),
  };
  const one = `/v5/api/${type.pluralName}/${document}`;
  const dry = (): string => `${one}?${qs.stringify({ ...scope(), dryRun: true })}`;
  const byName = `{ ${namesOf(type).findOne}(documentId: "${document}", status: ${status.toUpperCase()}) { documentId } }`;
  const wrong = [...type.attributes.values()].find((attribute) => isScalar(attribute) && attribute.type === 'integer');
  return [
    [type, `/v5/api/${type.pluralName}?${qs.stringify(list)}`],
    [wish.type, asStrapi5(wish, status)],
    [wish.type, `/v5/graphql?${qs.stringify({ query: asStrapi5Graphql(wish, status) })}`],
    [type, `/v5/graphql?${qs.stringify({ query: byName })}`],
    [type, `${one}?${qs.stringify({ ...scope(), populate: '*' })}`],
    [type, dry(), { data }, 'put'],
    [type, dry(), { data: links(asking) }, 'put'],
    [type, dry(), { data: { ...links(asking), ...(wrong && { [wrong.name]: 'many' }) } }, 'put'],
    [type, dry(), { data: { nothing: 1 } }, 'put'],
    [type, dry(), undefined, 'delete'],
  ];
}

const publicationFilters = [
  'never-published',
  'never-published-document',
  'has-published-version-document',
  'modified',
  'unmodified',
];

const documentOf = ({ documents, choices }: Asking, type: ContentType): string =>
  choices.oneOf([...(documents.get(type) ?? []), NO_DOCUMENT]);

/** Data that names an entry of another type in one of the forms of a relation. */
function links(asking: Asking): object {
  const { type, ids, choices } = asking;
  const { chance, oneOf } = choices;
  const relations = [...type.attributes.values()].filter(
    (attribute): attribute is RelationAttribute =>
      attribute.kind === 'relation' && attribute.target.uid.startsWith('api::'),
  );
  if (relations.length === 0) return {};
  const { name, target } = oneOf(relations);
  const id = oneOf([...(ids.get(target) ?? []), NO_ID]);
  const documentId = documentOf(asking, target);
  const link = { documentId, ...(chance(30) && { locale: oneOf(['en', 'fr']) }) };
  const forms: readonly unknown[] = [
    link,
    documentId,
    id,
    { connect: [link] },
    { connect: [{ id }] },
    { disconnect: [link] },
    { connect: [{ documentId: documentOf(asking, target), position: { before: documentId } }] },
  ];
  return { [name]: oneOf(forms) };
}
