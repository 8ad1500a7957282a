import type { Texts } from '../texts.js';

export const folders: Texts['folders'] = {
  way: 'Dossiers',
  newFolder: 'Nouveau dossier',
  rename: 'Renommer',
  moveTo: 'Déplacer…',
  moveFolder: 'Déplacer le dossier',
  moveFile: 'Déplacer le fichier',
  destination: 'Vers le dossier',
  move: 'Déplacer',
  moved: 'Déplacé.',
  folder: (name) => `Dossier ${name}`,
  isEmpty: 'Ce dossier est vide.',
  inAll: 'La recherche porte sur tous les dossiers.',
  wasDeleted: 'Ce dossier n’existe pas.',
  deleteFolder: 'Supprimer le dossier',
  askDelete: 'Supprimer ce dossier ?',
  onlyEmpty: 'Il est supprimé s’il est vide.',
  askContents: 'Supprimer tout le contenu du dossier ?',
  contentsDisappear:
    'Le dossier n’est pas vide. Ses fichiers et ceux de ses sous-dossiers ne pourront pas être restaurés et disparaîtront des entrées qui les utilisent.',
  deleteAll: 'Tout supprimer',
  deleted: 'Le dossier a été supprimé.',
};
