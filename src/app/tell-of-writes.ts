import { entryTypeOf, storedTypes } from '../content-types/model/stored-types.js';
import type { ContentType, Registry } from '../content-types/model/types.js';
import type { ReceiveReceipts, ReceiptOptions } from '../mongo/write/receipts.js';
import type { BuiltInPlugin } from '../plugins/contract/built-in.js';
import type { KnownWrite } from '../plugins/contract/plugin.js';
import type { ReceiveActivities } from '../mongo/activities.js';
import type { Door, Signature } from '../query/receipt.js';

/**
 * Writes have receipts where a plugin hears of all of them; undefined: none does. Its own content types are where it
 * keeps them.
 */
export function receiptsFor(
  plugins: readonly BuiltInPlugin[],
  secrets: { readonly jwt: string },
  door: Door,
  asking?: () => Signature | undefined,
): ReceiptOptions | undefined {
  const receivers = plugins.filter(({ onWrites }) => onWrites !== undefined);
  if (receivers.length === 0) return undefined;
  const own = new Set(receivers.flatMap(({ contentTypes = [] }) => contentTypes.map(({ uid }) => uid)));
  const isExempt = (type: ContentType): boolean => own.has(entryTypeOf(type).uid);
  return { isExempt, door, key: secrets.jwt, asking };
}

/** Tells plugins of writes, one after the other. It fails if one of them does, and is told again. */
export function tellOfWrites(plugins: readonly BuiltInPlugin[], registry: Registry): ReceiveReceipts {
  const types = new Map(storedTypes(registry).map((type) => [type.collectionName, type]));
  return async (receipts) => {
    const writes = receipts.flatMap(({ collection, id, receipt }): readonly KnownWrite[] => {
      const type = types.get(collection);
      if (type === undefined) return [];
      const { id: writeId, origin, names, ...known } = receipt;
      const isCopy = type.copyOf !== undefined;
      return [
        {
          ...known,
          writeId,
          ...origin,
          attributes: names,
          type: entryTypeOf(type).uid,
          id,
          ...(isCopy && { isCopy }),
        },
      ];
    });
    for (const { onWrites } of plugins) await onWrites?.(writes);
  };
}

/** Whether any plugin hears of what is done, so that it matters who asks. */
export const isHeard = (plugins: readonly BuiltInPlugin[]): boolean =>
  plugins.some(({ onWrites }) => onWrites !== undefined) || hearOfActivities(plugins);

/** Whether any plugin hears of activities. */
export const hearOfActivities = (plugins: readonly Pick<BuiltInPlugin, 'onActivities'>[]): boolean =>
  plugins.some(({ onActivities }) => onActivities !== undefined);

/** Tells plugins of activities, as `tellOfWrites`. */
export const tellOfActivities =
  (plugins: readonly BuiltInPlugin[]): ReceiveActivities =>
  async (activities) => {
    const known = activities.map(({ origin, ...activity }) => ({ ...activity, ...origin }));
    for (const { onActivities } of plugins) await onActivities?.(known);
  };
