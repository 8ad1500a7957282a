import { describe, expect, test } from '@jest/globals';
import { parse, type FieldNode, type GraphQLResolveInfo, type OperationDefinitionNode } from 'graphql';
import type { Caller } from '../../../../src/documents/caller.js';
import { rememberQueries } from '../../../../src/graphql/execute/remember-queries.js';
import type { Query } from '../../../../src/query/ast.js';

const infoOf = (document: string): GraphQLResolveInfo => {
  const operation = parse(document).definitions[0] as OperationDefinitionNode;
  return { fieldNodes: operation.selectionSet.selections as readonly FieldNode[], fragments: {} } as GraphQLResolveInfo;
};
const make = (): Query => ({}) as Query;
const caller = (...allowed: readonly string[]): Caller => ({ kind: 'user', may: (action) => allowed.includes(action) });

describe('the query of a list field', () => {
  test('is the same for the same field, arguments and results of permission checks', () => {
    const queryOf = rememberQueries();
    const info = infoOf('{ articles { data { id } } }');
    const checking = (asked: Caller): Query => ({ open: asked.may('find') }) as unknown as Query;
    const first = queryOf(info, { sort: ['id'] }, caller('find'), checking);
    expect(first).toEqual({ open: true });
    expect(queryOf(info, { sort: ['id'] }, caller('find', 'create'), checking)).toBe(first);
    expect(queryOf(info, { sort: ['id'] }, caller('create'), checking)).toEqual({ open: false });
  });

  test.each([
    ['another number', { start: 1 }, { start: 2 }],
    ['a number as a string', { start: 1 }, { start: '1' }],
    ['a number without a form in JSON', { start: Number.POSITIVE_INFINITY }, { start: null }],
  ])('differs for %s', (_, one, other) => {
    const queryOf = rememberQueries();
    const info = infoOf('{ articles { data { id } } }');
    expect(queryOf(info, one, caller(), make)).not.toBe(queryOf(info, other, caller(), make));
  });

  test('differs for another field with the same arguments', () => {
    const queryOf = rememberQueries();
    const [one, other] = [infoOf('{ articles { data { id } } }'), infoOf('{ articles { data { id } } }')];
    expect(queryOf(one, {}, caller(), make)).not.toBe(queryOf(other, {}, caller(), make));
  });

  test('is made for each request if the selection uses variables, or rules limit the caller', () => {
    const queryOf = rememberQueries();
    const variable = infoOf('query ($no: Boolean!) { articles { data { id @skip(if: $no) } } }');
    expect(queryOf(variable, {}, caller(), make)).not.toBe(queryOf(variable, {}, caller(), make));
    const info = infoOf('{ articles { data { id } } }');
    const limited: Caller = { ...caller(), where: () => undefined };
    expect(queryOf(info, {}, limited, make)).not.toBe(queryOf(info, {}, limited, make));
  });
});
