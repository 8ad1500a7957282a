import type { Entries } from '../../documents/entries.js';
import type { Change, DocumentHooks } from '../../documents/hooks.js';
import type { EntryEvent, Extension } from './extension.js';

const afterNames = { create: 'afterCreate', update: 'afterUpdate', delete: 'afterDelete' } as const;

/**
 * The owner's lifecycles as hooks of the documents service.
 * @param entries what events give to work with; asked for when the first event happens
 */
export function hooksOf(lifecycles: NonNullable<Extension['lifecycles']>, entries: () => Entries): DocumentHooks {
  const eventOf = ({ id }: Change): EntryEvent => ({ id, entries: entries() });
  return {
    prepare: async (data, { action, type, id, caller }) => {
      const lifecycle = lifecycles[type.uid];
      const before = action === 'create' ? lifecycle?.beforeCreate : lifecycle?.beforeUpdate;
      return (await before?.({ id, data, caller, entries: entries() })) ?? data;
    },
    follow: async (change) => {
      if (change.action === 'delete') await lifecycles[change.type.uid]?.beforeDelete?.(eventOf(change));
      return [];
    },
    after: async (change) => {
      await lifecycles[change.type.uid]?.[afterNames[change.action]]?.(eventOf(change));
    },
  };
}
