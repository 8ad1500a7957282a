import type { Texts } from '../texts.js';

/** The sentences about versions of an entry: of somebody else in the meantime, and former ones. */
export const versions: Pick<Texts, 'conflict' | 'versions'> = {
  conflict: {
    deleted: 'Dieser Eintrag wurde gelöscht',
    copy: 'Jemand hat ihn gelöscht, während Sie ihn bearbeitet haben. Kopieren Sie, was Sie brauchen, oder erstellen Sie einen neuen Eintrag.',
    changed: 'Dieser Eintrag wurde inzwischen geändert',
    changedAt: (time, by) => (by === undefined ? `Geändert am ${time}.` : `Geändert von ${by} am ${time}.`),
    choose:
      'Wählen Sie, was bleiben soll, in Texten, die beide geändert haben, auch Stelle für Stelle. Erst beim Speichern wird etwas geändert.',
    passage: (at, count) => `Stelle ${at} von ${count}`,
    attribute: 'Feld',
    mine: 'Ihr Wert',
    theirs: 'Jetzt gespeichert',
    both: 'Beide haben es geändert',
    asBefore: (count) => `… ${count} Absätze in beiden …`,
    same: 'Beide Fassungen haben dieselben Werte.',
    back: 'Zurück zum Formular',
    use: 'Diese Werte verwenden',
  },
  versions: {
    title: 'Versionen',
    show: 'Versionen…',
    of: (name) => `Version vom ${name}`,
    choose: 'Bitte eine Version wählen, um sie mit dem Formular zu vergleichen.',
    none: 'Es gibt noch keine Versionen. Die nächste Änderung legt eine an.',
    older: 'Ältere Versionen',
    then: 'Damals',
    now: 'Im Formular',
    hint: 'Diese Werte unterscheiden sich vom Formular. Vor dem Speichern wird nichts geändert.',
    same: 'Das Formular hat die Werte dieser Version.',
    back: 'Alle Versionen',
    take: 'Diese Werte übernehmen',
    taken: 'Die Werte sind im Formular. Bitte speichern, um sie zu behalten.',
  },
};
