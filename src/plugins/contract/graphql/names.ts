import type { Attribute, Component, ContentType, ScalarAttribute } from '../../../content-types/model/types.js';
import { pascalCase, typeName } from '../../../content-types/model/type-name.js';

/** Strapi v4's names of the GraphQL types and root fields of a content type. */
export interface TypeNames {
  /** `Article`, `UploadFile`: the attributes of an entry. */
  readonly type: string;
  readonly entity: string;
  readonly response: string;
  readonly collection: string;
  readonly relationCollection: string;
  readonly input: string;
  readonly filters: string;
  /** The unique values by which one entry is found. */
  readonly keyInput: string;
  /** `article`: the query for one entry, also of a single type. */
  readonly findOne: string;
  /** `articles` */
  readonly find: string;
  readonly create: string;
  readonly update: string;
  readonly delete: string;
}

/** As Strapi v4: only the first letter, so `I18NLocale` becomes `i18NLocale`. */
const lowerFirst = (name: string): string => name.charAt(0).toLowerCase() + name.slice(1);

export function namesOf(contentType: ContentType): TypeNames {
  const type = typeName(contentType);
  return {
    type,
    entity: `${type}Entity`,
    response: `${type}EntityResponse`,
    collection: `${type}EntityResponseCollection`,
    relationCollection: `${type}RelationResponseCollection`,
    input: `${type}Input`,
    filters: `${type}FiltersInput`,
    keyInput: `${type}KeyInput`,
    findOne: lowerFirst(type),
    find: lowerFirst(typeName({ ...contentType, singularName: contentType.pluralName })),
    create: `create${type}`,
    update: `update${type}`,
    delete: `delete${type}`,
  };
}

/** Strapi v4's names of the GraphQL types of a component. */
export type ComponentNames = Pick<TypeNames, 'type' | 'input' | 'filters'>;

export function componentNames(component: Component): ComponentNames {
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

/** The union of all targets of morph relations. */
export const GENERIC_MORPH = 'GenericMorph';
