import { counter } from '../counter.js';
import type { Texts } from '../texts.js';

const counted = counter('fr');

/** Why the service refuses something. */
export const refusals: Texts['refusals'] = {
  of: (name, reason) => `${name}\u00A0: ${reason}`,
  forbidden: 'Votre rôle ne le permet pas.',
  notFound: 'Ceci n’existe plus, ou votre rôle ne permet pas de le voir.',
  changed: 'Quelqu’un l’a modifié entre-temps. Rechargez la page.',
  tooLarge: 'C’est trop volumineux.',
  tooMany: 'Trop de tentatives. Réessayez dans quelques minutes.',
  busy: 'Le service est occupé. Réessayez dans quelques secondes.',
  failed: 'Le service a échoué. Ses responsables en trouvent la raison dans son journal.',
  unexpected:
    'Un problème est survenu dans l’éditeur. Rechargez la page\u00A0; si cela se reproduit, dites-le à ceux qui gèrent ce service.',
  several: (count) =>
    `${counted(count, 'valeur ne peut pas être enregistrée', 'valeurs ne peuvent pas être enregistrées')}.`,
  wrongType: 'Doit être une valeur d’un autre type',
  targetGone: 'Une entrée liée à celle-ci n’existe plus.',
  localeTaken: 'Il existe déjà une traduction dans cette langue.',
  isPast: 'Choisissez un moment à venir.',
  fileType: (type) => `Les fichiers de type ${type} ne sont pas autorisés.`,
  invalidImage: 'Ce fichier n’est pas une image valide.',
  manyPixels: (count) => `L’image a plus de ${counted(count, 'pixel', 'pixels')}.`,
  folderTaken: (name) => `Il existe déjà un dossier de ce nom\u00A0: ${name}`,
  noSlash: 'Ne doit pas contenir de barre oblique',
  noSpaces: 'Ne doit ni commencer ni finir par une espace',
  folderInside: 'Un dossier ne peut pas être déplacé dans lui-même.',
  folderFull: 'Le dossier n’est pas vide.',
  aboveRole: 'Cela a plus de droits que votre rôle.',
  wrongPassword: 'Le mot de passe actuel est incorrect.',
  samePassword: 'Le nouveau mot de passe doit être différent de l’actuel.',
  differentPasswords: 'Les deux mots de passe sont différents.',
  usedLink: 'Ce lien a déjà servi, ou il a expiré.',
  unconfirmed: 'L’adresse e-mail n’est pas encore confirmée.',
  blocked: 'Ce compte est bloqué.',
};
