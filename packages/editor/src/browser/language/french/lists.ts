import type { Texts } from '../texts.js';
import { counter } from '../counter.js';

const counted = counter('fr');
const entries = (count: number): string => counted(count, 'entrée', 'entrées');

export const lists: Pick<Texts, 'list' | 'filters' | 'operators' | 'bulk'> = {
  list: {
    entries,
    newEntry: 'Nouvelle entrée',
    status: 'Statut',
    all: 'Tous',
    drafts: 'Brouillons',
    locale: 'Langue',
    noMatch: 'Aucune entrée ne correspond.',
    noEntries: 'Aucune entrée pour le moment.',
    showAll: 'Tout afficher',
    options: (count) =>
      count === 0 ? 'Filtres et ordre' : `Filtres et ordre : ${counted(count, 'filtre', 'filtres')}`,
    order: 'Ordre',
    ascending: (label) => `${label}, croissant`,
    descending: (label) => `${label}, décroissant`,
    pages: 'Pages',
    pageOf: (page, last) => `Page ${page} sur ${last}`,
    page: (page) => `Page ${page}`,
    perPage: 'Entrées par page',
    table: 'Entrées',
    columns: 'Colonnes',
    columnsAreKept: 'Ce navigateur les retient.',
    usualColumns: 'Colonnes habituelles',
    views: 'Vues',
    saveView: 'Enregistrer cette vue',
    viewOfAll: (all: string): string => `« ${all} » est la liste entière. Choisissez un autre nom.`,
    viewsAreKept: 'Les filtres, l’ordre et les colonnes actuels. Votre compte les conserve.',
    selectAll: 'Tout sélectionner sur cette page',
    select: (title) => `Sélectionner ${title}`,
    id: 'ID',
    changed: 'Modifié',
    untitled: 'Sans titre',
  },
  filters: {
    filters: 'Filtres',
    add: 'Ajouter un filtre',
    remove: (filter) => `Retirer le filtre ${filter}`,
    unusable: (name) => `${name} : filtrage impossible`,
    attribute: 'Champ',
    condition: 'Condition',
    value: 'Valeur',
    apply: 'Appliquer',
  },
  operators: {
    empty: 'est vide',
    notEmpty: 'n’est pas vide',
    equal: 'est',
    notEqual: 'n’est pas',
    greater: 'est supérieur à',
    atLeast: 'est au moins',
    less: 'est inférieur à',
    atMost: 'est au plus',
    contains: 'contient',
    containsNot: 'ne contient pas',
    startsWith: 'commence par',
    before: 'est avant',
    notBefore: 'n’est pas avant',
  },
  bulk: {
    selection: 'Sélection',
    selected: (count) => counted(count, 'entrée sélectionnée', 'entrées sélectionnées'),
    all: (count) => `Toutes : ${counted(count, 'entrée correspondante', 'entrées correspondantes')}`,
    selectAll: (count) => `Tout sélectionner : ${counted(count, 'entrée correspondante', 'entrées correspondantes')}`,
    counting: (count, all) => `Comptage : ${count.toLocaleString('fr')} sur ${entries(all)}`,
    nothingToDo: (count) =>
      `Rien à faire : ${counted(count, 'entrée resterait', 'entrées resteraient')} telles quelles.`,
    more: (count) => `et ${count.toLocaleString('fr')} de plus`,
    stop: 'Arrêter',
    report: 'Rapport',
    progress: {
      publish: (ended, all) => `Publication : ${ended} sur ${entries(all)}`,
      unpublish: (ended, all) => `Dépublication : ${ended} sur ${entries(all)}`,
      delete: (ended, all) => `Suppression : ${ended} sur ${entries(all)}`,
      change: (ended, all) => `Modification : ${ended} sur ${entries(all)}`,
      restore: (ended, all) => `Restauration : ${ended} sur ${entries(all)}`,
      unpublishAgain: (ended, all) => `Nouvelle dépublication : ${ended} sur ${entries(all)}`,
      publishAgain: (ended, all) => `Nouvelle publication : ${ended} sur ${entries(all)}`,
    },
    outcome: (done, others) =>
      [
        done,
        others.refused > 0 && `${counted(others.refused, 'refusée', 'refusées')}.`,
        others.left > 0 && `${counted(others.left, 'non traitée', 'non traitées')}.`,
        others.skipped > 0 &&
          `${counted(others.skipped, 'modifiée entre-temps et laissée', 'modifiées entre-temps et laissées')}.`,
      ]
        .filter(Boolean)
        .join(' '),
    clear: 'Effacer la sélection',
    actions: { publish: 'Publier', unpublish: 'Dépublier', delete: 'Supprimer' },
    done: {
      publish: (count) => `${counted(count, 'entrée publiée', 'entrées publiées')}.`,
      unpublish: (count) => `${counted(count, 'entrée dépubliée', 'entrées dépubliées')}.`,
      delete: (count) => `${counted(count, 'entrée supprimée', 'entrées supprimées')}.`,
      change: (count) => `${counted(count, 'entrée modifiée', 'entrées modifiées')}.`,
      restore: (count) => `${counted(count, 'entrée restaurée', 'entrées restaurées')}.`,
      unpublishAgain: (count) => `${counted(count, 'entrée à nouveau dépubliée', 'entrées à nouveau dépubliées')}.`,
      publishAgain: (count) => `${counted(count, 'entrée à nouveau publiée', 'entrées à nouveau publiées')}.`,
    },
    refused: { publish: 'Non publiées', unpublish: 'Non dépubliées', delete: 'Non supprimées' },
    askDelete: (count) => `Supprimer ${entries(count)} ?`,
    cannotBeRestored: 'Cette action est irréversible.',
    keepThem: 'Conserver',
    noneChanged: (count) =>
      `Le service a refusé cette action : ${counted(count, 'entrée reste inchangée', 'entrées restent inchangées')}.`,
  },
};
