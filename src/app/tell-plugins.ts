import type { Registry } from '../content-types/model/types.js';
import type { Logger } from '../errors/logger.js';
import type { Plugin } from '../plugins/contract/plugin.js';
import type { Change } from '../query/change.js';

/** Tells plugins what has changed; resolves when all have heard it. Working copies are no entries before they are published. */
export async function tellPlugins(
  plugins: readonly Plugin[],
  changes: readonly Change[],
  { contentTypes }: Pick<Registry, 'contentTypes'>,
  log: Pick<Logger, 'error'>,
): Promise<void> {
  const listening = plugins.filter(({ onChanges }) => onChanges !== undefined);
  if (listening.length === 0) return;
  const told = changes.flatMap(({ type, id }) => (contentTypes.has(type) ? [{ type, id }] : []));
  if (told.length === 0) return;
  await Promise.all(
    listening.map(async ({ name, onChanges }) => {
      try {
        await onChanges?.(told);
      } catch (error) {
        log.error({ err: error }, `After a write, which is stored, the plugin ${name} failed`);
      }
    }),
  );
}
