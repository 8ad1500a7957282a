import { hiddenTypesOf } from '../../../src/content-types/model/stored-types.js';
import type { ContentType } from '../../../src/content-types/model/types.js';
import { checkDatabase } from '../../../src/mongo/maintenance/check/check-database.js';
import { describeViolation } from '../../../src/mongo/maintenance/check/violation.js';
import type { Stored } from './view.js';
import { describeList, type Instance, type World } from './world.js';

/** Finds documents that break the rules of the storage, and instances that still have an old list or total. */
export async function findProblems(
  world: World,
  stored: Stored,
  alive: readonly Instance[],
): Promise<readonly string[]> {
  const stale = await Promise.all(alive.map((instance, index) => findStale(stored, instance, index)));
  return [...(await checkStored(world, stored)), ...stale.flat()];
}

async function checkStored(world: World, stored: Stored): Promise<readonly string[]> {
  const { registry, checked } = world;
  // The times of writes do not matter for the rules.
  const key = JSON.stringify([...stored], (name, value: unknown) =>
    name === 'updatedAt' || name === 'createdAt' || name === 'publishedAt' ? undefined : value,
  );
  const former = checked.get(key);
  if (former !== undefined) return former;
  const violations: string[] = [];
  const isFilled = ({ collectionName }: ContentType): boolean => (stored.get(collectionName)?.length ?? 0) > 0;
  const filled = [...registry.contentTypes].filter(([, type]) => [type, ...hiddenTypesOf(type)].some(isFilled));
  for await (const part of checkDatabase(world.db, { ...registry, contentTypes: new Map(filled) })) {
    violations.push(...part.violations.map(describeViolation));
  }
  checked.set(key, violations);
  return violations;
}

/** Finds the types that an instance listed before, and now lists differently from the stored entries. */
async function findStale(stored: Stored, instance: Instance, index: number): Promise<readonly string[]> {
  const stale = await Promise.all(
    [...instance.listed].map(async (type) => {
      const documents = stored.get(type.collectionName) ?? [];
      const live = type.draftAndPublish ? documents.filter(({ publishedAt }) => publishedAt != null) : documents;
      const expected = live.filter(({ locale }) => locale === undefined || locale === 'en');
      const { total, ids, body } = await instance.list(type);
      const lists = [describeList(total, ids), body];
      const isFresh = lists.every(
        (one) =>
          one ===
          describeList(
            expected.length,
            expected.slice(0, 1).map(({ _id }) => Number(_id)),
          ),
      );
      return isFresh ? [] : [`instance ${index} lists ${type.collectionName} ${lists.join(', cached ')}`];
    }),
  );
  return stale.flat();
}
