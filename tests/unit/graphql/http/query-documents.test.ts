import { expect, test } from '@jest/globals';
import { buildSchema } from 'graphql';
import { createQueryDocuments } from '../../../../src/graphql/http/query-documents.js';
import { parseSettings } from '../../../../src/graphql/settings.js';

const { limits, server } = parseSettings({});
const open = () =>
  createQueryDocuments({ schema: buildSchema('type Query { a: Int }'), limits, introspection: true, server });

test('a document is kept when it is valid for the second time', () => {
  const documents = open();
  const send = () => {
    const document = documents.parse('{ a }');
    documents.validate(document);
    return document;
  };
  const [first, second, third] = [send(), send(), send()];
  expect(second).not.toBe(first);
  expect(third).toBe(second);
});

test('a document that is not valid is never kept', () => {
  const documents = open();
  const send = () => {
    const document = documents.parse('{ b }');
    expect(documents.validate(document)).toHaveLength(1);
    return document;
  };
  const sent = [send(), send(), send()];
  expect(new Set(sent).size).toBe(3);
});
