/** The sentences about versions of an entry: of somebody else in the meantime, and former ones. */
export const versions = {
  conflict: {
    deleted: 'This entry was deleted',
    copy: 'Another user deleted it while you were editing. Copy what you need, or create a new entry.',
    changed: 'This entry was changed in the meantime',
    changedAt: (time: string, by: string | undefined): string =>
      by === undefined ? `Changed on ${time}.` : `Changed by ${by} on ${time}.`,
    choose:
      'Choose what to keep, of texts that both changed also passage by passage. Nothing is stored before you save.',
    passage: (at: number, count: number): string => `Passage ${at} of ${count}`,
    attribute: 'Attribute',
    mine: 'Your value',
    theirs: 'Stored now',
    both: 'Both changed it',
    asBefore: (count: number): string => `… ${count} paragraphs in both …`,
    same: 'Both versions have the same values.',
    back: 'Back to the form',
    use: 'Use these values',
  },
  versions: {
    title: 'Versions',
    show: 'Versions…',
    of: (name: string): string => `Version of ${name}`,
    choose: 'Choose a version to compare it with the form.',
    none: 'There are no versions yet. The next change adds one.',
    older: 'Older versions',
    then: 'Then',
    now: 'In the form',
    hint: 'These values differ from the form. Nothing is stored before you save.',
    same: 'The form has the values of this version.',
    back: 'All versions',
    take: 'Take these values',
    taken: 'The values are in the form. Save it to store them.',
  },
};
