import { componentOf, labelOf, typeOf, type Attribute, type Content, type ContentType, type Model } from './schema.js';
import { linkFields } from './selection.js';

/** A relation that can lead to an entry: an attribute of a content type, or of a component in it. */
export interface Reference {
  readonly type: ContentType;
  /** As in filters: in a dynamic zone `$on` and the uid of the component precede the attribute. */
  readonly path: readonly string[];
}

const ON = '$on';

/** The relations to a content type. Relations to any type are left out: lists cannot be filtered by them. */
export const referencesTo = (content: Content, uid: string): readonly Reference[] =>
  attributesLike(
    content,
    (attribute) => attribute.type === 'relation' && !attribute.morph && attribute.targets.includes(uid),
  );

type Test = (attribute: Attribute) => boolean;

/** The attributes of content types that the user may list, and of components in them. */
export const attributesLike = (content: Content, isFound: Test): readonly Reference[] =>
  content.contentTypes
    .filter(({ actions }) => actions.includes('find'))
    .flatMap((type) => pathsTo(content, type, isFound).map((path) => ({ type, path })));

function pathsTo(content: Content, model: Model, isFound: Test): readonly (readonly string[])[] {
  return model.attributes
    .filter(({ read }) => read)
    .flatMap((attribute) => {
      if (isFound(attribute)) return [[attribute.name]];
      const isZone = attribute.type === 'dynamiczone';
      if (attribute.type !== 'component' && !isZone) return [];
      return attribute.components.flatMap((component) =>
        pathsTo(content, componentOf(content, component), isFound).map((path) => [
          attribute.name,
          ...(isZone ? [ON, component] : []),
          ...path,
        ]),
      );
    });
}

/** The names of the attributes and components on the way to a relation. */
export const stepsOf = (content: Content, { path }: Reference): readonly string[] =>
  path
    .filter((step) => step !== ON)
    .map((step) => content.components.find(({ uid }) => uid === step)?.displayName ?? labelOf(step));

/** The query for the entries that refer to an entry. */
export const referenceQuery = (content: Content, { type, path }: Reference, id: number, limit: number): object =>
  queryOf(content, type, conditionAt(path, { id: { $eq: id } }), limit);

/** A condition on an attribute, in filters. */
export const conditionAt = (path: readonly string[], condition: object): object =>
  path.reduceRight<object>((inner, name) => ({ [name]: inner }), condition);

/** The query for entries with their titles, drafts and all localizations included. */
export const queryOf = (content: Content, type: ContentType, filters: object, limit: number): object => ({
  ...linkFields(typeOf(content, type.uid)),
  filters,
  ...(type.draftAndPublish && { publicationState: 'preview' }),
  ...(type.localized && { locale: 'all' }),
  ...(type.plain ? { limit } : { pagination: { pageSize: limit } }),
});
