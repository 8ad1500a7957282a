import { counter } from '../counter.js';

const counted = counter('en');

/** The sentences of the pages of roles and tokens. */
export const access = {
  roles: {
    newRole: 'New role',
    users: (count: number): string => counted(count, 'user', 'users'),
    declared: 'Roles in access.json get the permissions written there at every start of the service.',
    permissions: 'Permissions',
    content: 'Content',
    actions: {
      find: 'Can list',
      findOne: 'Can read',
      create: 'Can create',
      update: 'Can change',
      delete: 'Can delete',
      upload: 'Can upload',
    },
    others: 'Others',
    may: (action: string, type: string): string => `${action}: ${type}`,
    limited: (action: string): string => `${action}, limited by a rule`,
    changed: (count: number): string => `${counted(count, 'permission', 'permissions')} changed`,
    created: 'The role was created.',
    deleted: 'The role was deleted.',
    askDelete: 'Delete this role?',
    becomePublic: 'Its users get the role public.',
    choose: 'Choose a role',
  },
  tokens: {
    newToken: 'New token',
    purpose: 'A program sends the key of a token with its requests, and may do what the token allows.',
    none: 'There are no tokens.',
    expires: 'Expires',
    never: 'Never',
    inDays: (days: number): string => `in ${counted(days, 'day', 'days')}`,
    types: { 'read-only': 'Reads everything', 'full-access': 'Everything' },
    onlyYours: 'A token can only do what you may do yourself.',
    revoke: 'Revoke',
    revokeOne: (name: string): string => `Revoke ${name}`,
    askRevoke: (name: string): string => `Revoke ${name}?`,
    programsStop: 'Programs that use its key are refused from now on.',
    revoked: 'The token was revoked.',
    created: 'The token was created',
    shownOnce: 'This is the only time that the key is shown. Store it where only the program can read it.',
    key: 'Key',
    copy: 'Copy',
  },
};
