import type { Texts } from '../texts.js';
import { counter } from '../counter.js';

const counted = counter('de');
const entries = (count: number): string => counted(count, 'Eintrag', 'Einträge');

/** Die Sätze um die Seiten und auf der ersten. */
export const shell: Pick<Texts, 'shell' | 'home' | 'unsaved'> = {
  shell: {
    skip: 'Zum Inhalt springen',
    menu: 'Menü',
    language: 'Sprache',
    navigation: 'Inhalte',
    collections: 'Sammlungen',
    singlePages: 'Einzelseiten',
    library: 'Mediathek',
    files: 'Dateien',
    access: 'Zugriff',
    users: 'Benutzer',
    roles: 'Rollen',
    tokens: 'API-Tokens',
    notFound: 'Nicht gefunden',
    noSuchPage: 'Diese Seite gibt es nicht, oder Ihre Rolle darf sie nicht sehen.',
    welcome: (user) => `Willkommen, ${user}`,
    noContent: 'Ihre Rolle hat noch kein Recht auf Inhalte. Wer diesen Dienst betreibt, kann es erteilen.',
    toHome: 'Zur Startseite',
  },
  home: {
    title: 'Start',
    changed: 'Zuletzt geändert',
    mine: 'Meine Entwürfe und Änderungen',
    otherDrafts: 'Andere Entwürfe',
    scheduled: 'Geplant',
    single: 'Einzelseite',
    drafts: (count) => counted(count, 'Entwurf', 'Entwürfe'),
    inAllLocales: (count) => `${entries(count)} in allen Sprachen`,
    first: {
      title: 'Erste Schritte',
      types: {
        label: 'Die Inhaltstypen ansehen',
        purpose: 'Sie sagen, woraus Einträge bestehen. Ändern Sie sie, oder legen Sie eigene an.',
      },
      entry: (name) => `Den ersten Eintrag schreiben: ${name}`,
      entryPurpose: 'Beginnen Sie mit dem, worauf andere Einträge verweisen. Entwürfe sieht nur, wer schreibt.',
      files: {
        label: 'Bilder und andere Dateien hochladen',
        purpose: 'Einträge und Texte nehmen sie aus der Bibliothek.',
      },
      users: {
        label: 'Ein Konto für andere anlegen',
        purpose: 'Die Rolle sagt, was sie schreiben und veröffentlichen dürfen.',
      },
    },
  },
  unsaved: {
    title: 'Nicht gespeicherte Änderungen',
    isKept: (title) => `Ihre Änderungen an „${title}“ sind nicht gespeichert. Dieser Browser bewahrt sie auf.`,
    goOn: 'Weiterschreiben',
    discard: 'Verwerfen',
    discardOne: (title) => `Die Änderungen an ${title} verwerfen`,
    discarded: 'Verworfen.',
    count: (count) => `Nicht gespeichert: ${count}`,
    askLogOut: 'Abmelden und nicht gespeicherte Änderungen verwerfen?',
    isLost: (count) =>
      `${counted(count, 'Formular hat', 'Formulare haben')} Änderungen, die nicht gespeichert sind. Beim Abmelden gehen sie verloren.`,
    stay: 'Bleiben',
  },
};
