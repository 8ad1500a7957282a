import { isRecord, type Data } from '../../../../config/record.js';
import type { Database } from '../../../../mongo/connection/database.js';
import { openWebhookRecords } from '../../../../mongo/events/webhook-records.js';
import type { Template } from './read-template.js';

const DEFAULT_LOCALE = 'plugin_i18n_default_locale';

/** The settings of the template, with the webhooks and the default locale of this service. */
export async function settingsFor(
  { db }: Database,
  { settings }: Template,
  defaultLocale: string | undefined,
): Promise<readonly Data[]> {
  const webhooks = await openWebhookRecords(db).list();
  return [
    ...settings
      .filter(({ type }) => type !== 'webhook')
      .map((line) => {
        const { value } = line;
        const isLocale = isRecord(value) && value['key'] === DEFAULT_LOCALE && defaultLocale !== undefined;
        return isLocale ? { ...line, value: { ...value, value: defaultLocale } } : line;
      }),
    ...webhooks.map(({ id, name, url, headers, events, isEnabled }) => ({
      type: 'webhook',
      value: { id, name, url, headers, events, enabled: isEnabled },
    })),
  ];
}
