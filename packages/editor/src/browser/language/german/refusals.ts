import { counter } from '../counter.js';
import type { Texts } from '../texts.js';

const counted = counter('de');

/** Why the service refuses something. */
export const refusals: Texts['refusals'] = {
  of: (name, reason) => `${name}: ${reason}`,
  forbidden: 'Ihre Rolle erlaubt das nicht.',
  notFound: 'Es existiert nicht mehr, oder Ihre Rolle darf es nicht sehen.',
  changed: 'Jemand hat es inzwischen geändert. Laden Sie es neu.',
  tooLarge: 'Das ist zu groß.',
  tooMany: 'Zu viele Versuche. Versuchen Sie es in einigen Minuten wieder.',
  busy: 'Der Dienst ist ausgelastet. Versuchen Sie es in einigen Sekunden wieder.',
  failed: 'Im Dienst ist ein Fehler aufgetreten. Wer ihn betreibt, findet den Grund im Protokoll.',
  unexpected:
    'Im Editor ist etwas schiefgegangen. Laden Sie die Seite neu; passiert es wieder, sagen Sie es denen, die diesen Dienst betreiben.',
  several: (count) => `${counted(count, 'Wert kann', 'Werte können')} nicht gespeichert werden.`,
  wrongType: 'Muss ein Wert eines anderen Typs sein',
  targetGone: 'Ein Eintrag, auf den dieser verweist, existiert nicht mehr.',
  localeTaken: 'Es gibt schon eine Übersetzung in diese Sprache.',
  isPast: 'Wählen Sie einen Zeitpunkt in der Zukunft.',
  fileType: (type) => `Dateien des Typs ${type} sind nicht erlaubt.`,
  invalidImage: 'Diese Datei ist kein gültiges Bild.',
  manyPixels: (count) => `Das Bild hat mehr als ${counted(count, 'Pixel', 'Pixel')}.`,
  folderTaken: (name) => `Es gibt schon einen Ordner mit diesem Namen: ${name}`,
  noSlash: 'Darf keinen Schrägstrich enthalten',
  noSpaces: 'Darf nicht mit einem Leerzeichen beginnen oder enden',
  folderInside: 'Ein Ordner kann nicht in sich selbst verschoben werden.',
  folderFull: 'Der Ordner ist nicht leer.',
  aboveRole: 'Das hat mehr Rechte als Ihre Rolle.',
  wrongPassword: 'Das aktuelle Passwort ist falsch.',
  samePassword: 'Das neue Passwort muss sich vom aktuellen unterscheiden.',
  differentPasswords: 'Die beiden Passwörter sind verschieden.',
  usedLink: 'Dieser Link wurde schon benutzt oder ist abgelaufen.',
  unconfirmed: 'Die E-Mail-Adresse ist noch nicht bestätigt.',
  blocked: 'Dieses Konto ist gesperrt.',
};
