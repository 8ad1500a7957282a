import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import type { Recording } from '../../../scripts/conformance/strapi5/recording.js';
import { describeFile } from '../../../scripts/conformance/strapi5/report.js';
import { countDifferent, readDifferent, worseThan } from '../../../scripts/conformance/strapi5/ratchet.js';
import { replayRecordings } from '../../../scripts/conformance/strapi5/replay-recordings.js';
import { validatorsOf, type OpenApi } from '../../../tests/support/open-api.js';
import { minutes } from '../../../tests/support/scaled.js';
import { useService } from '../../../tests/support/service.js';

const own = path.resolve('packages/strapi5/tests/fixtures');
const client = useService({ plugins: { strapi5: true, i18n: { config: { locales: ['en', 'fr', 'de'] } } } });

/** The recorded answers of Strapi 5: on data of its own, and on data that Strapi v4 wrote. */
describe('recorded answers of Strapi 5', () => {
  const answers: Answered[] = [];

  test(
    'are reproduced as often as before',
    async () => {
      const corpus = path.resolve('tests/fixtures/corpus');
      const outcomes = await replayRecordings({
        folder: own,
        own,
        corpus,
        uri: process.env['TEST_MONGODB_URI'] ?? '',
        onAnswer: ({ request, status, body }, answer) =>
          void answers.push({ request, status, body }, { ...answer, request }),
      });
      const worse = worseThan(await readDifferent(own), countDifferent(outcomes));
      const files = new Set(worse.map((line) => line.split(':', 1)[0]));
      const shown = outcomes.filter(({ file, verdict }) => files.has(file) && verdict === 'different');
      expect([...worse, ...describeFile(shown)]).toEqual([]);
    },
    // It replays a thousand requests.
    minutes(10),
  );

  test('match the description of the API, and so do those of the service', async () => {
    const api = (await client.get('/documentation/v5/api/openapi.json')).body as OpenApi;
    const validators = validatorsOf(api);
    const wrong: unknown[] = [];
    const operations = new Set<string>();
    for (const { request, status, body } of answers) {
      const { operation, path: described, ...found } = operationOf(api, request);
      if (operation === undefined || request.headers?.['Strapi-Response-Format'] !== undefined) continue;
      const method = request.method.toLowerCase();
      const response = operation.responses[status] as { $ref?: string; content?: object } | undefined;
      if (response === undefined) wrong.push([method, request.path, status, 'is not described', found]);
      else if (response.$ref !== undefined)
        wrong.push(...errorsOf(validators.schemaAt(...contentAt(response.$ref)), request, body));
      else if (response.content !== undefined) {
        operations.add(`${method} ${described} ${status}`);
        wrong.push(...errorsOf(validators.answerTo(method, described, status), request, body));
      }
    }
    expect(wrong).toEqual([]);
    expect(operations.size).toBeGreaterThan(20);
  });
});

interface Answered extends Pick<Recording, 'request' | 'status' | 'body'> {}

/** The operation of a request; undefined: there is none. */
function operationOf({ paths }: OpenApi, { method, path: address }: Recording['request']) {
  const [, own = ''] = /^\/api(\/[^?]*)/.exec(address) ?? [];
  const candidates = Object.keys(paths).filter((one) =>
    new RegExp(`^${one.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(own),
  );
  const named = candidates.toSorted((a, b) => a.split('{').length - b.split('{').length)[0] ?? '';
  return {
    path: named,
    operation: paths[named]?.[method.toLowerCase()] as { responses: Record<string, unknown> } | undefined,
  };
}

const contentAt = (reference: string): readonly string[] => [
  ...reference.slice('#/'.length).split('/'),
  'content',
  'application/json',
  'schema',
];

const errorsOf = (validate: ValidateFunction, { method, path: address }: Recording['request'], body: unknown) =>
  validate(body)
    ? []
    : [[method, address, validate.errors?.map(({ instancePath, message }) => `${instancePath} ${message}`)]];
