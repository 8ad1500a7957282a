import { expect, test } from '@jest/globals';
import { featureProbes } from '../../src/mongo/probes/feature-probes.js';
import { operatorProbes } from '../../src/mongo/probes/operator-probes.js';
import { operators } from '../../src/query/operators.js';
import { readSourceFiles } from './source-files.js';

/**
 * Keys that begin like operators: of placeholders, of extended JSON, of replies, options of operators, and Strapi's
 * own.
 */
const notSent = new Set(['$ids', '$numberLong', '$date', '$clusterTime', '$options', '$slice']);
const sentToo = new Set(['$eq', '$in', '$ne', '$lt', '$lte', '$gt', '$gte', '$not', '$and', '$or']);
const ofStrapi = new Set(Object.keys(operators).filter((name) => !sentToo.has(name)));

const sent = new Set(
  readSourceFiles()
    .filter(({ name }) => name.startsWith('mongo/') && !name.startsWith('mongo/probes/'))
    .flatMap(({ text }) => [...text.matchAll(/(\$\$?[A-Za-z]+)['\]]?: |'(\$\$(?:NOW|ROOT|REMOVE)|\$m(?:in|ax))'/g)])
    .map(([, key, value]) => key ?? value ?? '')
    .filter((name) => !notSent.has(name) && !ofStrapi.has(name)),
);
const asked = new Set(
  [...operatorProbes, ...featureProbes].flatMap(({ name }) => [...name.matchAll(/\$\$?[A-Za-z]+/g)].map(String)),
);

test('the doctor asks for every operator that the service sends: add a probe to operator-probes.ts', () => {
  expect([...sent].filter((name) => !asked.has(name)).toSorted()).toEqual([]);
});

test('the doctor asks for nothing that the service does not send: remove the probe', () => {
  const parts = new Set(['$each', '$slice']);
  expect([...asked].filter((name) => !sent.has(name) && !parts.has(name)).toSorted()).toEqual([]);
});
