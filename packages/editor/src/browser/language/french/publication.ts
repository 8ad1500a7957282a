import { counter } from '../counter.js';
import type { Texts } from '../texts.js';

const counted = counter('fr');
const entries = (count: number): string => counted(count, 'entrée', 'entrées');
const days = (count: number): string => counted(count, 'jour', 'jours');

/** The sentences about what is published, prepared and deleted, and about who else does that. */
export const publication: Pick<Texts, 'presence' | 'publication' | 'review' | 'trash' | 'fileTrash' | 'knownFiles'> = {
  publication: {
    issues: 'À corriger d’abord',
    modified: 'Modifiée',
    changed: 'Modifié',
    ask: {
      publish: (count) => `Publier ${entries(count)}\u00A0?`,
      unpublish: (count) => `Dépublier ${entries(count)}\u00A0?`,
    },
    follows: {
      publish: 'Le public le voit aussitôt. Si une entrée est incomplète, aucune n’est publiée.',
      publishEach: 'Les lecteurs le voient aussitôt. Les entrées incomplètes sont laissées de côté et nommées.',
      unpublish: 'Le public ne le voit plus.',
    },
    publishChanges: 'Publier les modifications',
    savedCopy: 'Enregistré. Le public le verra quand vous publierez les modifications.',
    discard: 'Abandonner les modifications…',
    askDiscard: (title) => `Abandonner les modifications de «\u00A0${title}\u00A0»\u00A0?`,
    staysPublished: 'Ce qui est public reste tel quel. Les modifications ne peuvent pas être restaurées.',
    staysInVersions: 'Ce qui est public reste tel quel. Le dernier enregistrement reste parmi les versions.',
    keepChanges: 'Les garder',
    discardNow: 'Abandonner les modifications',
    discarded: 'Les modifications ont été abandonnées.',
    undone: {
      unpublish: 'N’est plus publié. Ce que vous avez enregistré est un brouillon.',
      publish: 'Publié à nouveau.',
      prepare: 'Les modifications sont de retour.',
      withdraw: 'Les lecteurs voient ce qu’ils voyaient avant. Les modifications sont à nouveau préparées.',
    },
    notUndone: 'Un autre utilisateur a modifié l’entrée depuis\u00A0: rien n’a été annulé.',
    asItLooks: 'Tel qu’affiché',
    takeOne: 'Reprendre cette valeur',
    takeOneOf: (label) => `Reprendre cette valeur de ${label}`,
    prepared: 'Modifiée',
    whatIsPublished: 'Ce qui est public',
    takeBack: 'Annuler cette modification',
  },
  review: {
    ask: 'Demander la publication',
    askTitle: 'Demander à d’autres de publier ceci\u00A0?',
    note: 'Ce qu’ils doivent savoir (facultatif)',
    asked: 'Enregistré. Ceux qui peuvent publier sont prévenus.',
    asks: (name) => `${name} demande de publier ceci`,
    changedSince: 'Modifiée depuis\u00A0: la demande peut être renouvelée.',
    hasChanged: 'Quelqu’un l’a modifiée ou a répondu entre-temps\u00A0: rien n’a été publié ni renvoyé.',
    publish: 'Publier ce qui est demandé',
    sendBack: 'Renvoyer…',
    sendBackTitle: 'Renvoyer à qui a demandé\u00A0?',
    sendBackNow: 'Renvoyer',
    whatToChange: 'Ce qui est à modifier',
    isSentBack: 'Renvoyée.',
    sentBack: (name) => `${name} a renvoyé ceci`,
    withdraw: 'Ne plus demander',
    withdrawn: 'La demande est retirée.',
    waiting: 'En attente de ma réponse',
    back: 'Renvoyées à moi',
    published: 'Publiées récemment',
    asksFor: (name) => `${name} demande`,
    changed: 'Modifiée depuis',
    publishedBy: (name) => `par ${name}`,
    changes: 'Modifications',
    unpublish: (title) => `Annuler la publication de ${title}`,
  },
  presence: {
    others: (names) => `Également ici\u00A0: ${names}`,
    unsaved: (name) => `${name} (modifications non enregistrées)`,
    yourself: 'vous, dans un autre onglet',
    somebody: 'une autre personne',
    saved: (time, name) => `Enregistré entre-temps\u00A0: ${time}, ${name}.`,
    deleted: (name, time) => `${name} a supprimé cette entrée\u00A0: ${time}.`,
    restore: 'La restaurer',
    saveAsNew: 'Enregistrer votre texte comme nouvelle entrée',
    load: 'Charger',
  },
  trash: {
    title: 'Corbeille',
    of: (list) => `Corbeille\u00A0: ${list}`,
    hint: (count) => `Ce qui est supprimé reste ici pendant ${days(count)}.`,
    keeps: (count) => `Elle reste dans la corbeille pendant ${days(count)}.`,
    keepsThem: (count) => `Elles restent dans la corbeille pendant ${days(count)}.`,
    empty: 'La corbeille est vide.',
    table: 'Entrées supprimées',
    entry: 'Entrée',
    deleted: 'Supprimée',
    restore: 'Restaurer',
    restoreOf: (title) => `Restaurer ${title}`,
    restored: 'Restaurée.',
    restoredAsDraft: 'Restaurée comme brouillon.',
    open: 'L’ouvrir',
    severalRestored: (count) => `Restauration\u00A0: ${entries(count)}.`,
    linksLost: (count) => `Restaurée, sans ${counted(count, 'lien', 'liens')} d’autres entrées, qui ont changé depuis.`,
    remove: 'Supprimer définitivement',
    removeOf: (title) => `Supprimer définitivement ${title}`,
    askRemove: (title) => `Supprimer définitivement «\u00A0${title}\u00A0»\u00A0?`,
    removed: 'Supprimée définitivement.',
  },
  fileTrash: {
    hint: (count) =>
      `Les fichiers supprimés restent ici pendant ${days(count)}. Jusqu’à leur suppression définitive, qui a leur adresse peut les ouvrir.`,
    disappears: (count) =>
      `Il disparaît des entrées qui l’utilisent et reste dans la corbeille pendant ${days(count)}.`,
    disappear: (count) =>
      `Les fichiers disparaissent des entrées qui les utilisent et restent dans la corbeille pendant ${days(count)}.`,
    disappearWith: (count) =>
      `Le dossier n’est pas vide. Ses fichiers et ceux des dossiers qu’il contient disparaissent des entrées qui les utilisent et restent dans la corbeille pendant ${days(count)}.`,
    table: 'Fichiers supprimés',
    restored: 'Le fichier a été restauré.',
    severalRestored: (count) => `Restauration\u00A0: ${counted(count, 'fichier', 'fichiers')}.`,
    linksLost: (count) =>
      `Le fichier a été restauré, sans ${counted(count, 'lien', 'liens')} d’entrées, qui ont changé depuis.`,
    removed: 'Le fichier a été supprimé définitivement.',
  },
  knownFiles: {
    title: (count) =>
      count === 1 ? 'La bibliothèque a déjà ce fichier' : `La bibliothèque a déjà ${count} de ces fichiers`,
    text: (count) =>
      count === 1
        ? 'Le même fichier a déjà été téléversé, sous le nom\u00A0:'
        : 'Les mêmes fichiers ont déjà été téléversés, sous les noms\u00A0:',
    take: (count) => (count === 1 ? 'Utiliser celui qui existe' : 'Utiliser ceux qui existent'),
    upload: 'Téléverser à nouveau',
  },
};
