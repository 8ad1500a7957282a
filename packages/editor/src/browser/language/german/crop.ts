import type { Texts } from '../texts.js';

export const crop: Texts['crop'] = {
  crop: 'Zuschneiden…',
  title: 'Als neue Datei zuschneiden',
  hint: 'Ziehen Sie den Rahmen oder seine Griffe, bewegen Sie sie mit den Pfeiltasten, oder geben Sie Zahlen ein. Diese Datei bleibt, wie sie ist.',
  ratio: 'Seitenverhältnis',
  free: 'Beliebig',
  original: 'Wie das Bild',
  frame: {
    cropArea: 'Rahmen: Die Pfeiltasten bewegen ihn',
    nwDragHandle: 'Ecke oben links: Die Pfeiltasten bewegen sie',
    nDragHandle: 'Obere Kante: Die Pfeiltasten bewegen sie',
    neDragHandle: 'Ecke oben rechts: Die Pfeiltasten bewegen sie',
    eDragHandle: 'Rechte Kante: Die Pfeiltasten bewegen sie',
    seDragHandle: 'Ecke unten rechts: Die Pfeiltasten bewegen sie',
    sDragHandle: 'Untere Kante: Die Pfeiltasten bewegen sie',
    swDragHandle: 'Ecke unten links: Die Pfeiltasten bewegen sie',
    wDragHandle: 'Linke Kante: Die Pfeiltasten bewegen sie',
  },
  area: { x: 'Links', y: 'Oben', width: 'Breite', height: 'Höhe' },
  save: 'Als neue Datei speichern',
  saved: 'Die neue Datei ist in der Mediathek.',
  unreadable: 'Der Browser darf dieses Bild nicht lesen: Der Server, auf dem es liegt, erlaubt es nicht.',
  focus: {
    title: 'Bildschwerpunkt',
    hint: 'Klicken Sie auf das, was sichtbar bleiben muss, wo das Bild beschnitten wird.',
    x: 'Von links, %',
    y: 'Von oben, %',
  },
};
