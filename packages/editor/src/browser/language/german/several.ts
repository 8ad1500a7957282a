import { counter } from '../counter.js';
import type { Texts } from '../texts.js';

const counted = counter('de');
const files = (count: number): string => counted(count, 'Datei', 'Dateien');

export const several: Texts['several'] = {
  selected: (count) => `${files(count)} ausgewählt`,
  selectAll: (count) => `Alle ${files(count)} auswählen`,
  describeThem: 'Beschreibungen…',
  describe: (count) => `Beschreibungen von ${files(count)}`,
  askMove: (count) => `${files(count)} verschieben`,
  askDelete: (count) => `${files(count)} löschen?`,
  disappear:
    'Was gelöscht ist, lässt sich nicht wiederherstellen und verschwindet aus den Einträgen, die es verwenden.',
  progress: {
    upload: (ended, all) => `Hochladen: ${ended} von ${files(all)}`,
    move: (ended, all) => `Verschieben: ${ended} von ${files(all)}`,
    describe: (ended, all) => `Speichern: ${ended} von ${files(all)}`,
    delete: (ended, all) => `Löschen: ${ended} von ${files(all)}`,
  },
  states: { waiting: 'Wartet', running: 'Läuft…', done: 'Fertig', stopped: 'Angehalten' },
  done: {
    upload: (count) => `${files(count)} hochgeladen.`,
    move: (count) => `${files(count)} verschoben.`,
    describe: (count) => `Beschreibungen von ${files(count)} gespeichert.`,
    delete: (count) => `${files(count)} gelöscht.`,
  },
  failed: {
    upload: (failed, all) => `Nicht hochgeladen: ${failed} von ${files(all)}`,
    move: (failed, all) => `Nicht verschoben: ${failed} von ${files(all)}`,
    describe: (failed, all) => `Nicht gespeichert: ${failed} von ${files(all)}`,
    delete: (failed, all) => `Nicht gelöscht: ${failed} von ${files(all)}`,
  },
  empty: 'Die Datei ist leer.',
  larger: (megabytes) => `Größer als ${megabytes.toLocaleString('de')} MB.`,
  isBusy: 'Warten Sie, bis der vorherige Vorgang beendet ist.',
};
