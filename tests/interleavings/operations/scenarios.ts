import { RECORDED, type Scenario } from '../engine/scenario.js';
import { takeApart } from '../engine/sample.js';
import { batches } from './batches.js';
import { codeTransactions } from './code.js';
import { conditional } from './conditional.js';
import { creatingBatches, newEntries } from './new-entries.js';
import { operationOf, operations } from './operations.js';

/** The scenario of a name: operations in processes of their own are separated by `|`, those in one process by `&`. */
export function scenarioOf(name: string): Scenario {
  const isSharing = name.includes(' & ');
  const isRecording = name.startsWith(RECORDED);
  const listed = isRecording ? name.slice(RECORDED.length) : name;
  return { name, operations: listed.split(/ [|&] /).map(operationOf), isSharing, isRecording };
}

/**
 * Each operation alone, those that meet in one process, three at once, and all pairs; then the same with batches and
 * transactions of code. The expression matches all names. A run that is stopped has examined pairs of all operations.
 */
export function scenariosOf(only: string): readonly Scenario[] {
  const selected = ({ name }: { readonly name: string }): readonly string[] =>
    new RegExp(only).test(name) ? [name] : [];
  const names = operations.flatMap(selected);
  const batchNames = batches.flatMap(selected);
  const codeNames = codeTransactions.flatMap(selected);
  const isSelected = (scenario: string): boolean => scenario.split(/ [|&] /).every((name) => names.includes(name));
  return [
    ...names,
    ...[...inOneProcess, ...atOnce].filter(isSelected),
    ...mixed(pairsOf(names)),
    ...batchNames,
    ...mixed([...batchNames.flatMap((batch) => names.map((name) => `${batch} | ${name}`)), ...pairsOf(batchNames)]),
    ...codeNames,
    ...mixed([
      ...codeNames.flatMap((code) => [...names, ...batchNames].map((name) => `${code} | ${name}`)),
      ...pairsOf(codeNames),
    ]),
    ...conditional
      .flatMap(selected)
      .flatMap((one, index, all) =>
        [...all.slice(index), ...besideConditional.filter(isSelected)].map((other) => `${one} | ${other}`),
      ),
    ...newEntries
      .flatMap(selected)
      .flatMap((name) =>
        creatingBatches.filter((batch) => batchNames.includes(batch)).map((batch) => `${batch} | ${name}`),
      ),
    ...mixed(pairsOf(recorded.filter((name) => new RegExp(only).test(name)))).map((pair) => `${RECORDED}${pair}`),
  ].map(scenarioOf);
}

/** Writes of the entries that conditional ones write. */
const besideConditional = [
  'article 1: scalars',
  'article 1: delete',
  'article 1: title if unchanged',
  'article 1: sets tags 2 3',
  'article 2: code x9',
  'tag 1: sets articles 3 4',
];

/**
 * Writes with each kind of event: of new, changed, published and deleted entries, of localizations, refused ones, and
 * those of batches.
 */
const recorded = [
  'article 1: scalars',
  'article 1: other scalars',
  'article: create with all',
  'article 1: title if unchanged',
  'article x9: upsert',
  'article 1: delete',
  'article 4: unpublish',
  'article 2: code x9',
  'article 2: takes card 1',
  'author 1: sets articles 2 3',
  'tag 1: delete',
  'page 1: price and title',
  'page 1: add de',
  'setting: save',
  'batch: article with card 1, tag and author 1',
  'batch: article 1 releases code x1',
  'batch: delete page 1, article 1 and card 1',
  'batch: article 1 if unchanged, tag 1',
  'batch: code x1 refused to article 2',
];

const pairsOf = (names: readonly string[]): readonly string[] =>
  names.flatMap((one, index) => names.slice(index).map((other) => `${one} | ${other}`));

function mixed(scenarios: readonly string[]): readonly string[] {
  const left = [...scenarios];
  return scenarios.map((_, turn) => takeApart(left, turn) as string);
}

/** Pairs of writes of one list, from the side that has it and from the one that stores it. */
export const listsFromBothSides: readonly string[] = [
  [
    [
      'tag 1: sets articles 3 4',
      'tag 1: sets articles 4 2',
      'tag 1: sets articles 3',
      'tag 1: places article 4 after article 2',
      'tag 1: places article 4 first',
      'tag 1: places article 4 before article 2',
    ],
    [
      'article 1: connects tag 3, disconnects tag 1',
      'article 2: sets tags 1 2',
      'article 3: sets tags 1 2',
      'article: create with all',
    ],
  ],
  [
    ['author 1: sets articles 2 3', 'author 1: connects article 4', 'author 1: disconnects article 1'],
    ['article 1: author 2', 'article 3: author 1', 'article: create with all'],
  ],
  [['author 1: sets notes 2', 'author 1: connects note 2'], ['remark 3: about author 1']],
  [['card 1: takes remark 2'], ['remark 2: about card 1', 'remark 3: about card 1']],
].flatMap(([lists = [], owners = []]) => lists.flatMap((list) => owners.map((owner) => `${list} | ${owner}`)));

/** Writes of one process, which share commands: numbers, inserts, versions. */
const inOneProcess = [
  'article: create with all & article: create with all',
  'article: create with all & article 2: takes card 1',
  'article 2: takes card 1 & article 3: takes card 1',
  'author 1: sets articles 2 3 & author 2: sets articles 1 2',
  'tag 1: sets articles 3 4 & tag 1: delete',
  'article 1: sets tags 2 3 & tag 1: delete',
  'page 1: add de & page 2: add de',
  'page 1: price and title & page 2 (fr of 1): price and stock',
  'article 2: key k9 in a component & article 3: key k9 in a component',
  'setting: save & setting: save',
];

/** Three writes that touch the same entries. */
const atOnce = [
  'article 2: takes card 1 | article 3: takes card 1 | card 1: delete',
  'article 2: takes card 1 | card 1: takes article 2 | article 1: lets card 1 go',
  'author 1: sets articles 2 3 | author 2: sets articles 1 2 | article 1: author 2',
  'tag 1: sets articles 3 4 | article 1: sets tags 2 3 | tag 1: delete',
  'tag 1: sets articles 3 4 | tag 1: sets articles 4 2 | tag 1: places article 4 before article 2',
  'card 2: takes remark 1 | card 3: takes remark 1 | remark 1: delete',
  'card 1: takes remark 2 | remark 2: about card 1 | card 3: takes remark 1',
  'page 1: price and title | page 2: add de | page 2 (fr of 1): price and stock',
  'page 1: add de | page 2: add de | page 1: delete',
  'cover of article 1: file 2 | file 2: delete | article 1: delete',
];
