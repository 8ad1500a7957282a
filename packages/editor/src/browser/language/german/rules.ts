import type { Texts } from '../texts.js';
import { counter } from '../counter.js';

const counted = counter('de');

/** What values have to be. */
export const rules: Texts['rules'] = {
  required: 'Pflichtfeld',
  integer: 'Muss eine ganze Zahl sein',
  number: 'Muss eine Zahl sein',
  datetime: 'Muss ein Datum mit Uhrzeit sein',
  date: 'Muss ein Datum sein: 2030-01-31',
  time: 'Muss eine Uhrzeit sein: 09:30',
  enumeration: 'Wählen Sie einen der Werte',
  email: 'Muss eine E-Mail-Adresse sein',
  address: 'Muss eine Adresse sein: https://example.org',
  refused: 'Dieser Wert ist nicht erlaubt',
  uid: 'Nur Buchstaben, Ziffern und -_.~ ohne Leerzeichen',
  list: 'Muss eine Liste in JSON sein',
  taken: 'Ein anderer Eintrag hat diesen Wert bereits',
  json: (line) => `Muss JSON sein: siehe Zeile ${line}`,
  atLeast: (min) => `Mindestens ${min}`,
  atMost: (max) => `Höchstens ${max}`,
  atLeastElements: (min) => `Mindestens ${counted(min, 'Element', 'Elemente')}`,
  atMostElements: (max) => `Höchstens ${counted(max, 'Element', 'Elemente')}`,
  atLeastCharacters: (min) => `Mindestens ${min} Zeichen`,
  atMostCharacters: (max) => `Höchstens ${max} Zeichen`,
  match: (pattern) => `Muss ${pattern} entsprechen`,
};
