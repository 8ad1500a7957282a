import { expect, test } from '@jest/globals';
import request from 'supertest';
import { useProjects } from '../strapi/project-folder.js';
import { useService } from '../../support/service.js';

const client = useService();
const codes = { 'X-Error-Codes': 'true' };

const post = async (path: string, body: object, headers: Readonly<Record<string, string>> = codes) => {
  const sent = request(client.service.url).post(path).auth(client.service.token, { type: 'bearer' });
  return (await sent.set(headers).send(body)).body.error;
};

const data = { title: 'Long', seo: { metaTitle: 'x'.repeat(61) } };
const tooLong = {
  path: ['seo', 'metaTitle'],
  message: 'seo.metaTitle must be at most 60 characters',
  rule: 'maxLength',
  limit: 60,
};

test.each([
  ['a value', '/api/articles', { data }, { code: 'validation', issues: [tooLong] }],
  [
    'a part of a batch',
    '/api/batch',
    { operations: [{ create: 'articles', data }] },
    { code: 'validation', issues: [{ ...tooLong, path: ['operations', '0', 'data', ...tooLong.path] }] },
  ],
  [
    'an entry that does not exist',
    '/api/articles/99999/localizations',
    { locale: 'de' },
    { code: 'notFound', issues: [] },
  ],
  [
    'a log-in',
    '/api/auth/local',
    { identifier: 'nobody', password: 'wrong' },
    { code: 'wrongCredentials', issues: [] },
  ],
])(
  'clients that ask get the code of an error and the rules that are broken: %s',
  async (_what, path, body, expected) => {
    const { code, issues, ...asInStrapi } = await post(path, body);
    expect({ code, issues }).toEqual(expected);
    expect(asInStrapi).toEqual(await post(path, body, {}));
  },
);

const run = useProjects({
  'src/api/note/content-types/note/schema.json': JSON.stringify({
    kind: 'collectionType',
    collectionName: 'notes',
    info: { singularName: 'note', pluralName: 'notes', displayName: 'Note' },
    attributes: { title: { type: 'string', maxLength: 3 } },
  }),
  'src/api/note/routes/note.js': `module.exports = require('@strapi/strapi').factories.createCoreRouter('api::note.note');`,
  'src/api/note/services/note.js': `module.exports = require('@strapi/strapi').factories.createCoreService('api::note.note');`,
  'access.json': JSON.stringify({ roles: { public: { permissions: ['api::note.note.create'] } } }),
});

test.each([
  [
    'a controller',
    'four',
    { 'src/api/note/controllers/note.js': controllerOf('async create(ctx) { return super.create(ctx); }') },
  ],
  [
    'a lifecycle',
    'own',
    {
      'src/api/note/controllers/note.js': controllerOf(''),
      'src/api/note/content-types/note/lifecycles.js': `module.exports = {
        async beforeCreate({ params: { data } }) {
          if (data.title !== 'own') return;
          await strapi.entityService.create('api::note.note', { data: { title: 'too long' } });
        },
      };`,
    },
  ],
])('so they do where code takes part: %s', async (_what, title, files) => {
  const project = await run(files);
  const response = await project.fetch('/api/notes', {
    method: 'POST',
    headers: { ...codes, 'Content-Type': 'application/json' },
    body: JSON.stringify({ data: { title } }),
  });
  const { error } = (await response.json()) as { error: object };
  expect(error).toMatchObject({ code: 'validation', issues: [{ path: ['title'], rule: 'maxLength', limit: 3 }] });
});

function controllerOf(methods: string): string {
  return `module.exports = require('@strapi/strapi').factories.createCoreController('api::note.note', () => ({ ${methods} }));`;
}
