import type { Texts } from '../texts.js';
import { counter } from '../counter.js';

const counted = counter('fr');
const entries = (count: number): string => counted(count, 'entrée', 'entrées');

/** Les phrases autour des pages et de la première. */
export const shell: Pick<Texts, 'shell' | 'home' | 'unsaved'> = {
  shell: {
    skip: 'Aller au contenu',
    menu: 'Menu',
    language: 'Langue',
    navigation: 'Contenu',
    collections: 'Collections',
    singlePages: 'Pages uniques',
    library: 'Médiathèque',
    files: 'Fichiers',
    access: 'Accès',
    users: 'Utilisateurs',
    roles: 'Rôles',
    tokens: 'Jetons d’API',
    notFound: 'Introuvable',
    noSuchPage: 'Cette page n’existe pas, ou votre rôle ne permet pas de la voir.',
    welcome: (user) => `Bienvenue, ${user}`,
    noContent: 'Votre rôle n’a encore de droit sur aucun contenu. Les responsables de ce service peuvent en accorder.',
    toHome: 'Vers la page d’accueil',
  },
  home: {
    title: 'Accueil',
    changed: 'Modifiés récemment',
    mine: 'Mes brouillons et modifications',
    otherDrafts: 'Autres brouillons',
    scheduled: 'Planifié',
    single: 'Page unique',
    drafts: (count) => counted(count, 'brouillon', 'brouillons'),
    inAllLocales: (count) => `${entries(count)} dans toutes les langues`,
    first: {
      title: 'Premiers pas',
      types: {
        label: 'Voir les types de contenu',
        purpose: 'Ils disent de quoi sont faites les entrées. Modifiez-les, ou ajoutez les vôtres.',
      },
      entry: (name) => `Écrire la première entrée\u00A0: ${name}`,
      entryPurpose:
        'Commencez par ce à quoi d’autres entrées renvoient. Seuls ceux qui écrivent voient les brouillons.',
      files: {
        label: 'Téléverser des images et d’autres fichiers',
        purpose: 'Les entrées et les textes les prennent dans la bibliothèque.',
      },
      users: {
        label: 'Créer un compte pour quelqu’un d’autre',
        purpose: 'Son rôle dit ce que cette personne peut écrire et publier.',
      },
    },
  },
  unsaved: {
    title: 'Modifications non enregistrées',
    isKept: (title) =>
      `Vos modifications de «\u00A0${title}\u00A0» ne sont pas enregistrées. Ce navigateur les conserve.`,
    goOn: 'Continuer',
    discard: 'Abandonner',
    discardOne: (title) => `Abandonner les modifications de ${title}`,
    discarded: 'Modifications abandonnées.',
    count: (count) => `Non enregistrés\u00A0: ${count}`,
    askLogOut: 'Se déconnecter et abandonner les modifications\u00A0?',
    isLost: (count) =>
      `${counted(count, 'formulaire contient', 'formulaires contiennent')} des modifications non enregistrées. La déconnexion les efface.`,
    stay: 'Rester',
  },
};
