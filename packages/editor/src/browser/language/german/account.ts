import type { Texts } from '../texts.js';

export const account: Texts['account'] = {
  logIn: 'Anmelden',
  logOut: 'Abmelden',
  logInAgain: 'Erneut anmelden',
  hasEnded: 'Ihre Anmeldung ist abgelaufen. Was Sie eingegeben haben, ist noch da.',
  identifier: 'Benutzername oder E-Mail',
  username: 'Benutzername',
  email: 'E-Mail',
  password: 'Passwort',
  forgotten: 'Passwort vergessen',
  mailIsSent: 'Wenn diese Adresse zu einem Benutzer gehört, ist eine E-Mail mit einem Link unterwegs.',
  sendLink: 'Link senden',
  newPassword: 'Neues Passwort',
  newPasswordAgain: 'Neues Passwort wiederholen',
  firstUser: 'Das erste Konto anlegen',
  aboutFirstUser: 'Noch kann hier niemand Inhalte schreiben. Dieses Konto erhält die Rolle Editor.',
  createFirstUser: 'Konto anlegen',
  saveAndLogIn: 'Speichern und anmelden',
  wrong: 'Der Benutzername, die E-Mail-Adresse oder das Passwort ist falsch.',
  secondFactor: {
    code: 'Code Ihrer App oder ein Wiederherstellungscode',
    wrong: 'Der Code ist falsch oder wurde schon verwendet. Warten Sie auf den nächsten.',
    setUp:
      'Ihre Rolle verlangt einen zweiten Faktor. Geben Sie diesen Schlüssel in eine App für Codes ein und hier den ersten Code.',
    key: 'Schlüssel',
    open: 'Die App auf diesem Gerät öffnen',
    firstCode: 'Erster Code',
    codes:
      'Bewahren Sie diese Wiederherstellungscodes sicher auf. Jeder gilt einmal anstelle eines Codes. Sie werden nicht noch einmal gezeigt.',
    kept: 'Ich habe sie aufbewahrt',
  },
  noLogIns:
    'Dieser Dienst erlaubt keine Anmeldung: Geben Sie der Rolle public das Recht plugin::users-permissions.auth.callback.',
  title: 'Ihr Konto',
  ofUser: 'Name und Adresse',
  onlyRead: 'Ihre Rolle darf sie nicht ändern.',
  changePassword: 'Passwort ändern',
  currentPassword: 'Aktuelles Passwort',
  passwordChanged: 'Das Passwort wurde geändert. Andere Browser müssen sich neu anmelden.',
  sessions: {
    title: 'Wo Sie angemeldet sind',
    device: (browser, system) =>
      system === null ? (browser ?? 'Unbekanntes Gerät') : `${browser ?? 'Unbekannter Browser'} auf ${system}`,
    current: 'Dieser Browser',
    end: 'Abmelden',
    endOne: (device) => `Abmelden: ${device}`,
    ended: 'Dort abgemeldet.',
    endOthers: 'Überall sonst abmelden',
    aboutOthers:
      'Andere Browser und Programme, die sich mit Ihrem Konto angemeldet haben, müssen sich dann neu anmelden.',
    othersEnded: 'Sie sind nur noch hier angemeldet.',
  },
  appearance: 'Aussehen',
  colors: 'Farben',
  themes: { system: 'Wie das System', light: 'Hell', dark: 'Dunkel' },
};
