import { counter } from '../counter.js';
import type { Texts } from '../texts.js';

const counted = counter('de');
const entries = (count: number): string => counted(count, 'Eintrag', 'Einträge');
const days = (count: number): string => counted(count, 'Tag', 'Tage');

/** The sentences about what is published, prepared and deleted, and about who else does that. */
export const publication: Pick<Texts, 'presence' | 'publication' | 'review' | 'trash' | 'fileTrash' | 'knownFiles'> = {
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
    prepared: 'Geändert',
    whatIsPublished: 'Was öffentlich ist',
    takeBack: 'Diese Änderung zurücknehmen',
  },
  review: {
    ask: 'Um Veröffentlichung bitten',
    askTitle: 'Andere bitten, das zu veröffentlichen?',
    note: 'Was sie wissen sollten (freiwillig)',
    asked: 'Gespeichert. Wer es veröffentlichen darf, ist gefragt.',
    asks: (name) => `${name} bittet, das zu veröffentlichen`,
    changedSince: 'Seitdem hat es sich geändert: wer gebeten hat, kann wieder bitten.',
    hasChanged: 'Inzwischen hat es jemand geändert oder beantwortet: nichts wurde veröffentlicht oder zurückgegeben.',
    publish: 'Das Erbetene veröffentlichen',
    sendBack: 'Zurückgeben …',
    sendBackTitle: 'Zurückgeben?',
    sendBackNow: 'Zurückgeben',
    whatToChange: 'Was noch zu ändern ist',
    isSentBack: 'Zurückgegeben.',
    sentBack: (name) => `${name} hat das zurückgegeben`,
    withdraw: 'Nicht mehr darum bitten',
    withdrawn: 'Niemand ist mehr gefragt.',
    waiting: 'Wartet auf mich',
    back: 'An mich zurückgegeben',
    published: 'Kürzlich veröffentlicht',
    asksFor: (name) => `${name} bittet`,
    changed: 'Seitdem geändert',
    publishedBy: (name) => `von ${name}`,
    changes: 'Änderungen',
    unpublish: (title) => `Veröffentlichung rückgängig machen: ${title}`,
  },
  presence: {
    others: (names) => `Auch hier: ${names}`,
    unsaved: (name) => `${name} (nicht gespeicherte Änderungen)`,
    yourself: 'Sie selbst, in einem anderen Tab',
    somebody: 'jemand anders',
    saved: (time, name) => `Inzwischen gespeichert von ${name}, ${time}.`,
    deleted: (name, time) => `${name} hat diesen Eintrag gelöscht, ${time}.`,
    restore: 'Wiederherstellen',
    saveAsNew: 'Das Geschriebene als neuen Eintrag speichern',
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
    open: 'Öffnen',
    severalRestored: (count) => `Wiederhergestellt: ${entries(count)}.`,
    linksLost: (count) =>
      `Wiederhergestellt, ohne ${counted(count, 'Verknüpfung', 'Verknüpfungen')} anderer Einträge, die sich inzwischen geändert haben.`,
    remove: 'Endgültig löschen',
    removeOf: (title) => `${title} endgültig löschen`,
    askRemove: (title) => `„${title}“ endgültig löschen?`,
    removed: 'Endgültig gelöscht.',
  },
  fileTrash: {
    hint: (count) =>
      `So lange bleiben gelöschte Dateien hier: ${days(count)}. Bis sie endgültig gelöscht sind, kann sie öffnen, wer ihre Adresse hat.`,
    disappears: (count) =>
      `Sie verschwindet aus den Einträgen, die sie verwenden. Im Papierkorb bleibt sie noch: ${days(count)}.`,
    disappear: (count) =>
      `Die Dateien verschwinden aus den Einträgen, die sie verwenden. Im Papierkorb bleiben sie noch: ${days(count)}.`,
    disappearWith: (count) =>
      `Der Ordner ist nicht leer. Die Dateien in ihm und in den Ordnern darunter verschwinden aus den Einträgen, die sie verwenden. Im Papierkorb bleiben sie noch: ${days(count)}.`,
    table: 'Gelöschte Dateien',
    restored: 'Die Datei wurde wiederhergestellt.',
    severalRestored: (count) => `Wiederhergestellt: ${counted(count, 'Datei', 'Dateien')}.`,
    linksLost: (count) =>
      `Die Datei wurde wiederhergestellt, ohne ${counted(count, 'Verknüpfung', 'Verknüpfungen')} von Einträgen, die sich inzwischen geändert haben.`,
    removed: 'Die Datei wurde endgültig gelöscht.',
  },
  knownFiles: {
    title: (count) => (count === 1 ? 'Die Bibliothek hat diese Datei' : `Die Bibliothek hat ${count} dieser Dateien`),
    text: (count) =>
      count === 1 ? 'Dieselbe Datei wurde schon hochgeladen, als:' : 'Dieselben Dateien wurden schon hochgeladen, als:',
    take: (count) => (count === 1 ? 'Die vorhandene verwenden' : 'Die vorhandenen verwenden'),
    upload: 'Noch einmal hochladen',
  },
};
