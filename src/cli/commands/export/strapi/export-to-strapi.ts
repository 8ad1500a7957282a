import { writeFile } from 'node:fs/promises';
import lodash from 'lodash';
import type { Registry, ContentType } from '../../../../content-types/model/types.js';
import { isOfService } from '../../../../content-types/model/system-attributes.js';
import { StartError } from '../../../../errors/start-error.js';
import type { Database } from '../../../../mongo/connection/database.js';
import { withProgress } from '../../../io/progress.js';
import { counted, type Output } from '../../../io/terminal.js';
import { CREATED_BY, UPDATED_BY } from '../../../../mongo/stored/writers.js';
import type { Exporting } from '../write-export.js';
import { refuseWithoutDocuments } from '../../import/import-source.js';
import { readTemplate, type Template } from './read-template.js';
import { readLastIds } from '../../../../mongo/maintenance/check/across-rules.js';
import { createRowsOf } from './rows-of.js';
import { countMissing, readIds, removalOf, type StoredIds } from './stored-ids.js';
import { writeStrapiArchive } from './write-strapi-archive.js';
import { type Data, isRecord } from '../../../../config/record.js';
import { WebhookRecords } from '../../../../mongo/events/webhook-records.js';

interface StrapiExport extends Exporting {
  readonly file: string;
  /** An archive of `strapi export` of the project that the entries go to. */
  readonly like: string | undefined;
  readonly key: string | undefined;
  /** Only say what Strapi cannot hold. */
  readonly dryRun: boolean;
  readonly output: Output;
}

/**
 * Writes an archive for `strapi import` of the version of Strapi that the template is of. For Strapi v4 there is SQL
 * beside it for the database of the project: before the import it lets Strapi count from 1, after it it removes the
 * empty rows which keep the numbers of the entries.
 */
export async function exportToStrapi(exporting: StrapiExport): Promise<void> {
  const { file, like, key, dryRun, registry, database, output } = exporting;
  const { print, result } = output;
  if (like === undefined) throw new StartError(HOW_TO_GET_ONE);
  const template = await readTemplate(like, key);
  if (template.version === 5) refuseWithoutDocuments(registry);
  const types = exportedTypes(registry, template);
  const losses = await findLosses(database, registry, template);
  for (const line of losses) print(`Not in Strapi: ${line}`);
  const ids = await readIds(types, database, template.version);
  const stored = [...ids.values()];
  const [entries, placeholders] = [
    lodash.sumBy(stored, 'count'),
    lodash.sumBy(stored, ({ gaps }) => countMissing(gaps)),
  ];
  if (dryRun) {
    const rows = counted(placeholders, 'empty row that keeps its id', 'empty rows that keep the ids');
    const beside = template.version === 5 ? '' : `, and ${rows}`;
    print(`${counted(entries, 'entry', 'entries')}${beside}; nothing was written`);
    result({ entries, placeholders, losses });
    return;
  }
  const settings = await settingsFor(database, template);
  const { contentTypes } = registry;
  const rowsOf = createRowsOf({ template, ids, contentTypes, lastComponents: await readLastIds(database.db) });
  const { files, missing } = await withProgress('Exported', entries, (advance) =>
    writeStrapiArchive(file, { ...exporting, types, template, settings, ids, rowsOf, advance }),
  );
  for (const name of missing) print(`Not exported: the file ${name} is missing in the upload storage`);
  const tables = [...ids.keys()].map((uid) => template.schemas.get(uid)?.collectionName ?? '');
  const resetCounter = template.version === 4 ? registry.dialect.resetCounter : undefined;
  const [before, after] = [`${file}.before.sql`, `${file}.sql`];
  if (resetCounter !== undefined) await writeFile(before, tables.map((table) => `${resetCounter(table)}\n`).join(''));
  if (placeholders > 0) await writeFile(after, statementsFor(ids, template));
  print(`${file}: ${counted(entries, 'entry', 'entries')} and ${counted(files, 'file')} for strapi import`);
  if (resetCounter !== undefined) print(`${before}: run it before the import, so that Strapi gives the same ids`);
  if (placeholders > 0) print(`${after}: run it after the import, it removes ${counted(placeholders, 'empty row')}`);
  result({ file, entries, files, missing, placeholders, losses });
}

const HOW_TO_GET_ONE =
  'Pass an archive of the Strapi project with --like: Strapi takes only archives with its own schemas. ' +
  'Make one with: npx strapi export --only config --no-encrypt --file like';

const statementsFor = (ids: ReadonlyMap<string, StoredIds>, { schemas }: Template): string =>
  [...ids].map(([uid, { gaps }]) => removalOf(schemas.get(uid)?.collectionName ?? '', gaps)).join('');

