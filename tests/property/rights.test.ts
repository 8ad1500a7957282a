import { describe, expect, test } from '@jest/globals';
import fc from '../support/fast-check.js';
import type { ContentType, Registry } from '../../src/content-types/model/types.js';
import { anonymous } from '../../src/documents/caller.js';
import { chain, imposePublicationState } from '../../src/documents/interceptors.js';
import { keepWithinRights } from '../../src/documents/rights.js';
import { hasCode } from '../../src/errors/app-error.js';
import { compileQuery } from '../../src/mongo/compile/read/compile-query.js';
import type { Query } from '../../src/query/ast.js';
import { dependenciesOf } from '../../src/query/dependencies.js';
import { loadCorpus, parse } from '../support/golden.js';
import { choicesOf } from './choices.js';
import { randomQueryInput } from './random-query-input.js';
import { scaled, seed } from '../support/scaled.js';
import { folders, tape } from './databases.js';

const QUERIES = Number(process.env['QUERIES'] ?? scaled(1000, 10_000));
const intercept = chain([keepWithinRights, imposePublicationState]);

/** Media and creators need no right. */
const isProtected = ({ uid }: ContentType): boolean => uid !== 'plugin::upload.file' && uid !== 'admin::user';

const types = ({ contentTypes }: Registry): readonly ContentType[] => [...contentTypes.values()];

/**
 * Every collection that a query reads, by its plan, and the content types that its result depends on; undefined when it
 * is refused.
 */
function readBy(query: () => Query, may: (action: string) => boolean): ReadonlySet<string> | undefined {
  try {
    const permitted = intercept(query(), { action: 'find', caller: { ...anonymous, may } });
    const plan = compileQuery(permitted);
    return new Set([...dependenciesOf(permitted).keys(), ...collectionsIn(plan)]);
  } catch (error) {
    if (hasCode(error, 'invalidParameter') || hasCode(error, 'tooCostly')) return undefined;
    throw error;
  }
}

/** The collections that a part of a plan names: those of reads, and `from` and `coll` of stages. */
function collectionsIn(part: unknown): readonly string[] {
  if (typeof part !== 'object' || part === null) return [];
  if (part instanceof Map) return collectionsIn([...part.values()]);
  return Object.entries(part).flatMap(([key, value]: readonly [string, unknown]) =>
    typeof value === 'string' && ['collection', 'from', 'coll', '$unionWith'].includes(key)
      ? [value]
      : collectionsIn(value),
  );
}

describe.each(folders)('with the content types of %s', (_, folder) => {
  const registry = loadCorpus(folder);

  test('S10, S11: no query reads a content type that the caller may not list', async () => {
    const all = types(await registry);
    let [refused, narrowed] = [0, 0];
    fc.assert(
      fc.property(tape(160), (numbers) => {
        const choices = choicesOf(numbers);
        const type = choices.oneOf(all);
        const hidden = choices.oneOf(all.filter((one) => one !== type && isProtected(one)));
        const input = randomQueryInput(type, choices);
        const description = `SEED=${seed} ${type.singularName} without ${hidden.uid}: ${JSON.stringify(input)}`;
        const query = (): Query => parse(input, type);
        const whole = readBy(query, () => true);
        const read = readBy(query, (action) => action !== `${hidden.uid}.find`);
        const isIn = (names: ReadonlySet<string> | undefined): boolean =>
          [hidden.uid, hidden.collectionName].some((name) => names?.has(name));
        if (isIn(whole)) {
          if (read === undefined) refused += 1;
          else narrowed += 1;
        }
        expect({ description, hidden: isIn(read) }).toEqual({
          description,
          hidden: false,
        });
      }),
      { numRuns: QUERIES },
    );
    // Otherwise the queries do not ask for what is hidden.
    expect(refused).toBeGreaterThan(0);
    expect(narrowed).toBeGreaterThan(0);
  });
});
