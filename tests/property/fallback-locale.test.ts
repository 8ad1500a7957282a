import { expect, test } from '@jest/globals';
import fc from '../support/fast-check.js';
import { anonymous, type Caller } from '../../src/documents/caller.js';
import { emptyQuery } from '../../src/documents/context.js';
import type { Filter } from '../../src/query/ast.js';
import { presentList } from '../../src/documents/read-operation.js';
import { plainEntry } from '../../src/query/entry-presenter.js';
import { scaled, seed } from '../support/scaled.js';
import { useService } from '../support/service.js';
import { choicesOf, type Choices } from './choices.js';
import { tape } from './databases.js';

const QUERIES = Number(process.env['QUERIES'] ?? scaled(30, 150));
const GROUPS = 40;
const codes = ['fr-CA', 'fr', 'en', 'de'];
const uid = 'api::article.article';
const client = useService({ plugins: { i18n: { config: { defaultLocale: 'en', locales: codes } } } });

interface Member {
  readonly id: number;
  readonly locale: string;
  readonly title: string;
  readonly score: number;
  readonly isLive: boolean;
}

type Group = readonly Member[];

async function makeGroup(choices: Choices): Promise<Group> {
  const { entries } = client.service;
  const members: Member[] = [];
  for (const locale of codes.filter(() => choices.oneOf([true, true, false]))) {
    const [title, score, isLive] = [
      choices.oneOf(['a', 'b']),
      choices.oneOf([1, 2, 3]),
      choices.oneOf([true, true, false]),
    ];
    const localizations = members.slice(0, 1).map(({ id }) => id);
    const publishedAt = isLive ? new Date().toISOString() : null;
    const { id } = await entries.create(uid, { title, score, locale, localizations, publishedAt });
    members.push({ id, locale, title, score, isLive });
  }
  return members;
}

test('a list has each group in the first locale that its caller sees', async () => {
  const { documents, registry } = client.service;
  const type = registry.contentTypes.get(uid);
  const [score, title] = [type?.attributes.get('score'), type?.attributes.get('title')];
  if (type === undefined || score?.kind !== 'scalar' || title?.kind !== 'scalar')
    throw new Error('the corpus has changed');
  const [world = [], ...tapes] = fc.sample(tape(400), { numRuns: QUERIES + 1 });
  const choices = choicesOf(world);
  const groups: Group[] = [];
  for (let index = 0; index < GROUPS; index += 1) groups.push(await makeGroup(choices));
  let replaced = 0;
  for (const [index, numbers] of tapes.entries()) {
    const { oneOf } = choicesOf(numbers);
    const most = oneOf([1, 2, 3]);
    const rule: Filter = { kind: 'comparison', field: score, operator: '$lte', operands: [most] };
    const caller: Caller = { ...anonymous, kind: 'user', may: () => true, ...(most < 3 && { where: () => rule }) };
    const [locale, ...fallbackLocale] = [oneOf(codes), oneOf(codes), ...(oneOf([true, false]) ? [oneOf(codes)] : [])];
    const publicationState = oneOf(['live', 'preview'] as const);
    const named = oneOf([undefined, 'a']);
    const filter: Filter | undefined =
      named === undefined ? undefined : { kind: 'comparison', field: title, operator: '$eq', operands: [named] };
    const pagination = { form: 'offset', start: oneOf([0, 3]), limit: oneOf([5, 100]), withCount: true } as const;
    const query = { ...emptyQuery(type), filter, pagination, publicationState, parameters: { locale, fallbackLocale } };

    const isVisible = (member: Member): boolean =>
      member.score <= most && (publicationState === 'preview' || member.isLive);
    const expected = groups
      .flatMap((group) => {
        const found = [locale, ...fallbackLocale].map((code) =>
          group.find((member) => member.locale === code && isVisible(member)),
        );
        return found.find((member) => member !== undefined) ?? [];
      })
      .filter((member) => named === undefined || member.title === named)
      .map(({ id }) => id)
      .toSorted((a, b) => a - b);
    const page = await documents.read({ action: 'find', query, caller, presenter: plainEntry }, presentList);
    const ids = page.entries.map((entry) => (entry as { readonly id: number }).id);
    const { start, limit } = pagination;
    expect({ seed, index, ids, total: page.total }).toEqual({
      seed,
      index,
      ids: expected.slice(start, start + limit),
      total: expected.length,
    });
    if (expected.some((id) => !groups.flat().some((member) => member.id === id && member.locale === locale)))
      replaced += 1;
  }
  expect(replaced).toBeGreaterThan(0);
});
