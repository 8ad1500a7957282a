import type { Config } from '../../config/config.js';
import type { Registry } from '../../content-types/model/types.js';
import type { Database } from '../../mongo/connection/database.js';
import type { MigrationPlan } from '../../plugins/contract/plugin-context.js';
import { findDefaultLocale, readDeclared } from './read-declared.js';
import { gatherFindings } from './findings.js';
import { migrateData } from './migrate-data.js';

/**
 * What `content-service migrate` would do to the stored data.
 * @throws StartError if `migrations.json` does not fit the content types
 */
export async function planMigration(
  config: Config,
  database: Database,
  registry: Registry,
  stopping: AbortSignal = new AbortController().signal,
): Promise<MigrationPlan> {
  const [findings, unfit] = [gatherFindings(), gatherFindings()];
  const problems: string[] = [];
  await migrateData({
    database,
    registry,
    declared: await readDeclared(config, registry),
    locale: await findDefaultLocale(config, database, registry),
    apply: false,
    stopping,
    findings,
    unfit,
    problem: (line) => void (problems.length < MAX_PROBLEMS && problems.push(line)),
    createProgress: () => ({ advance: () => undefined, end: () => undefined }),
  });
  return { found: findings.list(), unfit: unfit.list(), problems };
}

const MAX_PROBLEMS = 100;
