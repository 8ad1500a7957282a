import { Ajv } from 'ajv';
import { expect, test } from '@jest/globals';
import { blocksSchema } from '../../../../src/documents/input/validate/blocks-schema.js';
import { allComponents, schemaOf } from '../../../../src/documents/input/validate/schema.js';
import { loadCorpus } from '../../../support/golden.js';

test('the schemas generated from content types and components are valid JSON Schema', async () => {
  const { contentTypes, components } = await loadCorpus();
  const modes = ['create', 'update', 'draft'] as const;
  const parts = [...contentTypes.values(), ...components.values()];
  const schemas = [
    blocksSchema,
    allComponents(components),
    ...parts.flatMap((part) => modes.map((mode) => schemaOf(part, mode))),
  ];
  const ajv = new Ajv({ strict: false });
  const wrong = schemas.filter((schema) => ajv.validateSchema(schema) !== true);
  expect(wrong).toEqual([]);
  expect(ajv.validateSchema({ type: 'no such type' })).toBe(false);
});
