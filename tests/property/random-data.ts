import type { Db } from 'mongodb';
import type { Attribute, ContentType, Registry } from '../../src/content-types/model/types.js';
import type { Row, World } from '../support/evaluate-filter.js';
import type { TestService } from '../../src/testing.js';
import type { Choices } from './choices.js';
import { valuesOf } from './values.js';

/** The content types of which there are entries: those of the owner, and files. */
export const filledTypes = ({ contentTypes }: Registry): readonly ContentType[] =>
  [...contentTypes.values()].filter(
    ({ uid, kind }) => kind === 'collectionType' && (uid.startsWith('api::') || uid === 'plugin::upload.file'),
  );

/**
 * Replaces all entries by `size` new ones of random types. Each leads to entries that were there before it, so that
 * links go in all directions.
 */
export async function fillWorld(
  { entries, registry, database }: TestService,
  size: number,
  choices: Choices,
): Promise<void> {
  const types = filledTypes(registry);
  for (const { collectionName } of types) await database.db.collection(collectionName).deleteMany({});
  const ids = new Map<string, number[]>(types.map(({ uid }) => [uid, []]));
  for (let serial = 0; serial < size; serial += 1) {
    const type = choices.oneOf(types);
    const { id } = await entries.create(type.uid, randomData(type, { choices, ids, serial }));
    ids.get(type.uid)?.push(id);
  }
}

/** All stored values, unchanged. */
export async function readWorld(db: Db, registry: Registry): Promise<World> {
  const rows = filledTypes(registry).map(async ({ uid, collectionName }): Promise<[string, readonly Row[]]> => [
    uid,
    await db
      .collection(collectionName)
      .find({}, { sort: { _id: 1 }, useBigInt64: true })
      .toArray(),
  ]);
  return new Map(await Promise.all(rows));
}

export interface Filling {
  readonly choices: Choices;
  /** The entries that there are, by uid. */
  readonly ids: ReadonlyMap<string, readonly number[]>;
  readonly serial: number;
}

type Data = Readonly<Record<string, unknown>>;

/** Attributes that the service looks after. */
export const theirs = new Set(['publishedAt', 'locale', 'localizations']);

/** The values of a new entry or component. */
export function randomData({ attributes }: Pick<ContentType, 'attributes'>, filling: Filling): Data {
  const written = [...attributes.values()].filter(({ writable, name }) => writable && !theirs.has(name));
  const data = written.map((attribute) => [attribute.name, randomValue(attribute, filling)] as const);
  const draft = attributes.has('publishedAt') && filling.choices.chance(30) && { publishedAt: null };
  return { ...Object.fromEntries(data.filter(([, value]) => value !== undefined)), ...draft };
}

/** A value of an attribute. Undefined: nothing is written. */
export function randomValue(attribute: Attribute, filling: Filling): unknown {
  const { choices, ids, serial } = filling;
  const some = <T>(most: number, make: () => T): readonly T[] =>
    Array.from({ length: choices.below(most + 1) }, () => make());
  switch (attribute.kind) {
    case 'scalar': {
      if (!attribute.required && choices.chance(30)) return attribute.default === undefined ? undefined : null;
      if (attribute.type === 'email' && attribute.unique) return `ada${serial}@example.test`;
      if (attribute.unique || attribute.type === 'uid') return `key-${serial}`;
      const values = valuesOf(attribute);
      return values.length > 0 ? choices.oneOf(values) : undefined;
    }
    case 'relation': {
      const targets = ids.get(attribute.target.uid) ?? [];
      if (attribute.side === 'inverse' || targets.length === 0) return undefined;
      const linked = some(attribute.many ? 3 : 1, () => choices.oneOf(targets));
      return attribute.many ? [...new Set(linked)] : linked[0];
    }
    case 'morph': {
      const targets = [...ids].flatMap(([type, list]) => list.map((id) => ({ __type: type, id })));
      if (targets.length === 0) return undefined;
      const links = some(attribute.many ? 3 : 1, () => choices.oneOf(targets));
      return attribute.many ? links : links[0];
    }
    case 'component': {
      const make = (): Data => randomData(attribute.component, filling);
      if (!attribute.repeatable) return attribute.required || choices.chance(60) ? make() : undefined;
      const { min = 0, max = 3 } = attribute;
      return Array.from({ length: min + choices.below(Math.min(max, 3) - min + 1) }, make);
    }
    case 'zone': {
      const { components, min = 0, max = 3 } = attribute;
      const make = (): Data => {
        const component = choices.oneOf([...components.values()]);
        return { __component: component.uid, ...randomData(component, filling) };
      };
      return Array.from({ length: min + choices.below(Math.min(max, 3) - min + 1) }, make);
    }
    case 'morphed':
      return undefined;
    default:
      return attribute satisfies never;
  }
}
