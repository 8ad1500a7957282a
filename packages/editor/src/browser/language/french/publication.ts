import { counter } from '../counter.js';
import type { Texts } from '../texts.js';

const counted = counter('fr');
const entries = (count: number): string => counted(count, 'entrée', 'entrées');
const days = (count: number): string => counted(count, 'jour', 'jours');

/** The sentences about what is published, prepared and deleted, and about who else does that. */
export const publication: Pick<Texts, 'presence' | 'publication' | 'trash'> = {
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
    prepared: 'Préparée',
    whatIsPublished: 'Ce qui est public',
    takeBack: 'Annuler cette modification',
  },
  presence: {
    others: (names) => `Également ici\u00A0: ${names}`,
    unsaved: (name) => `${name} (modifications non enregistrées)`,
    yourself: 'vous, dans un autre onglet',
    somebody: 'une autre personne',
    saved: (time, name) => `Enregistré entre-temps\u00A0: ${time}, ${name}.`,
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
    severalRestored: (count) => `Restauration\u00A0: ${entries(count)}.`,
    linksLost: (count) => `Restaurée, sans ${counted(count, 'lien', 'liens')} d’autres entrées, qui ont changé depuis.`,
    remove: 'Supprimer définitivement',
    removeOf: (title) => `Supprimer définitivement ${title}`,
    askRemove: (title) => `Supprimer définitivement «\u00A0${title}\u00A0»\u00A0?`,
    removed: 'Supprimée définitivement.',
  },
};
