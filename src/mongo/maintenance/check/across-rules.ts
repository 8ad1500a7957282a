import type { Db } from 'mongodb';
import type { Attribute, ContentType } from '../../../content-types/model/types.js';
import { isExclusive } from '../../../query/mutation.js';
import { lastIdsIn, type Counter } from '../../write/component-ids.js';
import { findMissing } from '../../read/missing-targets.js';
import type { Finding } from './violation.js';
import { createIdSet, type IdSet } from './id-set.js';
import { isFields, isId } from './stored-kinds.js';
import type { HeldLink, Scan } from './scan.js';
import type { Rule } from './value-rules.js';

/** The last numbers that were given out. */
export interface LastNumbers {
  /** For each content type and each kind of component, by uid. */
  readonly ids: ReadonlyMap<string, number>;
  /** For each content type, by uid. */
  readonly ranks: ReadonlyMap<string, number>;
}

export async function readLastNumbers(db: Db): Promise<LastNumbers> {
  const found = await db.collection<Counter & { id?: number; rank?: number }>('_counters').find().toArray();
  const own = found.map(({ _id, id = 0 }) => [_id, id] as const);
  // Components last: imports have left counters of entries under their names.
  return {
    ids: new Map([...own, ...found.flatMap(lastIdsIn)]),
    ranks: new Map(found.map(({ _id, rank = 0 }) => [_id, rank])),
  };
}

/** Ids, and the numbers of shared values and of replaced links, were given out by their counter. */
export function withinCounters({ ids, ranks }: LastNumbers): Rule {
  return ({ type, document: { _id, _at: stamps, _set: sets }, components: held }) => {
    const own = ids.get(type.uid) ?? 0;
    const numbers = (field: string, kept: unknown, uidOf: (name: string) => string | undefined): readonly Finding[] =>
      Object.entries(isFields(kept) ? kept : {}).flatMap(([name, number]) => {
        const last = ranks.get(uidOf(name) ?? '') ?? 0;
        if (!(Number(number) > last)) return [];
        return [{ path: `${field}.${name}`, rule: `is above ${last}, the last number that was given out` }];
      });
    return [
      ...(isId(_id) && _id > own ? [{ path: '_id', rule: `is above ${own}, the last id that was given out` }] : []),
      ...held.flatMap(({ path, value, component }) => {
        const given = component === undefined ? 0 : (ids.get(component.uid) ?? 0);
        if (component === undefined || idOf(value) <= given) return [];
        return [{ path, rule: `has an id above ${given}, the last one that was given to a ${component.uid}` }];
      }),
      ...numbers('_at', stamps, () => type.uid),
      ...numbers('_set', sets, (name) => targetOf(type.attributes.get(name))?.uid),
    ];
  };
}

const targetOf = (attribute: Attribute | undefined): ContentType | undefined =>
  attribute?.kind === 'relation' || attribute?.kind === 'morphed' ? attribute.target : undefined;

/** No two components of the same kind in the whole database have the same id; `seen` is by kind. */
export const onceIn =
  (seen: Map<string, IdSet>, { ids: last }: LastNumbers): Rule =>
  ({ components }) =>
    components.flatMap(({ path, value, component }) => {
      if (component === undefined) return [];
      const id = idOf(value);
      const { uid } = component;
      const ids = seen.get(uid) ?? createIdSet();
      seen.set(uid, ids);
      // Those above the counter are named already; remembering them could take any amount of memory.
      const isKnown = id > 0 && id <= (last.get(uid) ?? 0) && !ids.add(id);
      return isKnown ? [{ path, rule: `has the id of another ${uid}` }] : [];
    });

const idOf = (component: unknown): number => (isFields(component) && isId(component['id']) ? component['id'] : 0);

