import { counter } from '../counter.js';

const counted = counter('en');
const entries = (count: number): string => counted(count, 'entry', 'entries');

/** The sentences about what is published, prepared and deleted, and about who else does that. */
export const publication = {
  publication: {
    issues: 'To correct first',
    modified: 'Modified',
    changed: 'Changed',
    ask: {
      publish: (count: number): string => `Publish ${entries(count)}?`,
      unpublish: (count: number): string => `Unpublish ${entries(count)}?`,
    },
    follows: {
      publish: 'Readers see this at once. If one of them is not complete, none is published.',
      publishEach: 'Readers see this at once. Those that are not complete are left out, and listed.',
      unpublish: 'Readers do not see this any more.',
    },
    publishChanges: 'Publish changes',
    savedCopy: 'Saved. Readers see it when you publish the changes.',
    discard: 'Discard changes…',
    askDiscard: (title: string): string => `Discard the changes of “${title}”?`,
    staysPublished: 'What readers see stays as it is. The changes cannot be restored.',
    staysInVersions: 'What readers see stays as it is. What was saved last remains among the versions.',
    keepChanges: 'Keep them',
    discardNow: 'Discard changes',
    discarded: 'The changes were discarded.',
    undone: {
      unpublish: 'Not published any more. What you saved is a draft.',
      publish: 'Published again.',
      prepare: 'The changes are back.',
      withdraw: 'Readers see what they saw before. The changes are prepared again.',
    },
    notUndone: 'Another user has changed the entry since: nothing was undone.',
    asItLooks: 'As it looks',
    takeOne: 'Take this value',
    takeOneOf: (label: string): string => `Take this value of ${label}`,
    prepared: 'Prepared',
    whatIsPublished: 'What is published',
    takeBack: 'Take back this change',
  },
  presence: {
    others: (names: string): string => `Also here: ${names}`,
    unsaved: (name: string): string => `${name} (unsaved changes)`,
    yourself: 'you, in another tab',
    somebody: 'somebody else',
    saved: (time: string, name: string): string => `Saved meanwhile, ${time}, by ${name}.`,
    load: 'Load',
  },
  trash: {
    title: 'Trash',
    of: (list: string): string => `Trash: ${list}`,
    hint: (days: number): string => `What is deleted stays here for ${counted(days, 'day', 'days')}.`,
    keeps: (days: number): string => `It stays in the trash for ${counted(days, 'day', 'days')}.`,
    keepsThem: (days: number): string => `They stay in the trash for ${counted(days, 'day', 'days')}.`,
    empty: 'The trash is empty.',
    table: 'Deleted entries',
    entry: 'Entry',
    deleted: 'Deleted',
    restore: 'Restore',
    restoreOf: (title: string): string => `Restore ${title}`,
    restored: 'Restored.',
    restoredAsDraft: 'Restored as a draft.',
    severalRestored: (count: number): string => `${entries(count)} restored.`,
    linksLost: (count: number): string =>
      `Restored, without ${counted(count, 'link', 'links')} from other entries, which have changed since.`,
    remove: 'Delete for good',
    removeOf: (title: string): string => `Delete for good: ${title}`,
    askRemove: (title: string): string => `Delete “${title}” for good?`,
    removed: 'Deleted for good.',
  },
};
