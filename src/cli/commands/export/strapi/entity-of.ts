import type { Data } from '../../../../config/record.js';
import { attributeTypes } from '../../../../content-types/model/attribute-types.js';
import type {
  Attribute,
  Component,
  ContentType,
  MorphAttribute,
  RelationAttribute,
} from '../../../../content-types/model/types.js';
import { componentsIn, isComponentList } from '../../../../content-types/model/walk.js';
import { storedRanks } from '../../../../mongo/stored/relation.js';
import type { MorphLink } from '../../../../query/mutation.js';
import type { Template } from './read-template.js';

/** A line of `entities/`. */
export interface Entity {
  readonly type: string;
  readonly id: number;
  readonly data: Data;
}

/** One side of a line of `links/`. */
interface End {
  readonly type: string;
  readonly ref: number | string;
  readonly field?: string | null;
  readonly pos?: number;
}

/** A line of `links/`. */
export interface Link {
  readonly kind: 'relation.basic' | 'relation.circular' | 'relation.morph';
  readonly relation: string;
  readonly left: End;
  readonly right: End;
}

export interface Encoding {
  readonly schemas: Template['schemas'];
  /**
   * The rows that a link to an entry leads to. There are none where it is not stored: links to it are left out, as
   * reads leave them out.
   */
  readonly targetsOf: (type: string, id: number) => readonly number[];
  readonly componentIdOf: (uid: string, id: number) => number;
  /** Localizations lead to each other by their ids. */
  readonly linksLocalizations: boolean;
}

/** The owner of values: an entry or a component. */
type Owner = Pick<ContentType | Component, 'uid' | 'attributes'>;

/** A row, and the links of it and of its components. */
export interface Row {
  readonly entity: Entity;
  readonly links: readonly Link[];
}

/**
 * A stored entry as `strapi export` writes it: its values with its components, and its links and theirs. The reverse of
 * what an import makes of them.
 * @param id of the row
 */
export function entityOf(type: ContentType, document: Data, id: number, encoding: Encoding): Row {
  const links: Link[] = [];
  const { id: _, ...data } = dataOf(type, document, id, encoding, links);
  return { entity: { type: type.uid, id, data }, links };
}

function dataOf(owner: Owner, stored: Data, id: number, encoding: Encoding, links: Link[]): Data {
  const known = encoding.schemas.get(owner.uid)?.attributes ?? {};
  const values = [...owner.attributes.values()].flatMap((attribute) => {
    const schema = known[attribute.name];
    if (schema === undefined) return [];
    const value = stored[attribute.name];
    switch (attribute.kind) {
      case 'scalar': {
        const { decode = same } = attributeTypes[attribute.type];
        // Strapi would store the default of the attribute for a missing value.
        return [
          [attribute.name, value === undefined || value === null ? null : decode(value, attribute.dialect)] as const,
        ];
      }
      case 'relation':
        if (attribute.side === 'owner' && (encoding.linksLocalizations || attribute.name !== 'localizations'))
          links.push(...linksOf(owner, attribute, stored, id, encoding, schema));
        return [];
      case 'morph':
        links.push(...morphLinksOf(owner, attribute, value, id, encoding));
        return [];
      case 'morphed':
        return [];
      case 'component':
      case 'zone':
        return [[attribute.name, componentsOf(attribute, value, encoding, links)] as const];
      default:
        return attribute satisfies never;
    }
  });
  return { id, ...Object.fromEntries(values) };
}

const same = (value: unknown): unknown => value;

function componentsOf(
  attribute: Extract<Attribute, { readonly kind: 'component' | 'zone' }>,
  value: unknown,
  encoding: Encoding,
  links: Link[],
): unknown {
  const components = componentsIn(value, attribute).flatMap(({ data, component }) => {
    if (component === undefined) return [];
    const number = encoding.componentIdOf(component.uid, Number(data['id']));
    const { id, ...encoded } = dataOf(component, data, number, encoding, links);
    return [{ ...(attribute.kind === 'zone' && { __component: component.uid }), id, ...encoded }];
  });
  return isComponentList(attribute) ? components : (components[0] ?? null);
}

/** Positions are counted from 1; on the other side they are the ranks. */
function linksOf(
  { uid }: Owner,
  attribute: RelationAttribute,
  stored: Data,
  id: number,
  { targetsOf }: Encoding,
  { relation }: Data,
): readonly Link[] {
  const { name, target, many, media, inverse } = attribute;
  const ranks = storedRanks(stored, name);
  const isOtherList = isInverseList(attribute);
  const targets = idsOf(stored[name]).flatMap((entry, index) =>
    targetsOf(target.uid, entry).map((ref) => ({ ref, index })),
  );
  return targets.map(({ ref, index }): Link => {
    const pos = index + 1;
    if (media) return morphLink({ type: target.uid, ref, field: 'related' }, { ref: id, pos, type: uid, field: name });
    const left = { type: uid, field: name, ref: id, ...(many && { pos }) };
    const right = {
      type: target.uid,
      ...(inverse !== undefined && { field: inverse }),
      ref,
      ...(isOtherList && { pos: Number(ranks[index] ?? 0) }),
    };
    const kind = target.uid === uid ? 'relation.circular' : 'relation.basic';
    return { kind, relation: String(relation), left, right };
  });
}

const isInverseList = ({ inverse, target }: RelationAttribute): boolean => {
  const other = inverse === undefined ? undefined : target.attributes.get(inverse);
  return other?.kind === 'relation' && other.many;
};

function morphLinksOf(
  { uid }: Owner,
  { name, many }: MorphAttribute,
  value: unknown,
  id: number,
  { targetsOf }: Encoding,
): readonly Link[] {
  const targets = (listOf(value) as readonly MorphLink[]).flatMap(({ __type: type, id: entry }, index) =>
    targetsOf(type, entry).map((ref) => ({ type, ref, pos: index + 1 })),
  );
  const left = { type: uid, field: name, ref: id };
  return targets.map(({ type, ref, pos }) =>
    many
      ? morphLink(left, { ref, pos, type, field: null })
      : { kind: 'relation.morph' as const, relation: 'morphToOne', left, right: { type, ref } },
  );
}

const morphLink = (left: End, right: End): Link => ({ kind: 'relation.morph', relation: 'morphToMany', left, right });

const listOf = (value: unknown): readonly unknown[] => [value ?? []].flat();
const idsOf = (value: unknown): readonly number[] => listOf(value).map(Number);