/** A single type has one entry, or one per locale; `first` keeps the first of each. */
export const soleEntry =
  (first: Map<string, string>): Rule =>
  ({ type, document: { _id, locale = '' } }) => {
    if (type.kind !== 'singleType') return [];
    const other = first.get(String(locale));
    if (other === undefined) first.set(String(locale), String(_id));
    if (other === undefined) return [];
    const where = locale === '' ? '' : ` in the locale ${String(locale)}`;
    return [{ path: '', rule: `is one entry too many${where}: the single type has ${other}` }];
  };

/** Ids that one command asks for, and the milliseconds that it may take. */
const AT_ONCE = 10_000;
const TIMEOUT = 60_000;

/** Every id leads to an entry. Former `admin::user`s may stay: there is no admin panel that could show them. */
export async function targetsAreThere(db: Db, surveys: readonly Scan[]): Promise<Rule> {
  const missing = new Set<string>();
  for (const links of slices(distinct(surveys))) {
    const targets = new Map<ContentType, Set<number>>();
    for (const { target, id } of links) targets.set(target, (targets.get(target) ?? new Set()).add(id));
    for (const [{ uid }, ids] of await findMissing(db, targets, TIMEOUT))
      for (const id of ids) missing.add(`${uid} ${id}`);
  }
  return ({ type, links }) =>
    links.flatMap((link) => {
      const { path, target, id } = link;
      if (!missing.has(`${target.uid} ${id}`)) return [];
      return [{ path, rule: `leads to ${target.uid} ${id}, which is not there`, ...forget(type, link) }];
    });
}

/** Takes what is not there out of all entries of a type. */
function forget(type: ContentType, { path, target, id, referred }: HeldLink): Pick<Finding, 'mend'> {
  if (referred) return { mend: { kind: 'forget', type, target, id } };
  const attribute = type.attributes.get(path);
  if (attribute?.kind !== 'relation') return {};
  return { mend: { kind: 'unlink', type, attribute, targets: [id], owners: { except: [] } } };
}

function distinct(surveys: readonly Scan[]): readonly HeldLink[] {
  const links = surveys.flatMap((survey) => survey.links).filter(({ target }) => target.uid !== 'admin::user');
  return [...new Map(links.map((link) => [`${link.target.uid} ${link.id}`, link])).values()];
}

const slices = <T>(list: readonly T[]): readonly (readonly T[])[] =>
  Array.from({ length: Math.ceil(list.length / AT_ONCE) }, (_, index) =>
    list.slice(index * AT_ONCE, (index + 1) * AT_ONCE),
  );

/** In a bidirectional one-to-one relation no two owners hold the same entry. */
export async function ownersAreSole(db: Db, type: ContentType, surveys: readonly Scan[]): Promise<Rule> {
  const owners = new Map<string, number[]>();
  const relations = new Set(surveys.flatMap((survey) => survey.relations).map(({ attribute }) => attribute));
  for (const { name } of [...relations].filter(isExclusive)) {
    const ids = surveys.flatMap(({ document }) => [document[name]].flat()).filter(isId);
    const found = db
      .collection<{ _id: number; [name: string]: unknown }>(type.collectionName)
      .find({ [name]: { $in: ids } }, { projection: { [name]: 1 } });
    for await (const { _id, [name]: value } of found) {
      for (const id of [value].flat()) {
        const key = `${name} ${String(id)}`;
        owners.set(key, [...(owners.get(key) ?? []), _id]);
      }
    }
  }
  return ({ document: { _id }, links }) =>
    links.flatMap(({ path, target, id }) => {
      const others = (owners.get(`${path} ${id}`) ?? []).filter((owner) => owner !== _id);
      if (others.length === 0) return [];
      const rule = `leads to ${target.uid} ${id}, which ${others.join(', ')} holds too: one must let go`;
      const attribute = type.attributes.get(path);
      const isFirst = attribute?.kind === 'relation' && others.every((owner) => owner > Number(_id));
      const except = [Number(_id)];
      return [
        {
          path,
          rule,
          ...(isFirst && { mend: { kind: 'unlink', type, attribute, targets: [id], owners: { except } } as const }),
        },
      ];
    });
}
