import type { ContentType, Registry } from '../../../../content-types/model/types.js';
import type { Database } from '../../../../mongo/connection/database.js';
import { WebhookRecords } from '../../../../mongo/events/webhook-records.js';
import { count } from '../../../io/terminal.js';
import type { Template } from './read-template.js';

/** Types that `strapi import` passes over. */
const ignoredTypes = new Set(['admin::user', 'admin::api-token']);

/** The types whose entries Strapi takes. */
export const exportedTypes = ({ contentTypes }: Registry, { schemas }: Template): readonly ContentType[] =>
  [...contentTypes.values()].filter(({ uid }) => schemas.has(uid) && !ignoredTypes.has(uid));

/** Attributes that Strapi does without: the default locale is a setting there, and mailed codes expire soon anyway. */
const without: Readonly<Record<string, readonly string[]>> = {
  'plugin::i18n.locale': ['isDefault'],
  'plugin::users-permissions.user': ['resetPasswordExpiresAt', 'confirmationExpiresAt', 'passwordChangedAt'],
};

/** A line for each thing that is stored here and that Strapi cannot hold. */
export async function findLosses({ db }: Database, registry: Registry, template: Template): Promise<readonly string[]> {
  const lines: string[] = [];
  for (const { uid, collectionName } of registry.contentTypes.values()) {
    const entries = await db.collection(collectionName).countDocuments({});
    if (entries === 0) continue;
    if (uid === 'admin::api-token')
      lines.push(`${count(entries)} API tokens: strapi import passes over tokens; create them in its admin panel`);
    else if (!template.schemas.has(uid)) lines.push(`${count(entries)} entries of ${uid}: Strapi has no such type`);
    const scheduled = await db.collection(collectionName).countDocuments({ _schedule: { $exists: true } });
    if (scheduled > 0) lines.push(`${count(scheduled)} schedules of ${uid}: Strapi does not publish at a time`);
  }
  for (const { uid, attributes } of [...exportedTypes(registry, template), ...registry.components.values()]) {
    const known = template.schemas.get(uid)?.attributes;
    if (known === undefined) lines.push(`the component ${uid}: Strapi has none of that name`);
    const missing = [...attributes.keys()].filter(
      (name) => known !== undefined && !(name in known) && !without[uid]?.includes(name),
    );
    for (const name of missing) lines.push(`${uid}: Strapi has no attribute ${name}`);
  }
  for (const { name, secret, types } of await new WebhookRecords(db).list())
    if (secret !== undefined || types !== undefined)
      lines.push(`the webhook ${name}: Strapi has no secrets of webhooks, and none for some types only`);
  return lines;
}
