import { expect, test } from '@jest/globals';
import {
  deleted,
  dependsOnState,
  dryTransition,
  transitionFrom,
  transitions,
  type Ask,
  type EntryState,
  type Right,
  type Transition,
} from '../../../src/documents/write/transitions.js';

type Types = keyof typeof transitions;

const states: readonly EntryState[] = ['none', 'draft', 'live'];
const rights: Readonly<Record<string, readonly Right[]>> = {
  neither: [],
  publish: ['publish'],
  readDrafts: ['readDrafts'],
  both: ['publish', 'readDrafts'],
  update: ['update'],
  'update and readDrafts': ['update', 'readDrafts'],
};

/**
 * As it is read aloud: `merge, publishes copy, as published`; `-`: it writes the data alone; `403`: it is forbidden.
 */
function read(transition: Transition | undefined): string {
  if (transition === undefined) return '403';
  const { copy, publishes, checkedAs } = transition;
  const parts = [copy, publishes && `publishes ${publishes}`, checkedAs && `as ${checkedAs}`];
  return parts.filter((part) => part !== undefined).join(', ') || '-';
}

const PUBLISHED = 'as published';
const merged = (what: string): string => `merge, publishes ${what}, ${PUBLISHED}`;

/** From each state, asked that, with these rights: what happens. */
test.each<[Types, Ask, string, readonly [none: string, draft: string, live: string]]>([
  ...(['write', 'unpublish', 'save', 'discard'] as const).flatMap((ask) =>
    Object.keys(rights).map((held): [Types, Ask, string, readonly [string, string, string]] => [
      'plain',
      ask,
      held,
      ['-', '-', '-'],
    ]),
  ),
  ['plain', 'publish', 'neither', ['-', '403', '403']],
  ['plain', 'publish', 'readDrafts', ['-', '403', '403']],
  ['plain', 'publish', 'publish', ['-', `publishes draft, ${PUBLISHED}`, `publishes entry, ${PUBLISHED}`]],
  ['plain', 'publish', 'both', ['-', `publishes draft, ${PUBLISHED}`, `publishes entry, ${PUBLISHED}`]],
  ['copied', 'write', 'neither', ['-', '-', '403']],
  ['copied', 'write', 'readDrafts', ['-', '-', '403']],
  ['copied', 'write', 'publish', ['-', '-', '-']],
  ['copied', 'write', 'both', ['-', '-', '-']],
  ['copied', 'unpublish', 'neither', ['-', '-', '403']],
  ['copied', 'unpublish', 'readDrafts', ['-', '-', '403']],
  ['copied', 'unpublish', 'publish', ['-', '-', '403']],
  ['copied', 'unpublish', 'both', ['-', '-', '-']],
  ['copied', 'save', 'neither', ['-', '403', '403']],
  ['copied', 'save', 'publish', ['-', '403', '403']],
  ['copied', 'save', 'readDrafts', ['-', 'hold', 'save, as draft']],
  ['copied', 'save', 'both', ['-', 'hold', 'save, as draft']],
  ['copied', 'discard', 'both', ['-', '403', '403']],
  ['copied', 'discard', 'update', ['-', '403', '403']],
  ['copied', 'discard', 'update and readDrafts', ['-', 'discard', 'discard']],
  ['copied', 'publish', 'neither', ['403', '403', '403']],
  ['copied', 'publish', 'readDrafts', ['403', '403', '403']],
  ['copied', 'publish', 'publish', ['-', '403', '403']],
  ['copied', 'publish', 'both', ['-', merged('draft'), merged('copy')]],
])('%s: to %s with %s', (types, ask, held, expected) => {
  const has = (right: Right): boolean => rights[held]?.includes(right) === true;
  const found = states.map((state) => read(transitionFrom(transitions[types], ask, state, has)));
  expect(found).toEqual(expected);
  const [, ...existing] = found;
  expect(dependsOnState(transitions[types], ask, has)).toBe(existing.some((one) => one !== '-'));
});

test('what it takes to ask that of a deleted entry', () => {
  const rows = Object.entries(deleted).flatMap(([types, asks]) =>
    Object.entries(asks).map(([ask, needs]) => `${types}: to ${ask} it takes ${needs.join(', ')}`),
  );
  expect(rows).toEqual([
    'plain: to show it takes find, delete',
    'plain: to restore it takes find, delete, create',
    'plain: to remove it takes find, delete',
    'copied: to show it takes find, delete, readDrafts',
    'copied: to restore it takes find, delete, readDrafts, create',
    'copied: to remove it takes find, delete, readDrafts',
  ]);
});

test('a dry run tries what can be computed without a copy', () => {
  const all = [{}, ...Object.values(transitions.copied).flatMap((row) => [row.draft, row.live])];
  const tried = all.map((row) => {
    const { needs: _, ...transition } = { needs: [], ...row };
    return [read(transition), read(dryTransition(transition, false)), read(dryTransition(transition, true))];
  });
  expect([...new Map(tried.map((row) => [row[0], row])).values()]).toEqual([
    ['-', '-', '-'],
    ['hold', '-', '403'],
    ['save, as draft', '403', '403'],
    [merged('draft'), `publishes draft, ${PUBLISHED}`, '403'],
    [merged('copy'), `publishes entry, ${PUBLISHED}`, '403'],
    ['discard', '403', '403'],
  ]);
});
