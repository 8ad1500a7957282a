import type { Texts } from '../texts.js';
import { counter } from '../counter.js';

const counted = counter('fr');

/** What values have to be. */
export const rules: Texts['rules'] = {
  required: 'Obligatoire',
  integer: 'Doit être un nombre entier',
  number: 'Doit être un nombre',
  datetime: 'Doit être une date avec une heure',
  date: 'Doit être une date : 2030-01-31',
  time: 'Doit être une heure : 09:30',
  enumeration: 'Choisissez l’une des valeurs',
  email: 'Doit être une adresse e-mail',
  address: 'Doit être une adresse : https://example.org',
  refused: 'Cette valeur n’est pas permise',
  uid: 'Seulement des lettres, des chiffres et -_.~ sans espaces',
  list: 'Doit être une liste en JSON',
  taken: 'Une autre entrée a déjà cette valeur',
  json: (line) => `Doit être du JSON : voir la ligne ${line}`,
  atLeast: (min) => `Au moins ${min}`,
  atMost: (max) => `Au plus ${max}`,
  atLeastElements: (min) => `Au moins ${counted(min, 'élément', 'éléments')}`,
  atMostElements: (max) => `Au plus ${counted(max, 'élément', 'éléments')}`,
  atLeastCharacters: (min) => `Au moins ${counted(min, 'caractère', 'caractères')}`,
  atMostCharacters: (max) => `Au plus ${counted(max, 'caractère', 'caractères')}`,
  match: (pattern) => `Doit correspondre à ${pattern}`,
};
