import type { Config } from '../../config/config.js';
import type { Registry } from '../../content-types/model/types.js';
import type { Database } from '../../mongo/connection/database.js';
import { findDefaultLocale, readMigrations } from './read-migrations.js';
import { staysUnread } from '../../mongo/maintenance/definitions/definition-changes.js';
import { migrateData } from './migrate-data.js';
import type { Finding, MigrationPlan } from '../../plugins/contract/built-in.js';

/**
 * What `content-service migrate` would do to the stored data, which entries readers would see otherwise, and which no
 * type would read.
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
  const locale = await findDefaultLocale(config, database, registry);
  const { found, unfit } = await migrateData({
    database,
    registry,
    declared,
    locale,
    drafts: undefined,
    apply: false,
    stopping,
    problem: (line) => void (problems.length < MAX_PROBLEMS && problems.push(line)),
    withProgress: (_task, _total, run) => run(() => undefined),
  });
  return { found, unfit: [...unfit, ...(await findUnread(database.db, former, registry))], problems };
}

/** The entries of types that are to be deleted. */
async function findUnread(db: Database['db'], former: Registry, registry: Registry): Promise<readonly Finding[]> {
  const read = new Set([...registry.contentTypes.values()].map(({ collectionName }) => collectionName));
  const gone = [...former.contentTypes.values()].filter(
    ({ uid, collectionName }) => !registry.contentTypes.has(uid) && !read.has(collectionName),
  );
  const findings = await Promise.all(
    gone.map(async (type) => ({
      subject: type.uid,
      text: staysUnread(type),
      entries: await db.collection(type.collectionName).countDocuments(),
    })),
  );
  return findings.filter(({ entries }) => entries > 0);
}

const MAX_PROBLEMS = 100;
