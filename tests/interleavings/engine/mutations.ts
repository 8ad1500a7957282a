import type { Document } from 'mongodb';
import type { Command, Rewrite } from './gate.js';
import { sequence } from './sequence.js';

/** The protocol with one rule broken, and a scenario that needs it. */
export interface Mutation {
  readonly name: string;
  readonly scenario: string;
  readonly rewrite: Rewrite;
}

const mergesIn = ({ name, body }: Command): boolean =>
  name === 'aggregate' && (body['pipeline'] as readonly Document[]).some((stage) => '$merge' in stage);

/** A takeover compares the ranks of all holders. */
const isTakeover = (command: Command): boolean => mergesIn(command) && JSON.stringify(command.body).includes('_latest');

/** An update without the operator that is refused for an entry of a batch that is not decided yet. */
const withoutPending = (body: Document): Document => ({
  ...body,
  updates: sequence(body['updates']).map((update) => {
    const { $pop, ...rest } = update['u'] as Document;
    return $pop === undefined ? update : { ...update, u: rest };
  }),
});

/** The decision that a batch is done. */
const isDecision = ({ name, collection, body }: Command): boolean =>
  name === 'update' && collection === '_intents' && JSON.stringify(body).includes('"decision":"done"');

export const mutations: readonly Mutation[] = [
  {
    name: 'a takeover is not executed',
    scenario: 'article 2: takes card 1 | article 3: takes card 1',
    rewrite: (command) => (isTakeover(command) ? undefined : command.body),
  },
  {
    name: 'a takeover takes from all holders and not only from earlier ones',
    scenario: 'article 2: takes card 1 | article 3: takes card 1',
    rewrite: (command) =>
      isTakeover(command)
        ? (JSON.parse(
            JSON.stringify(command.body)
              .replaceAll('"$lt"', '"$ne"')
              .replaceAll('"$max":"$_rank.card"', '"$min":"$_rank.card"'),
          ) as Document)
        : command.body,
  },
  {
    name: 'intents are not recorded',
    scenario: 'article 2: takes card 1',
    rewrite: (command) => (command.name === 'insert' && command.collection === '_intents' ? undefined : command.body),
  },
  {
    name: 'links are not released when a list is replaced',
    scenario: 'author 1: sets articles 2 3 | author 2: sets articles 1 2',
    rewrite: (command) => (JSON.stringify(command.body).includes('$_set.') ? undefined : command.body),
  },
  {
    name: 'a batch continues although its decision is not recorded',
    scenario: 'batch: article 2 takes code x9, article 3 key k9',
    rewrite: (command) =>
      isDecision(command)
        ? (JSON.parse(JSON.stringify(command.body).replace('"decision":"done"', '"looked":true')) as Document)
        : command.body,
  },
  {
    name: 'an update does not wait for a batch that is not decided yet',
    scenario: 'batch: code x1 refused to article 2 | article x9: upsert',
    rewrite: ({ name, body }) => (name === 'update' ? withoutPending(body) : body),
  },
];
