import { repeat } from '../../mongo/coordination/repeat.js';
import type { BuiltInContext, BuiltInFactory } from '../contract/built-in.js';

/** Milliseconds between two looks for entries that have been in the trash for long enough. */
const INTERVAL_MS = 3_600_000;

/** Removes entries for good that have been in the trash for as many days as their type says. */
export const createTrash: BuiltInFactory = () => {
  let stop: (() => Promise<void>) | undefined;
  return {
    name: 'trash',
    ready: async (context) => {
      const report = (error: unknown): void => context.log.error({ err: error }, 'Trash: a round failed');
      const sweep = (): Promise<void> => emptyTrash(context, new Date());
      if (hasTrash(context)) stop = repeat(INTERVAL_MS, sweep, report);
    },
    stop: async () => stop?.(),
  };
};

const hasTrash = ({ registry: { contentTypes } }: BuiltInContext): boolean =>
  [...contentTypes.values()].some(({ trash }) => trash !== undefined);

/** Removes what is too old; several processes may do so at the same time. */
async function emptyTrash({ documents, registry: { contentTypes } }: BuiltInContext, now: Date): Promise<void> {
  for (const type of contentTypes.values()) {
    let removed = 1;
    while (removed > 0) removed = await documents.trash.sweep(type, now);
  }
}
