import type { Entries } from '../../documents/entries.js';
import type { DocumentHooks } from '../../documents/hooks.js';
import type { EntryName } from '../../query/mutation.js';
import type { EntryEvent, Extension } from './extension.js';

const afterNames = { create: 'afterCreate', update: 'afterUpdate', delete: 'afterDelete' } as const;

/**
 * The project's lifecycles as hooks of the documents service.
 * @param entries the entries service for events, resolved at the first event
 */
export function hooksOf(lifecycles: NonNullable<Extension['lifecycles']>, entries: () => Entries): DocumentHooks {
  const eventOf = ({ id }: EntryName): EntryEvent => ({ id, entries: entries() });
  return {
    runsCode: ({ uid }) => lifecycles[uid] !== undefined,
    prepare: async (data, { action, type, id, caller }) => {
      const lifecycle = lifecycles[type.uid];
      const before = action === 'create' ? lifecycle?.beforeCreate : lifecycle?.beforeUpdate;
      return (await before?.({ id, data, caller, entries: entries() })) ?? data;
    },
    beforeDelete: async (deletion) => {
      await lifecycles[deletion.type.uid]?.beforeDelete?.(eventOf(deletion));
    },
    after: async (written) => {
      await lifecycles[written.type.uid]?.[afterNames[written.action]]?.(eventOf(written));
    },
  };
}
