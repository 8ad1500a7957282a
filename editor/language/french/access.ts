import { counter } from '../counter.js';
import type { Texts } from '../texts.js';

const counted = counter('fr');

export const access: Pick<Texts, 'roles' | 'tokens'> = {
  roles: {
    newRole: 'Nouveau rôle',
    users: (count) => counted(count, 'utilisateur', 'utilisateurs'),
    declared: 'Les rôles de access.json reçoivent à chaque démarrage du service les droits qui y sont inscrits.',
    permissions: 'Droits',
    content: 'Contenu',
    actions: {
      find: 'Peut lister',
      findOne: 'Peut lire',
      create: 'Peut créer',
      update: 'Peut modifier',
      delete: 'Peut supprimer',
      upload: 'Peut téléverser',
    },
    others: 'Autres',
    may: (action, type) => `${action} : ${type}`,
    limited: (action) => `${action}, limité par une règle`,
    changed: (count) => counted(count, 'droit modifié', 'droits modifiés'),
    created: 'Le rôle a été créé.',
    deleted: 'Le rôle a été supprimé.',
    askDelete: 'Supprimer ce rôle ?',
    becomePublic: 'Ses utilisateurs reçoivent le rôle public.',
    choose: 'Choisir un rôle',
  },
  tokens: {
    newToken: 'Nouveau jeton',
    purpose: 'Un programme envoie la clé d’un jeton avec ses requêtes, et peut faire ce que le jeton autorise.',
    none: 'Il n’y a aucun jeton.',
    expires: 'Expiration',
    never: 'Jamais',
    inDays: (days) => `dans ${counted(days, 'jour', 'jours')}`,
    types: { 'read-only': 'Lit tout', 'full-access': 'Tout' },
    onlyYours: 'Un jeton ne peut faire que ce que vous pouvez faire vous-même.',
    revoke: 'Révoquer',
    revokeOne: (name) => `Révoquer ${name}`,
    askRevoke: (name) => `Révoquer ${name} ?`,
    programsStop: 'Les programmes qui utilisent sa clé sont désormais refusés.',
    revoked: 'Le jeton a été révoqué.',
    created: 'Le jeton a été créé',
    shownOnce: 'La clé n’est affichée que cette fois-ci. Conservez-la là où seul le programme peut la lire.',
    key: 'Clé',
    copy: 'Copier',
  },
};
