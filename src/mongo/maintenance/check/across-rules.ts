import lodash from 'lodash';
import type { Db } from 'mongodb';
import { entryTypeOf } from '../../../content-types/model/stored-types.js';
import type { ContentType } from '../../../content-types/model/types.js';
import { isExclusive } from '../../../content-types/model/exclusive.js';
import { lastIdsIn, type Counter } from '../../write/component-ids.js';
import { createTargetReader } from '../../read/missing-targets.js';
import { unlinked, type Finding } from './violation.js';
import { createIdSet, type IdSet } from './id-set.js';
import { isFields, isId } from './stored-kinds.js';
import type { HeldLink, Scan } from './scan-entry.js';
import type { Rule } from './value-rules.js';

/** The last allocated ids per content type and per component, by uid. */
export type LastIds = ReadonlyMap<string, number>;

/** The last ids that are allocated now, as the counters have them. */
export async function readLastIds(db: Db): Promise<LastIds> {
  const counters = await db.collection<Counter & { id?: number }>('_counters').find().toArray();
  const ids = counters.map(({ _id, id = 0 }) => [_id, id] as const);
  // Components last: imports have stored counters of entries under their names.
  return new Map([...ids, ...counters.flatMap(lastIdsIn)]);
}

/** Ids do not exceed their counters. */
export function withinCounters(last: LastIds): Rule {
  return ({ type, document: { _id }, components: componentIds }) => {
    const lastId = last.get(entryTypeOf(type).uid) ?? 0;
    return [
      ...(isId(_id) && _id > lastId ? [{ path: '_id', rule: `is above ${lastId}, the last allocated id` }] : []),
      ...componentIds.flatMap(({ path, value, component }) => {
        const lastComponentId = component === undefined ? 0 : (last.get(component.uid) ?? 0);
        if (component === undefined || idOf(value) <= lastComponentId) return [];
        return [{ path, rule: `has an id above ${lastComponentId}, the last allocated id of a ${component.uid}` }];
      }),
    ];
  };
}

/** Ids of components are unique in the database per component type; `seen` is by type. */
export const onceIn =
  (seen: Map<string, IdSet>, last: LastIds): Rule =>
  ({ components }) =>
    components.flatMap(({ path, value, component }) => {
      if (component === undefined) return [];
      const id = idOf(value);
      const { uid } = component;
      const ids = seen.get(uid) ?? createIdSet();
      seen.set(uid, ids);
      // Ids above the counter are already reported; recording them could take any amount of memory.
      const isDuplicate = id > 0 && id <= (last.get(uid) ?? 0) && !ids.add(id);
      return isDuplicate ? [{ path, rule: `has the id of another ${uid}` }] : [];
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

/** Ids per command, and its maximum time in milliseconds. */
const BATCH = 10_000;
const TIMEOUT = 60_000;

/**
 * Every id refers to an existing entry. Former `admin::user`s can remain: there is no admin panel that could show them.
 */
export async function targetsAreThere(db: Db, scans: readonly Scan[]): Promise<Rule> {
  const missing = new Set<string>();
  const findTargets = createTargetReader(db, TIMEOUT);
  for (const links of lodash.chunk(distinct(scans), BATCH)) {
    const targets = new Map<ContentType, Set<number>>();
    for (const { target, id } of links) targets.set(target, (targets.get(target) ?? new Set()).add(id));
    for (const [{ uid }, ids] of (await findTargets(targets)).missing)
      for (const id of ids) missing.add(`${uid} ${id}`);
  }
  return ({ type, links }) =>
    links.flatMap((link) => {
      const { path, target, id } = link;
      if (!missing.has(`${target.uid} ${id}`)) return [];
      return [{ path, rule: `refers to ${target.uid} ${id}, which does not exist`, ...repairMissing(type, link) }];
    });
}

/** Removes a missing target from all entries of a type. */
function repairMissing(type: ContentType, { path, target, id, referred }: HeldLink): Pick<Finding, 'repair'> {
  if (referred) return { repair: { references: [{ kind: 'forget', type, target, id }] } };
  const attribute = type.attributes.get(path);
  if (attribute?.kind !== 'relation') return {};
  return { repair: { references: [{ kind: 'unlink', type, attribute, targets: [id] }] } };
}

function distinct(scans: readonly Scan[]): readonly HeldLink[] {
  const links = scans.flatMap((scan) => scan.links).filter(({ target }) => target.uid !== 'admin::user');
  return [...new Map(links.map((link) => [`${link.target.uid} ${link.id}`, link])).values()];
}

/** In a bidirectional one-to-one relation, no two owners have the same target. */
export async function ownersAreSole(db: Db, type: ContentType, scans: readonly Scan[]): Promise<Rule> {
  const owners = new Map<string, number[]>();
  const relations = new Set(scans.flatMap((scan) => scan.relations).map(({ attribute }) => attribute));
  for (const { name } of [...relations].filter(isExclusive)) {
    const ids = scans.flatMap(({ document }) => [document[name]].flat()).filter(isId);
    const holders = db
      .collection<{ _id: number; [name: string]: unknown }>(type.collectionName)
      .find({ [name]: { $in: ids } }, { projection: { [name]: 1 } });
    for await (const { _id, [name]: value } of holders) {
      for (const id of [value].flat()) {
        const key = `${name} ${String(id)}`;
        owners.set(key, [...(owners.get(key) ?? []), _id]);
      }
    }
  }
  return ({ document: { _id }, links }) =>
    links.flatMap(({ path, target, id }) => {
      const otherOwners = (owners.get(`${path} ${id}`) ?? []).filter((owner) => owner !== _id);
      if (otherOwners.length === 0) return [];
      const rule = `refers to ${target.uid} ${id}, which ${otherOwners.join(', ')} also refers to: only one may`;
      const attribute = type.attributes.get(path);
      const isFirst = attribute?.kind === 'relation' && otherOwners.every((owner) => owner > Number(_id));
      return [
        {
          path,
          rule,
          ...(isFirst && {
            repair: { writes: otherOwners.map((owner) => [unlinked(type, attribute, owner, [id])] as const) },
          }),
        },
      ];
    });
}
