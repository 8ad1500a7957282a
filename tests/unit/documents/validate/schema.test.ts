import { Ajv } from 'ajv';
import { expect, test } from '@jest/globals';
import { blocksSchema } from '../../../../src/documents/input/validate/blocks-schema.js';
import { allComponents, schemaOf, scopes } from '../../../../src/documents/input/validate/schema.js';
import { loadCorpus } from '../../../support/golden.js';

test('the schemas generated from content types and components are valid JSON Schema', async () => {
  const { contentTypes, components } = await loadCorpus();
  const parts = [...contentTypes.values(), ...components.values()];
  const schemas = [
    blocksSchema,
    allComponents(components),
    ...parts.flatMap((part) => scopes.map((scope) => schemaOf(part, scope))),
  ];
  const ajv = new Ajv({ strict: false });
  const wrong = schemas.filter((schema) => ajv.validateSchema(schema) !== true);
  expect(wrong).toEqual([]);
  expect(ajv.validateSchema({ type: 'no such type' })).toBe(false);
});
