import type { Data } from '../../../../config/record.js';
import { attributeTypes } from '../../../../content-types/model/attribute-types.js';
import { AppError } from '../../../../errors/app-error.js';
import type {
  Attribute,
  Attributes,
  ContentType,
  RelationAttribute,
  ScalarAttribute,
} from '../../../../content-types/model/types.js';
import { componentsBelow, componentsIn, isComponentList } from '../../../../content-types/model/walk.js';
import { misshape } from '../../../../mongo/maintenance/check/scalar-shapes.js';
import { ownerKey, type StagedLink } from '../../../../mongo/maintenance/staged-links.js';
import { componentPath } from '../../../../query/mutation.js';

/** The sources of an entry's values, and the callback for lost ones. */
interface Filling {
  /** The links of an entry or a component. */
  readonly linksOf: (owner: string) => readonly StagedLink[];
  /** The entry that a link of the source leads to; undefined: it has none; `hidden`: Strapi never shows it there. */
  readonly entryOf: (link: StagedLink) => number | 'hidden' | undefined;
  /** Claims the target for this entry; false if another one already has it. */
  readonly tryClaim: (attribute: RelationAttribute, target: number) => boolean;
  /** Paths of skipped values: another entry has them, and they must be unique. */
  readonly without: ReadonlySet<string>;
  readonly lose: (path: string, rule: string) => void;
}

interface Position {
  readonly owner: string;
  /** Before the names of attributes. */
  readonly prefix: string;
  readonly top: boolean;
}

/** An entry with its links, as a client would write it; values that cannot be stored are skipped and reported. */
export const fillEntry = ({ uid, attributes }: ContentType, id: number, data: Data, filling: Filling): Data =>
  fill(data, attributes, { owner: ownerKey(uid, id), prefix: '', top: true }, filling);

/** The values of an entry or a component, with its links in their attributes. */
function fill(data: Data, attributes: Attributes, position: Position, filling: Filling): Data {
  const filled = [...attributes.values()].flatMap((attribute) => {
    const value = fillValue(data[attribute.name] ?? null, attribute, position, filling);
    return value === undefined ? [] : [[attribute.name, value] as const];
  });
  return Object.fromEntries([['id', data['id']], ...filled]);
}

function fillValue(value: unknown, attribute: Attribute, position: Position, filling: Filling): unknown {
  const path = position.prefix + attribute.name;
  switch (attribute.kind) {
    case 'scalar':
      return value === null || filling.without.has(path) ? undefined : readScalar(value, attribute, path, filling);
    case 'relation':
      return attribute.side === 'owner' ? readRelation(attribute, position, path, filling) : undefined;
    case 'morph':
      return targetsOf(attribute, position, path, filling).map(({ type, id }) => ({ __type: type, id }));
    case 'morphed':
      return undefined;
    case 'component':
    case 'zone': {
      const components = componentsIn(value, attribute).flatMap(({ data, component }) => {
        if (component === undefined) {
          filling.lose(path, `does not allow the component "${String(data['__component'])}"`);
          return [];
        }
        const { uid, attributes } = component;
        const id = Number(data['id']);
        const zone = attribute.kind === 'zone' ? uid : undefined;
        const within = { owner: ownerKey(uid, id), prefix: `${componentPath(path, id, zone)}.`, top: false };
        const filled = fill(data, attributes, within, filling);
        return [zone === undefined ? filled : { __component: zone, ...filled }];
      });
      return isComponentList(attribute) ? components : components[0];
    }
    default:
      return attribute satisfies never;
  }
}

/** A value that can be stored unchanged; otherwise undefined. */
function readScalar(value: unknown, attribute: ScalarAttribute, path: string, { lose }: Filling): unknown {
  const { cast, encode } = attributeTypes[attribute.type];
  const written = cast(value);
  try {
    const expected = misshape(encode(written, attribute.dialect), attribute);
    if (expected === undefined) return written;
    lose(path, `must be ${expected}`);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    lose(path, error.message);
  }
  return undefined;
}

function readRelation(attribute: RelationAttribute, position: Position, path: string, filling: Filling): unknown {
  const links = targetsOf(attribute, position, path, filling).filter(({ type, id }) => {
    if (type !== attribute.target.uid) {
      filling.lose(path, `refers to ${type}, but must refer to ${attribute.target.uid}`);
      return false;
    }
    const free = !position.top || filling.tryClaim(attribute, id);
    if (!free) filling.lose(path, `refers to ${type} ${id}, which already belongs to another entry`);
    return free;
  });
  return links.map(({ id }) => id);
}

/** The links of an attribute that lead to something. */
function targetsOf(
  { name }: Attribute,
  { owner }: Position,
  path: string,
  { linksOf, entryOf, lose }: Filling,
): readonly StagedLink[] {
  const seen = new Set<string>();
  return linksOf(owner).flatMap((link) => {
    const { field, type, id } = link;
    if (field !== name) return [];
    const entry = entryOf(link);
    // Strapi v3 keeps some links on both sides, Strapi 5 some to both rows of an entry.
    if (entry === 'hidden' || seen.has(`${type} ${entry ?? id}`)) return [];
    seen.add(`${type} ${entry ?? id}`);
    if (entry === undefined) lose(path, `refers to ${type} ${id}, which does not exist`);
    return entry === undefined ? [] : [{ ...link, id: entry }];
  });
}

/** The keys that the links of an entry and its components are found by. */
export const ownersIn = ({ uid, attributes }: ContentType, id: number, entry: Data): readonly string[] => [
  ownerKey(uid, id),
  ...[...componentsBelow(entry, attributes)].map(({ data, component }) => ownerKey(component.uid, Number(data['id']))),
];
