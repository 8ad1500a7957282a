import { expect, test } from '@jest/globals';
import { buildSchema } from 'graphql';
import { printTypes } from '../../../src/graphql/write-artifacts.js';

const schema = buildSchema(`
  scalar JSON
  enum Color { RED, BLUE }
  type Query { articles(limit: Int!, color: Color): [Article!] }
  type Article { id: ID, title: String!, next: Thing, tags: [String]! }
  type Tag { meta: JSON }
  union Thing = Article | Tag
  input ArticleInput { title: String!, color: Color }
`);

test('the types of a schema are printed for TypeScript', () => {
  const text = printTypes(schema);
  for (const part of [
    `export type IDScalar = string;`,
    `export type JSONScalar = unknown;`,
    `export type Color = 'RED' | 'BLUE';`,
    `export type Thing = Article | Tag;`,
    `export interface Query {\n  __typename?: 'Query';\n  articles: readonly (Article)[] | null;\n}`,
    `export interface QueryArticlesArgs {\n  limit: IntScalar;\n  color?: Color | null;\n}`,
    `  title: StringScalar;\n  next: Thing | null;\n  tags: readonly (StringScalar | null)[];\n`,
    `export interface ArticleInput {\n  title: StringScalar;\n  color?: Color | null;\n}`,
  ]) {
    expect(text).toContain(part);
  }
});
