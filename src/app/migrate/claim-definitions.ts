import type { Config } from '../../config/config.js';
import type { Registry } from '../../content-types/model/types.js';
import type { Logger } from '../../errors/logger.js';
import { StartError } from '../../errors/start-error.js';
import type { Database } from '../../mongo/connection/database.js';
import {
  findChanges,
  findShown,
  type DefinitionChange,
} from '../../mongo/maintenance/definitions/definition-changes.js';
import {
  readDefinitions,
  recordDefinitions,
  unrecorded,
} from '../../mongo/maintenance/definitions/stored-definitions.js';
import { findDefaultLocale } from './read-migrations.js';

/**
 * Refuses to serve stored entries by definitions with which others would see more or fewer of them, until a person has
 * decided what becomes of these. Otherwise records the definitions that the data is served with. It is one command if
 * they are as recorded.
 * @throws StartError naming the entries and the command; nothing was changed
 */
export async function claimDefinitions(
  config: Pick<Config, 'folders' | 'plugins'>,
  database: Database,
  registry: Registry,
  log: Pick<Logger, 'warn'>,
): Promise<void> {
  const { db } = database;
  const recorded = await readDefinitions(db);
  const changed = unrecorded(recorded, registry);
  if (changed.length === 0) return;
  if (recorded.length > 0) {
    const locale = await findDefaultLocale(config, database, registry);
    const changes = await findChanges(db, recorded, registry, locale);
    if (changes.length > 0) throw new StartError(explain(changes));
    const shown = findShown(recorded, registry);
    if (shown.length > 0)
      log.warn(`No longer private, so that everyone who reads an entry sees them: ${shown.join(', ')}`);
  }
  await recordDefinitions(db, changed);
}

function explain(changes: readonly DefinitionChange[]): string {
  const kinds = new Set(changes.map(({ kind }) => kind));
  const options = [
    ...(kinds.has('draftsOff') ? [['--drafts delete', 'drafts are deleted, as Strapi v4 does'] as const] : []),
    ...(kinds.has('draftsOff') || kinds.has('draftsOn')
      ? [['--drafts publish', 'readers see all entries; Strapi v4 does so where a type gets drafts'] as const]
      : []),
    ...(kinds.has('draftsOn') ? [['--drafts keep', 'entries become drafts'] as const] : []),
  ];
  const commands = options.length === 0 ? [['', 'adapts the entries, or accepts the change'] as const] : options;
  return [
    changes.every(({ kind }) => kind === 'documentIdsOn')
      ? 'A plugin serves entries by a documentId, and stored entries have none yet:'
      : 'Content types were changed, and readers would see other entries than before:',
    ...changes.map(
      ({ type, entries, effect }) => `  ${type.uid}: ${effect}: ${entries} ${entries === 1 ? 'entry' : 'entries'}`,
    ),
    'Nothing was changed. Undo the change of the definitions, or stop all copies of the service and run:',
    ...commands.map(
      ([option, meaning]) => `  npx content-service migrate --apply ${option}`.trimEnd().padEnd(58) + `# ${meaning}`,
    ),
    'Without --apply the command only shows what it would do.',
  ].join('\n');
}
