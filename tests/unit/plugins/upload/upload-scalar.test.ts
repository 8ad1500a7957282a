import { expect, test } from '@jest/globals';
import { parseValue } from 'graphql';
import { UploadedFile } from '../../../../src/plugins/contract/graphql/parts.js';
import { uploadScalar } from '../../../../src/plugins/upload/graphql.js';

const file = { field: '0', name: 'a.txt', type: 'text/plain', size: 1, path: '/tmp/a' };

test('the value of an Upload is a file of the form', () => {
  expect(uploadScalar.parseValue(new UploadedFile(file))).toBe(file);
});

test('JSON cannot name a file of the server as an upload', () => {
  expect(() => uploadScalar.parseValue({ file })).toThrow('Upload value invalid.');
  expect(() => uploadScalar.parseLiteral(parseValue('{ file: "/etc/passwd" }'))).toThrow('Upload literal unsupported.');
});
