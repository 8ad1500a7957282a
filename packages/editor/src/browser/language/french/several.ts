import { counter } from '../counter.js';
import type { Texts } from '../texts.js';

const counted = counter('fr');
const files = (count: number): string => counted(count, 'fichier', 'fichiers');

export const several: Texts['several'] = {
  selected: (count) => counted(count, 'fichier sélectionné', 'fichiers sélectionnés'),
  selectAll: (count) => `Sélectionner les ${files(count)}`,
  describeThem: 'Descriptions…',
  describe: (count) => `Descriptions de ${files(count)}`,
  askMove: (count) => `Déplacer ${files(count)}`,
  askDelete: (count) => `Supprimer ${files(count)} ?`,
  disappear: 'Ce qui est supprimé ne pourra pas être restauré et disparaîtra des entrées qui l’utilisent.',
  progress: {
    upload: (ended, all) => `Téléversement : ${ended} sur ${files(all)}`,
    move: (ended, all) => `Déplacement : ${ended} sur ${files(all)}`,
    describe: (ended, all) => `Enregistrement\u00A0: ${ended} sur ${files(all)}`,
    delete: (ended, all) => `Suppression : ${ended} sur ${files(all)}`,
  },
  states: { waiting: 'En attente', running: 'En cours…', done: 'Terminé', stopped: 'Arrêté' },
  done: {
    upload: (count) => `${counted(count, 'fichier téléversé', 'fichiers téléversés')}.`,
    move: (count) => `${counted(count, 'fichier déplacé', 'fichiers déplacés')}.`,
    describe: (count) => `Descriptions de ${files(count)} enregistrées.`,
    delete: (count) => `${counted(count, 'fichier supprimé', 'fichiers supprimés')}.`,
  },
  failed: {
    upload: (failed, all) => `Échec du téléversement : ${failed} sur ${files(all)}`,
    move: (failed, all) => `Échec du déplacement : ${failed} sur ${files(all)}`,
    describe: (failed, all) => `Non enregistré\u00A0: ${failed} sur ${files(all)}`,
    delete: (failed, all) => `Échec de la suppression : ${failed} sur ${files(all)}`,
  },
  empty: 'Il est vide.',
  larger: (megabytes) => `Il dépasse ${megabytes.toLocaleString('fr')} Mo.`,
  isBusy: 'Attendez la fin de l’opération en cours.',
};
