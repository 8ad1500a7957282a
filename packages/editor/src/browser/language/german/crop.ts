import type { Texts } from '../texts.js';

export const crop: Texts['crop'] = {
  crop: 'Zuschneiden…',
  title: 'Als neue Datei zuschneiden',
  hint: 'Ziehen Sie über das Bild, oder geben Sie Zahlen ein. Diese Datei bleibt, wie sie ist.',
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
