import { expect, test } from '@jest/globals';
import { findVariables } from '../../../src/config/project/find-variables.js';

test.each([
  ["env('NAME')", 'NAME', false],
  ["env('NAME', 'x')", 'NAME', true],
  ["env.int(\n  'NAME', 5)", 'NAME', true],
  ["env.array('NAME')", 'NAME', false],
  ['f(process.env.NAME)', 'NAME', false],
  ['process.env?.NAME === x', 'NAME', false],
  ["process.env['NAME'].length", 'NAME', false],
  ['const { NAME } = process.env;', 'NAME', false],
  ["const { NAME: name = 'x' } = process.env", 'NAME', true],
])('%s reads a variable', (source, name, hasDefault) => {
  expect(findVariables(source)).toMatchObject([{ name, hasDefault }]);
});

test.each(["// env('NAME')", 'process.env.NAME = 1', 'process.env.NAME ??= 1', 'env(name)', "myenv('NAME')"])(
  '%s reads no variable by name',
  (source) => {
    expect(findVariables(source)).toEqual([]);
  },
);

test('variables have their lines', () => {
  expect(findVariables("a;\nenv('B');\nprocess.env.A").map(({ name, line }) => [name, line])).toEqual([
    ['B', 2],
    ['A', 3],
  ]);
});
