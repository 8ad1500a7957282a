import type { Texts } from '../texts.js';

export const crop: Texts['crop'] = {
  crop: 'Recadrer…',
  title: 'Recadrer dans un nouveau fichier',
  hint: 'Faites glisser le cadre ou ses poignées, déplacez-les avec les flèches, ou saisissez des nombres. Ce fichier reste tel quel.',
  ratio: 'Format',
  free: 'Libres',
  original: 'Comme l’image',
  frame: {
    cropArea: 'Cadre : les flèches le déplacent',
    nwDragHandle: 'Coin supérieur gauche : les flèches le déplacent',
    nDragHandle: 'Bord supérieur : les flèches le déplacent',
    neDragHandle: 'Coin supérieur droit : les flèches le déplacent',
    eDragHandle: 'Bord droit : les flèches le déplacent',
    seDragHandle: 'Coin inférieur droit : les flèches le déplacent',
    sDragHandle: 'Bord inférieur : les flèches le déplacent',
    swDragHandle: 'Coin inférieur gauche : les flèches le déplacent',
    wDragHandle: 'Bord gauche : les flèches le déplacent',
  },
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
