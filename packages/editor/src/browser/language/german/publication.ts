import { counter } from '../counter.js';
import type { Texts } from '../texts.js';

const counted = counter('de');
const entries = (count: number): string => counted(count, 'Eintrag', 'Einträge');
const days = (count: number): string => counted(count, 'Tag', 'Tage');

/** The sentences about what is published, prepared and deleted, and about who else does that. */
export const publication: Pick<Texts, 'presence' | 'publication' | 'trash'> = {
  publication: {
    issues: 'Vorher zu korrigieren',
    modified: 'Geändert',
    changed: 'Geändert',
    ask: {
      publish: (count) => `${entries(count)} veröffentlichen?`,
      unpublish: (count) => `Veröffentlichung zurücknehmen: ${entries(count)}?`,
    },
    follows: {
      publish: 'Das ist sofort öffentlich. Ist ein Eintrag unvollständig, wird keiner veröffentlicht.',
      publishEach: 'Leser sehen dies sofort. Unvollständige Einträge werden ausgelassen und genannt.',
      unpublish: 'Das ist dann nicht mehr öffentlich.',
    },
    publishChanges: 'Änderungen veröffentlichen',
    savedCopy: 'Gespeichert. Öffentlich wird es, wenn Sie die Änderungen veröffentlichen.',
    discard: 'Änderungen verwerfen…',
    askDiscard: (title) => `Die Änderungen an „${title}“ verwerfen?`,
    staysPublished: 'Was öffentlich ist, bleibt, wie es ist. Die Änderungen lassen sich nicht wiederherstellen.',
    staysInVersions: 'Was öffentlich ist, bleibt, wie es ist. Was zuletzt gespeichert wurde, bleibt bei den Versionen.',
    keepChanges: 'Behalten',
    discardNow: 'Änderungen verwerfen',
    discarded: 'Die Änderungen wurden verworfen.',
    undone: {
      unpublish: 'Nicht mehr veröffentlicht. Was Sie gespeichert haben, ist ein Entwurf.',
      publish: 'Wieder veröffentlicht.',
      prepare: 'Die Änderungen sind wieder da.',
      withdraw: 'Leser sehen, was sie vorher sahen. Die Änderungen sind wieder vorbereitet.',
    },
    notUndone: 'Jemand hat den Eintrag seitdem geändert: nichts wurde rückgängig gemacht.',
    asItLooks: 'Wie es aussieht',
    takeOne: 'Diesen Wert übernehmen',
    takeOneOf: (label) => `Diesen Wert übernehmen: ${label}`,
    prepared: 'Vorbereitet',
    whatIsPublished: 'Was öffentlich ist',
    takeBack: 'Diese Änderung zurücknehmen',
  },
  presence: {
    others: (names) => `Auch hier: ${names}`,
    unsaved: (name) => `${name} (nicht gespeicherte Änderungen)`,
    yourself: 'Sie selbst, in einem anderen Tab',
    somebody: 'jemand anders',
    saved: (time, name) => `Inzwischen gespeichert von ${name}, ${time}.`,
    load: 'Laden',
  },
  trash: {
    title: 'Papierkorb',
    of: (list) => `Papierkorb: ${list}`,
    hint: (count) => `So lange bleibt hier, was gelöscht wird: ${days(count)}.`,
    keeps: (count) => `Im Papierkorb bleibt er noch: ${days(count)}.`,
    keepsThem: (count) => `Im Papierkorb bleiben sie noch: ${days(count)}.`,
    empty: 'Der Papierkorb ist leer.',
    table: 'Gelöschte Einträge',
    entry: 'Eintrag',
    deleted: 'Gelöscht',
    restore: 'Wiederherstellen',
    restoreOf: (title) => `${title} wiederherstellen`,
    restored: 'Wiederhergestellt.',
    restoredAsDraft: 'Als Entwurf wiederhergestellt.',
    severalRestored: (count) => `Wiederhergestellt: ${entries(count)}.`,
    linksLost: (count) =>
      `Wiederhergestellt, ohne ${counted(count, 'Verknüpfung', 'Verknüpfungen')} anderer Einträge, die sich inzwischen geändert haben.`,
    remove: 'Endgültig löschen',
    removeOf: (title) => `${title} endgültig löschen`,
    askRemove: (title) => `„${title}“ endgültig löschen?`,
    removed: 'Endgültig gelöscht.',
  },
};
