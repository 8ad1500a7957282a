import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { Ajv, type AnySchemaObject, type ValidateFunction } from 'ajv';
import formats from 'ajv-formats';
import { attributeTypes } from '../../../src/content-types/model/attribute-types.js';
import { isRecord } from '../../../src/config/record.js';

function read(path: string): AnySchemaObject {
  const content: unknown = JSON.parse(readFileSync(path, 'utf8'));
  if (!isRecord(content)) throw new Error(`${path} holds no object`);
  return content;
}

const ajv = new Ajv({ allErrors: true, allowUnionTypes: true, strictRequired: false, strictTypes: false });
formats.default(ajv);
ajv.addSchema(read('schemas/content-type.schema.json'), 'content-type.schema.json');
ajv.addSchema(read('schemas/component.schema.json'), 'component.schema.json');
ajv.addSchema(read('schemas/access.schema.json'), 'access.schema.json');

function validatorFor(path: string): ValidateFunction {
  const kind = path === 'access.json' ? 'access' : path.startsWith('components') ? 'component' : 'content-type';
  const name = `${kind}.schema.json`;
  const validate = ajv.getSchema(name);
  if (validate === undefined) throw new Error(`no ${name}`);
  return validate;
}

const folders = ['content-types', 'tests/fixtures/definitions', 'tests/fixtures/corpus/content-types'];
const definitions = folders
  .filter((folder) => existsSync(folder))
  .flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.json'))
      .map((path) => [folder, path] as const),
  );

test.each(definitions)('%s/%s fits the published schema', (folder, path) => {
  const validate = validatorFor(path);
  validate(read(join(folder, path)));
  expect(validate.errors).toBeNull();
});

test('the published schema has every attribute type', () => {
  const info = { singularName: 'thing', pluralName: 'things' };
  const options = { enum: ['a'] };
  const attributes = Object.fromEntries(Object.keys(attributeTypes).map((type) => [type, { type, ...options }]));
  const validate = validatorFor('thing.json');
  validate({ info, attributes });
  expect(validate.errors).toBeNull();
});

describe('the published schema refuses', () => {
  const info = { singularName: 'thing', pluralName: 'things' };
  test.each([
    ['no attributes', { info }],
    ['an unknown kind', { info, kind: 'single', attributes: {} }],
    ['a name in another case', { info: { ...info, pluralName: 'myThings' }, attributes: {} }],
    ['an attribute without a type', { info, attributes: { a: {} } }],
    ['an unknown type', { info, attributes: { a: { type: 'strng' } } }],
    ['a reserved name', { info, attributes: { createdAt: { type: 'datetime' } } }],
    ['a name of our own', { info, attributes: { _rank: { type: 'json' } } }],
    ['an enumeration without values', { info, attributes: { a: { type: 'enumeration' } } }],
    ['a relation without a target', { info, attributes: { a: { type: 'relation', relation: 'oneToOne' } } }],
    ['a default of another type', { info, attributes: { a: { type: 'integer', default: '1' } } }],
    ['an option of another type', { info, attributes: { a: { type: 'string', required: 'yes' } } }],
    ['an index in no direction', { info, options: { indexes: [{ a: 2 }] }, attributes: {} }],
  ])('%s', (_, definition) => {
    expect(validatorFor('thing.json')(definition)).toBe(false);
  });

  test('a component with an id', () => {
    expect(validatorFor('components/a/b.json')({ attributes: { id: { type: 'integer' } } })).toBe(false);
  });
});
