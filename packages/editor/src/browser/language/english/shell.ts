import { counter } from '../counter.js';

const counted = counter('en');
const entries = (count: number): string => counted(count, 'entry', 'entries');

/** The sentences around the pages, and of the first of them. */
export const shell = {
  shell: {
    skip: 'Skip to the content',
    menu: 'Menu',
    language: 'Language',
    navigation: 'Content',
    collections: 'Collections',
    singlePages: 'Single pages',
    library: 'Library',
    files: 'Files',
    access: 'Access',
    users: 'Users',
    roles: 'Roles',
    tokens: 'API tokens',
    notFound: 'Not found',
    noSuchPage: 'There is no such page, or your role may not see it.',
    welcome: (user: string): string => `Welcome, ${user}`,
    noContent: 'Your role has no permission for any content yet. Those who run this service can grant it.',
    toHome: 'To the first page',
  },
  home: {
    title: 'Home',
    changed: 'Recently changed',
    mine: 'My drafts and changes',
    otherDrafts: 'Other drafts',
    scheduled: 'Scheduled',
    single: 'Single page',
    drafts: (count: number): string => counted(count, 'draft', 'drafts'),
    inAllLocales: (count: number): string => `${entries(count)} in all languages`,
    first: {
      title: 'First steps',
      types: {
        label: 'Look at the content types',
        purpose: 'They say what entries consist of. Change them, or add your own.',
      },
      entry: (name: string): string => `Write the first entry: ${name}`,
      entryPurpose: 'Begin with what other entries refer to. A draft is seen by nobody but those who write.',
      files: { label: 'Upload images and other files', purpose: 'Entries and texts take them from the library.' },
      users: {
        label: 'Create an account for a colleague',
        purpose: 'Their role says what they may write and publish.',
      },
    },
  },
  unsaved: {
    title: 'Unsaved changes',
    isKept: (title: string): string => `Your changes of “${title}” are not saved. This browser keeps them.`,
    goOn: 'Go on',
    discard: 'Discard',
    discardOne: (title: string): string => `Discard the changes of ${title}`,
    discarded: 'Discarded.',
    count: (count: number): string => `Unsaved: ${count}`,
    askLogOut: 'Log out and discard unsaved changes?',
    isLost: (count: number): string =>
      `${counted(count, 'form has', 'forms have')} changes that are not saved. Logging out discards them.`,
    stay: 'Stay',
  },
};
