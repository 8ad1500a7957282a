import { checkDatabase } from '../../../src/mongo/maintenance/check/check-database.js';
import { describeViolation } from '../../../src/mongo/maintenance/check/violation.js';
import type { Stored } from './view.js';
import type { Instance, World } from './world.js';

/** What contradicts the rules of the storage, or what an instance still remembers. */
export async function findProblems(
  world: World,
  stored: Stored,
  alive: readonly Instance[],
  written: readonly string[],
): Promise<readonly string[]> {
  const stale = await Promise.all(alive.map((instance, index) => findStale(world, stored, instance, written, index)));
  return [...(await checkStored(world, stored)), ...stale.flat()];
}

async function checkStored(world: World, stored: Stored): Promise<readonly string[]> {
  const { registry, checked } = world;
  // The same documents keep the same rules, whenever they were written.
  const key = JSON.stringify([...stored], (name, value: unknown) =>
    name === 'updatedAt' || name === 'createdAt' || name === 'publishedAt' ? undefined : value,
  );
  const former = checked.get(key);
  if (former !== undefined) return former;
  const violations: string[] = [];
  const filled = [...registry.contentTypes].filter(([, { collectionName }]) => stored.get(collectionName)?.length);
  for await (const part of checkDatabase(world.db, { ...registry, contentTypes: new Map(filled) })) {
    violations.push(...part.violations.map(describeViolation));
  }
  checked.set(key, violations);
  return violations;
}

/** The types of which an instance shows another list or total than what is stored. */
async function findStale(
  { registry }: World,
  stored: Stored,
  instance: Instance,
  written: readonly string[],
  index: number,
): Promise<readonly string[]> {
  const types = [...registry.contentTypes.values()].filter(
    ({ collectionName, kind, uid }) =>
      kind === 'collectionType' && uid.startsWith('api::') && written.includes(collectionName),
  );
  const stale = await Promise.all(
    types.map(async (type) => {
      const documents = stored.get(type.collectionName) ?? [];
      const live = type.draftAndPublish ? documents.filter(({ publishedAt }) => publishedAt != null) : documents;
      const expected = live.filter(({ locale }) => locale === undefined || locale === 'en');
      const { total, ids } = await instance.list(type);
      const isFresh = total === expected.length && ids.join(' ') === expected.map(({ _id }) => _id).join(' ');
      return isFresh ? [] : [`instance ${index} lists ${total} ${type.collectionName}: ${ids.join(' ')}`];
    }),
  );
  return stale.flat();
}
