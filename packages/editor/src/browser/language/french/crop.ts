import type { Texts } from '../texts.js';

export const crop: Texts['crop'] = {
  crop: 'Recadrer…',
  title: 'Recadrer dans un nouveau fichier',
  hint: 'Faites glisser sur l’image, ou saisissez des nombres. Ce fichier reste tel quel.',
  area: { x: 'Gauche', y: 'Haut', width: 'Largeur', height: 'Hauteur' },
  save: 'Enregistrer dans un nouveau fichier',
  saved: 'Le nouveau fichier est dans la bibliothèque.',
  unreadable: 'Le navigateur ne peut pas lire cette image : le serveur qui la stocke ne l’autorise pas.',
  focus: {
    title: 'Point focal',
    hint: 'Cliquez sur ce qui doit rester visible là où l’image est recadrée.',
    x: 'Depuis la gauche (%)',
    y: 'Depuis le haut (%)',
  },
};
