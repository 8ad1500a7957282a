import { counter } from '../counter.js';
import type { Texts } from '../texts.js';

const counted = counter('de');

export const access: Pick<Texts, 'roles' | 'tokens'> = {
  roles: {
    newRole: 'Neue Rolle',
    users: (count) => counted(count, 'Benutzer', 'Benutzer'),
    declared: 'Rollen in access.json erhalten bei jedem Start des Dienstes die Rechte, die dort stehen.',
    permissions: 'Rechte',
    content: 'Inhalt',
    actions: {
      find: 'Darf auflisten',
      findOne: 'Darf lesen',
      create: 'Darf erstellen',
      update: 'Darf ändern',
      delete: 'Darf löschen',
      upload: 'Darf hochladen',
    },
    others: 'Weitere',
    may: (action, type) => `${action}: ${type}`,
    limited: (action) => `${action}, durch eine Regel eingeschränkt`,
    changed: (count) => counted(count, 'Recht geändert', 'Rechte geändert'),
    created: 'Die Rolle wurde erstellt.',
    deleted: 'Die Rolle wurde gelöscht.',
    askDelete: 'Diese Rolle löschen?',
    becomePublic: 'Ihre Benutzer erhalten die Rolle public.',
    choose: 'Rolle auswählen',
  },
  tokens: {
    newToken: 'Neues Token',
    purpose: 'Ein Programm sendet den Schlüssel eines Tokens mit seinen Anfragen und darf, was das Token erlaubt.',
    none: 'Es gibt keine Tokens.',
    expires: 'Läuft ab',
    never: 'Nie',
    inDays: (days) => `in ${counted(days, 'Tag', 'Tagen')}`,
    types: { 'read-only': 'Liest alles', 'full-access': 'Alles' },
    onlyYours: 'Ein Token darf nur, was Sie selbst dürfen.',
    revoke: 'Widerrufen',
    revokeOne: (name) => `${name} widerrufen`,
    askRevoke: (name) => `${name} widerrufen?`,
    programsStop: 'Programme, die seinen Schlüssel verwenden, werden ab sofort abgewiesen.',
    revoked: 'Das Token wurde widerrufen.',
    created: 'Das Token wurde erstellt',
    shownOnce:
      'Der Schlüssel wird nur dieses eine Mal angezeigt. Bewahren Sie ihn dort auf, wo nur das Programm ihn lesen kann.',
    key: 'Schlüssel',
    copy: 'Kopieren',
  },
};
