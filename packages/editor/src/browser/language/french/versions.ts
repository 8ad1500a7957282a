import type { Texts } from '../texts.js';

/** The sentences about versions of an entry: of somebody else in the meantime, and former ones. */
export const versions: Pick<Texts, 'conflict' | 'versions'> = {
  conflict: {
    deleted: 'Cette entrée a été supprimée',
    copy: 'Quelqu’un l’a supprimée pendant que vous la modifiiez. Copiez ce dont vous avez besoin, ou créez une nouvelle entrée.',
    changed: 'Cette entrée a été modifiée entre-temps',
    changedAt: (time, by) => (by === undefined ? `Modifiée le ${time}.` : `Modifiée par ${by} le ${time}.`),
    choose:
      'Choisissez ce qui est conservé, passage par passage dans les textes modifiés des deux côtés. Rien n’est enregistré avant que vous enregistriez.',
    passage: (at, count) => `Passage ${at} sur ${count}`,
    attribute: 'Champ',
    mine: 'Votre valeur',
    theirs: 'Enregistrée actuellement',
    both: 'Modifié des deux côtés',
    asBefore: (count) => `… ${count} paragraphes dans les deux …`,
    same: 'Les deux versions ont les mêmes valeurs.',
    back: 'Retour au formulaire',
    use: 'Utiliser ces valeurs',
  },
  versions: {
    title: 'Versions',
    show: 'Versions…',
    of: (name) => `Version du ${name}`,
    choose: 'Choisissez une version pour la comparer au formulaire.',
    none: 'Il n’y a pas encore de version. La prochaine modification en ajoute une.',
    older: 'Versions plus anciennes',
    then: 'À ce moment',
    now: 'Dans le formulaire',
    hint: 'Ces valeurs diffèrent du formulaire. Rien n’est enregistré avant que vous n’enregistriez.',
    same: 'Le formulaire a les valeurs de cette version.',
    back: 'Toutes les versions',
    take: 'Reprendre ces valeurs',
    taken: 'Les valeurs sont dans le formulaire. Enregistrez-le pour les conserver.',
  },
};
