import type { Config } from '../../config/config.js';
import type { Registry } from '../../content-types/model/types.js';
import type { Database } from '../../mongo/connection/database.js';
import type { Finding, MigrationPlan } from '../../plugins/contract/plugin-context.js';
import { findDefaultLocale, readMigrations, type Declared } from './read-migrations.js';
import { migrateData } from './migrate-data.js';

/**
 * What `content-service migrate` would do to the stored data, and what the change of the content types does to it without that.
 * @param former the content types now
 * @throws StartError if `migrations.json` does not fit the content types
 */
export async function planMigration(
  config: Config,
  database: Database,
  former: Registry,
  registry: Registry,
  stopping: AbortSignal = new AbortController().signal,
): Promise<MigrationPlan> {
  const problems: string[] = [];
  const declared = await readMigrations(config, registry);
  const { found, unfit } = await migrateData({
    database,
    registry,
    declared,
    locale: await findDefaultLocale(config, database, registry),
    apply: false,
    stopping,
    problem: (line) => void (problems.length < MAX_PROBLEMS && problems.push(line)),
    withProgress: (_task, _total, run) => run(() => undefined),
  });
  const unfound = await findSideEffects(database.db, former, registry, declared.collections);
  return { found, unfit: [...unfit, ...unfound], problems };
}

/** What entries become by a change of their type alone, which the entries do not show. */
async function findSideEffects(
  db: Database['db'],
  former: Registry,
  { contentTypes }: Registry,
  renamed: Declared['collections'],
): Promise<readonly Finding[]> {
  const effects: Finding[] = [];
  for (const { uid, collectionName, draftAndPublish } of former.contentTypes.values()) {
    const type = contentTypes.get(uid);
    const note = async (isAffected: boolean, text: string, filter = {}): Promise<void> => {
      const entries = isAffected ? await db.collection(collectionName).countDocuments(filter) : 0;
      if (entries > 0) effects.push({ subject: uid, text, entries });
    };
    const unpublished = { publishedAt: { $exists: false } };
    await note(
      type?.collectionName !== collectionName && !renamed.has(collectionName),
      `stay in the collection ${collectionName}, which no type reads: declare its new name in migrations.json`,
    );
    await note(
      type?.draftAndPublish === true && !draftAndPublish,
      'become drafts, which readers do not see',
      unpublished,
    );
    await note(
      type?.draftAndPublish === false && draftAndPublish,
      'are no drafts any more: readers see them',
      unpublished,
    );
  }
  return effects;
}

const MAX_PROBLEMS = 100;
