import { componentOf, typeOf, type Content, type ContentType, type Model } from './schema.js';
import { linkFields } from './selection.js';

/** A relation that can lead to an entry: an attribute of a content type, or of a component in it. */
export interface Reference {
  readonly type: ContentType;
  readonly path: readonly string[];
}

/** The relations to a content type. Dynamic zones and relations to any type are left out: lists cannot be filtered by them. */
export const referencesTo = (content: Content, uid: string): readonly Reference[] =>
  content.contentTypes
    .filter(({ actions }) => actions.includes('find'))
    .flatMap((type) => pathsTo(content, type, uid, []).map((path) => ({ type, path })));

function pathsTo(
  content: Content,
  model: Model,
  uid: string,
  above: readonly string[],
): readonly (readonly string[])[] {
  return model.attributes
    .filter(({ read }) => read)
    .flatMap((attribute) => {
      if (attribute.type === 'relation')
        return !attribute.morph && attribute.targets.includes(uid) ? [[attribute.name]] : [];
      const component = attribute.type === 'component' ? (attribute.components[0] ?? '') : '';
      // A component that contains itself has no end.
      if (component === '' || above.includes(component)) return [];
      const inner = pathsTo(content, componentOf(content, component), uid, [...above, component]);
      return inner.map((path) => [attribute.name, ...path]);
    });
}

/** The query for the entries that refer to an entry, drafts and all localizations included. */
export function referenceQuery(content: Content, { type, path }: Reference, id: number, limit: number): object {
  const filters = path.reduceRight<object>((inner, name) => ({ [name]: inner }), { id: { $eq: id } });
  return {
    ...linkFields(typeOf(content, type.uid)),
    filters,
    ...(type.draftAndPublish && { publicationState: 'preview' }),
    ...(type.localized && { locale: 'all' }),
    ...(type.plain ? { limit } : { pagination: { pageSize: limit } }),
  };
}
