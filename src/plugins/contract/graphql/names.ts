import lodash from 'lodash';
import type { Attribute, Component, ContentType, ScalarAttribute } from '../../../content-types/model/types.js';
import { pascalCase, typeName } from '../../../content-types/model/type-name.js';

export type TypeNames = ReturnType<typeof namesOf>;

/** Strapi v4's names of the GraphQL types and root fields of a content type. */
export function namesOf(contentType: ContentType) {
  const type = typeName(contentType);
  const find = lodash.lowerFirst(typeName({ ...contentType, singularName: contentType.pluralName }));
  return {
    /** `Article`, `UploadFile`: the attributes of an entry. */
    type,
    entity: `${type}Entity`,
    response: `${type}EntityResponse`,
    collection: `${type}EntityResponseCollection`,
    relationCollection: `${type}RelationResponseCollection`,
    input: `${type}Input`,
    filters: `${type}FiltersInput`,
    /** The unique values by which one entry is found. */
    keyInput: `${type}KeyInput`,
    /** `article`, `i18NLocale`: the query for one entry, also of a single type. */
    findOne: lodash.lowerFirst(type),
    /** `articles` */
    find,
    /**
     * `articles_aggregate`: groups of entries. The names of content types have no underscore, so none collides with it.
     */
    aggregate: `${find}_aggregate`,
    create: `create${type}`,
    update: `update${type}`,
    delete: `delete${type}`,
  };
}

/** Strapi v4's names of the GraphQL types of a component. */
export function componentNames(component: Component) {
  const type = typeName(component);
  return { type, input: `${type}Input`, filters: `${type}FiltersInput` };
}

/** The enum of an enumeration: `ENUM_ARTICLE_KIND`, or the name in its definition. */
export const enumName = (model: ContentType | Component, { name, enumName: ownName }: ScalarAttribute): string =>
  ownName ?? `ENUM_${typeName(model).toUpperCase()}_${name.toUpperCase()}`;

/** The union of a dynamic zone: `ArticleBlocksDynamicZone`. */
export const zoneName = (model: ContentType | Component, { name }: Attribute): string =>
  `${typeName(model)}${pascalCase(name)}DynamicZone`;

/** The input scalar for components of a dynamic zone. */
export const zoneInputName = (model: ContentType | Component, attribute: Attribute): string =>
  `${zoneName(model, attribute)}Input`;

/** The input that filters by the components of a dynamic zone, by the names of their types. */
export const zoneFiltersName = (model: ContentType | Component, attribute: Attribute): string =>
  `${zoneName(model, attribute)}FiltersInput`;

/**
 * A type of what groups of entries have: `Article_Key`. No other generated name has an underscore, except those of
 * enumerations.
 */
export const groupTypeName = (model: ContentType | Component, what: string): string => `${typeName(model)}_${what}`;

/** The union of all targets of morph relations. */
export const GENERIC_MORPH = 'GenericMorph';
