import type { Texts } from '../texts.js';

export const folders: Texts['folders'] = {
  way: 'Ordner',
  newFolder: 'Neuer Ordner',
  rename: 'Umbenennen',
  moveTo: 'Verschieben…',
  moveFolder: 'Ordner verschieben',
  moveFile: 'Datei verschieben',
  destination: 'In den Ordner',
  move: 'Verschieben',
  moved: 'Verschoben.',
  folder: (name) => `Ordner ${name}`,
  isEmpty: 'Dieser Ordner ist leer.',
  inAll: 'Die Suche umfasst alle Ordner.',
  wasDeleted: 'Diesen Ordner gibt es nicht.',
  deleteFolder: 'Ordner löschen',
  askDelete: 'Diesen Ordner löschen?',
  onlyEmpty: 'Er wird gelöscht, wenn er leer ist.',
  askContents: 'Den gesamten Inhalt des Ordners löschen?',
  contentsDisappear:
    'Der Ordner ist nicht leer. Die Dateien darin und in seinen Unterordnern lassen sich nicht wiederherstellen und verschwinden aus den Einträgen, die sie verwenden.',
  deleteAll: 'Alles löschen',
  deleted: 'Der Ordner wurde gelöscht.',
};
