import type {
  Attribute,
  Component,
  ComponentAttribute,
  ContentType,
  RelationAttribute,
  ScalarAttribute,
  ScalarType,
  ZoneAttribute,
} from '../../src/content-types/model/types.js';
import { isScalar } from '../../src/query/ast.js';
import { isReadable } from '../../src/query/visibility.js';
import type { Choices } from '../property/choices.js';
import { valuesOf } from '../property/values.js';

/** Conditions as both transports can say them: operators without `$`. */
export type Conditions = Readonly<Record<string, unknown>>;

/** Which entries or components of a list, and in which order. */
export interface Listing {
  readonly filters: Conditions | undefined;
  readonly sort: readonly string[];
  readonly start: number;
  readonly limit: number;
  readonly state: 'live' | 'preview' | undefined;
}

/** The requested attributes of an entry or component. */
export interface Values {
  readonly scalars: readonly ScalarAttribute[];
  readonly nested: readonly Nested[];
}

export type Nested =
  | {
      readonly attribute: RelationAttribute | ComponentAttribute;
      /** Undefined where there is only one. */
      readonly listing: Listing | undefined;
      readonly values: Values;
    }
  | { readonly attribute: ZoneAttribute; readonly on: ReadonlyMap<string, Values> };

/** A list of entries, wanted from either transport. */
export interface Wish {
  readonly type: ContentType;
  readonly listing: Listing;
  readonly values: Values;
}

/** How deep relations and components are wanted within one another. */
const DEEPEST = 3;

const compared = ['eq', 'ne', 'gt', 'gte', 'lt', 'lte'] as const;
const searched = [
  'eqi',
  'nei',
  'contains',
  'notContains',
  'containsi',
  'notContainsi',
  'startsWith',
  'endsWith',
] as const;
const texts = new Set<ScalarType>(['string', 'text', 'richtext', 'uid', 'email', 'enumeration']);
/** Of these GraphQL has no values to compare with, or they have no order. */
const incomparable = new Set<ScalarType>(['json', 'blocks', 'array', 'password']);

export function randomWish(types: readonly ContentType[], choices: Choices): Wish {
  const { below, oneOf, chance } = choices;

  function listing(of: ContentType | Component): Listing {
    const fields = comparable(of);
    const sort = chance(60) && fields.length > 0 ? [`${oneOf(fields).name}:${oneOf(['asc', 'desc'])}`] : [];
    const isType = of.kind !== 'component';
    return {
      filters: chance(60) ? conditions(of, 0) : undefined,
      sort: isType && sort.length > 0 ? [...sort, 'id'] : sort,
      start: below(3),
      limit: 1 + below(8),
      state: isType && of.draftAndPublish ? oneOf(['live', 'preview']) : undefined,
    };
  }

  function conditions(of: ContentType | Component, level: number): Conditions {
    if (level < 3 && chance(20)) {
      return { [oneOf(['and', 'or'])]: Array.from({ length: 1 + below(2) }, () => conditions(of, level + 1)) };
    }
    if (level < 3 && chance(15)) return { not: conditions(of, level + 1) };
    const deep = level < 3 && chance(40) ? [...of.attributes.values()].filter(isFiltered) : [];
    if (deep.length > 0) {
      const attribute = oneOf(deep);
      return { [attribute.name]: conditions(behind(attribute), level + 1) };
    }
    const fields = comparable(of);
    if (fields.length === 0 || (of.kind !== 'component' && chance(15)))
      return { id: { in: [1 + below(20), 1 + below(20)] } };
    const field = oneOf(fields);
    return { [field.name]: condition(field) };
  }

  function condition(field: ScalarAttribute): Conditions {
    if (chance(15)) return { [oneOf(['null', 'notNull'])]: chance(50) };
    const value = (): unknown => {
      const values = valuesOf(field);
      return values.length > 0 ? oneOf(values) : 1;
    };
    if (chance(15)) return { [oneOf(['in', 'notIn'])]: [value(), value()] };
    if (chance(10)) return { not: { eq: value() } };
    return { [texts.has(field.type) && chance(50) ? oneOf(searched) : oneOf(compared)]: value() };
  }

  function values(of: ContentType | Component, level: number): Values {
    const attributes = [...of.attributes.values()].filter((attribute) => isReadable(attribute, 'client'));
    return {
      // Attributes that responses may omit are ours: GraphQL has the schema of Strapi v4.
      scalars: attributes.filter(isScalar).filter(({ omitsNull }) => omitsNull !== true && chance(40)),
      nested:
        level === DEEPEST ? [] : attributes.flatMap((attribute) => (chance(35) ? nested(attribute, level + 1) : [])),
    };
  }

  function nested(attribute: Attribute, level: number): readonly Nested[] {
    switch (attribute.kind) {
      case 'relation': {
        const { target, many } = attribute;
        return target.uid.startsWith('admin::')
          ? []
          : [{ attribute, listing: many ? listing(target) : undefined, values: values(target, level) }];
      }
      case 'component': {
        const { component, repeatable } = attribute;
        return [{ attribute, listing: repeatable ? listing(component) : undefined, values: values(component, level) }];
      }
      case 'zone': {
        const on = [...attribute.components].map(([uid, component]) => [uid, values(component, level)] as const);
        return [{ attribute, on: new Map(on) }];
      }
      case 'scalar':
      case 'morph':
      case 'morphed':
        return [];
      default:
        return attribute satisfies never;
    }
  }

  const type = oneOf(types);
  return { type, listing: listing(type), values: values(type, 0) };
}

const comparable = (of: ContentType | Component): readonly ScalarAttribute[] =>
  [...of.attributes.values()]
    .filter(isScalar)
    .filter((attribute) => isReadable(attribute, 'client') && !incomparable.has(attribute.type));

type Filtered = RelationAttribute | ComponentAttribute;

/** Through what both transports filter: GraphQL has no filters on media. */
const isFiltered = (attribute: Attribute): attribute is Filtered =>
  isReadable(attribute, 'client') &&
  (attribute.kind === 'component' ||
    (attribute.kind === 'relation' && !attribute.media && attribute.target.uid.startsWith('api::')));

const behind = (attribute: Filtered): ContentType | Component =>
  attribute.kind === 'component' ? attribute.component : attribute.target;
