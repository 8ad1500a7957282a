import { hiddenTypesOf } from '../content-types/model/stored-types.js';
import type { Registry } from '../content-types/model/types.js';
import { hasCode } from '../errors/app-error.js';
import type { Logger } from '../errors/logger.js';
import { translateError } from '../mongo/errors.js';
import type { BuiltInPlugin } from '../plugins/contract/built-in.js';
import type { EntryChange } from '../plugins/contract/plugin.js';
import type { Change } from '../query/change.js';

/**
 * Tells plugins what has changed; resolves when all have heard it. What fails for want of the database fails the
 * answer, too, and is told again: an acknowledged write has its version. @throws AppError unavailable, outOfTime
 */
export async function tellPlugins(
  plugins: readonly BuiltInPlugin[],
  changes: readonly Change[],
  { contentTypes }: Pick<Registry, 'contentTypes'>,
  log: Pick<Logger, 'error'>,
): Promise<void> {
  const listening = plugins.filter(({ onChanges }) => onChanges !== undefined);
  if (listening.length === 0) return;
  const hidden = new Map([...contentTypes.values()].flatMap(hiddenTypesOf).map((type) => [type.uid, type]));
  const told = changes.flatMap(({ type, id, ids = [id] }): readonly EntryChange[] => {
    if (contentTypes.has(type)) return ids.map((one) => ({ type, id: one }));
    const { copyOf, trashOf } = hidden.get(type) ?? {};
    if (copyOf !== undefined) return ids.map((one) => ({ type: copyOf.uid, id: one, isCopy: true }));
    // What is in the trash can come back, until it is removed from there.
    return trashOf === undefined ? [] : ids.map((one) => ({ type: trashOf.uid, id: one }));
  });
  if (told.length === 0) return;
  const outcomes = await Promise.allSettled(
    listening.map(async ({ name, onChanges }) => {
      try {
        await onChanges?.(told);
      } catch (thrown) {
        const error = translateError(thrown);
        if (hasCode(error, 'unavailable', 'outOfTime')) throw error;
        log.error({ err: error }, `After a write, which is stored, the plugin ${name} failed`);
      }
    }),
  );
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
}