const DEFAULT_LOCALE = 'plugin_i18n_default_locale';

/** The settings of the template, with the webhooks and the default locale of this service. */
async function settingsFor({ db }: Database, { settings }: Template): Promise<readonly Data[]> {
  const defaultLocale = await db.collection<{ code: string }>('i18n_locale').findOne({ isDefault: true });
  const webhooks = await new WebhookRecords(db).list();
  return [
    ...settings
      .filter(({ type }) => type !== 'webhook')
      .map((line) => {
        const { value } = line;
        const isLocale = isRecord(value) && value['key'] === DEFAULT_LOCALE && defaultLocale !== null;
        return isLocale ? { ...line, value: { ...value, value: defaultLocale.code } } : line;
      }),
    ...webhooks.map(({ id, name, url, headers, events, isEnabled }) => ({
      type: 'webhook',
      value: { id, name, url, headers, events, enabled: isEnabled },
    })),
  ];
}

/** Types that `strapi import` passes over. */
const ignoredTypes = new Set(['admin::user', 'admin::api-token']);

/** The types whose entries Strapi takes. */
const exportedTypes = ({ contentTypes }: Registry, { schemas }: Template): readonly ContentType[] =>
  [...contentTypes.values()].filter(({ uid }) => schemas.has(uid) && !ignoredTypes.has(uid));

/**
 * Attributes that Strapi does without, beside those that the service alone writes, which concern its log-ins and its
 * editor: the default locale is a setting there.
 */
const without: Readonly<Record<string, readonly string[]>> = {
  'plugin::i18n.locale': ['isDefault'],
  // Counted, where there are any.
  'plugin::upload.file': ['focalPoint'],
};

/** A line for each thing that is stored here and that Strapi cannot hold. */
async function findLosses({ db }: Database, registry: Registry, template: Template): Promise<readonly string[]> {
  const lines: string[] = [];
  const { version } = template;
  for (const { uid, collectionName, copies, trash } of registry.contentTypes.values()) {
    const deleted = trash === undefined ? 0 : await db.collection(trash.type.collectionName).countDocuments({});
    if (deleted > 0)
      lines.push(`${counted(deleted, 'entry', 'entries')} of ${uid} in the trash: Strapi ${version} has none`);
    const entries = await db.collection(collectionName).countDocuments({});
    if (entries === 0) continue;
    if (uid === 'admin::api-token')
      lines.push(`${counted(entries, 'API token')}: strapi import passes over tokens; create them in its admin panel`);
    else if (!template.schemas.has(uid))
      lines.push(`${counted(entries, 'entry', 'entries')} of ${uid}: Strapi has no such type`);
    const scheduled = await db.collection(collectionName).countDocuments({ _schedule: { $exists: true } });
    if (scheduled > 0) lines.push(`${counted(scheduled, 'schedule')} of ${uid}: Strapi does not publish at a time`);
    const prepared =
      copies === undefined || version === 5 ? 0 : await db.collection(copies.collectionName).countDocuments({});
    if (prepared > 0) lines.push(`${counted(prepared, 'working copy', 'working copies')} of ${uid}: Strapi 4 has none`);
    if (uid === 'plugin::upload.file' && version === 4) {
      const focused = await db.collection(collectionName).countDocuments({ focalPoint: { $exists: true } });
      if (focused > 0) lines.push(`the focal points of ${counted(focused, 'image')}: Strapi 4 has none`);
    }
    const isWritten = [CREATED_BY, UPDATED_BY].map((name) => ({ [name]: { $exists: true } }));
    const written = await db.collection(collectionName).countDocuments({ $or: isWritten });
    if (written > 0)
      lines.push(
        `the users who wrote ${counted(written, 'entry', 'entries')} of ${uid}: only administrators write in Strapi`,
      );
  }
  for (const { uid, attributes } of [...exportedTypes(registry, template), ...registry.components.values()]) {
    const known = template.schemas.get(uid)?.attributes;
    if (known === undefined) lines.push(`the component ${uid}: Strapi has none of that name`);
    const missing = [...attributes.values()].filter(
      (attribute) =>
        known !== undefined &&
        !(attribute.name in known) &&
        !isOfService(attribute) &&
        !without[uid]?.includes(attribute.name),
    );
    for (const { name } of missing) lines.push(`${uid}: Strapi has no attribute ${name}`);
  }
  for (const { name, secret, types } of await new WebhookRecords(db).list())
    if (secret !== undefined || types !== undefined)
      lines.push(`the webhook ${name}: Strapi has no secrets of webhooks, and none for some types only`);
  return lines;
}
