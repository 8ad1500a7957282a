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
    prepared: 'Modified',
    whatIsPublished: 'What is published',
    takeBack: 'Take back this change',
  },
  review: {
    ask: 'Ask to publish',
    askTitle: 'Ask others to publish this?',
    note: 'What they should know (optional)',
    asked: 'Saved. Those who may publish it are asked.',
    asks: (name: string): string => `${name} asks to publish this`,
    changedSince: 'It has changed since: whoever asked can ask again.',
    hasChanged: 'Somebody has changed it, or answered, in the meantime: nothing was published or sent back.',
    publish: 'Publish what was asked for',
    sendBack: 'Send back…',
    sendBackTitle: 'Send it back to whoever asked?',
    sendBackNow: 'Send back',
    whatToChange: 'What is to be changed',
    isSentBack: 'Sent back.',
    sentBack: (name: string): string => `${name} has sent this back`,
    withdraw: 'Do not ask any more',
    withdrawn: 'Nobody is asked any more.',
    waiting: 'Waiting for me',
    back: 'Sent back to me',
    published: 'Published lately',
    asksFor: (name: string): string => `${name} asks`,
    changed: 'Changed since',
    publishedBy: (name: string): string => `by ${name}`,
    changes: 'Changes',
    unpublish: (title: string): string => `Undo the publication of ${title}`,
  },
  presence: {
    others: (names: string): string => `Also here: ${names}`,
    unsaved: (name: string): string => `${name} (unsaved changes)`,
    yourself: 'you, in another tab',
    somebody: 'somebody else',
    saved: (time: string, name: string): string => `Saved meanwhile, ${time}, by ${name}.`,
    deleted: (name: string, time: string): string => `${name} deleted this entry, ${time}.`,
    restore: 'Restore it',
    saveAsNew: 'Save what you wrote as a new entry',
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
    open: 'Open it',
    severalRestored: (count: number): string => `${entries(count)} restored.`,
    linksLost: (count: number): string =>
      `Restored, without ${counted(count, 'link', 'links')} from other entries, which have changed since.`,
    remove: 'Delete for good',
    removeOf: (title: string): string => `Delete for good: ${title}`,
    askRemove: (title: string): string => `Delete “${title}” for good?`,
    removed: 'Deleted for good.',
  },
  fileTrash: {
    hint: (days: number): string =>
      `Deleted files stay here for ${counted(days, 'day', 'days')}. Until they are deleted for good, whoever has their address can open them.`,
    disappears: (days: number): string =>
      `It disappears from the entries that use it, and stays in the trash for ${counted(days, 'day', 'days')}.`,
    disappear: (days: number): string =>
      `The files disappear from the entries that use them, and stay in the trash for ${counted(days, 'day', 'days')}.`,
    disappearWith: (days: number): string =>
      `The folder is not empty. The files in it and in the folders below it disappear from the entries that use them, and stay in the trash for ${counted(days, 'day', 'days')}.`,
    table: 'Deleted files',
    restored: 'The file was restored.',
    severalRestored: (count: number): string => `${counted(count, 'file', 'files')} restored.`,
    linksLost: (count: number): string =>
      `The file was restored, without ${counted(count, 'link', 'links')} from entries, which have changed since.`,
    removed: 'The file was deleted for good.',
  },
  knownFiles: {
    title: (count: number): string =>
      count === 1 ? 'The library has this file' : `The library has ${count} of these files`,
    text: (count: number): string =>
      count === 1 ? 'The same file was uploaded before, as:' : 'The same files were uploaded before, as:',
    take: (count: number): string => (count === 1 ? 'Use the one there' : 'Use those there'),
    upload: 'Upload again',
  },
};
