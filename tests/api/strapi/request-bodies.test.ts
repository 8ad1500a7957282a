import { afterEach, expect, test } from '@jest/globals';
import { openProjectFolder, type Answered, type RunningProject } from './project-folder.js';

const note = 'src/api/note';
const core = (what: string, options = ''): string =>
  `module.exports = require('@strapi/strapi').factories.createCore${what}('api::note.note'${options});`;
const media = { type: 'media', multiple: false };
const base = {
  [`${note}/content-types/note/schema.json`]: JSON.stringify({
    kind: 'collectionType',
    collectionName: 'notes',
    info: { singularName: 'note', pluralName: 'notes', displayName: 'Note' },
    options: { draftAndPublish: false },
    attributes: { text: { type: 'text' }, owner: { type: 'string' }, cover: media, proof: media },
  }),
  [`${note}/routes/note.js`]: core('Router'),
  [`${note}/controllers/note.js`]: core('Controller'),
  [`${note}/services/note.js`]: core('Service'),
  'access.json': JSON.stringify({
    roles: {
      public: {
        permissions: [
          ...['find', 'findOne', 'create', 'update'].map((action) => `api::note.note.${action}`),
          'plugin::upload.content-api.find',
        ],
      },
    },
  }),
};

let running: RunningProject | undefined;
afterEach(async () => {
  await running?.stop();
  running = undefined;
});
const run = async (files: Readonly<Record<string, string>>): Promise<RunningProject> => {
  running = await openProjectFolder({ ...base, ...files });
  return running;
};

/** Sends a form with `data` and a text file for each named field. */
async function sendForm(
  { fetch }: RunningProject,
  [method, place]: readonly [string, string],
  data: object,
  fields: readonly string[] = [],
): Promise<Answered> {
  const form = new FormData();
  form.set('data', JSON.stringify(data));
  for (const field of fields) form.set(`files.${field}`, new Blob(['some text']), `${field}.txt`);
  const response = await fetch(place, { method, body: form });
  return { status: response.status, body: await response.json() };
}

test('core actions write the form that code left, not the one that was sent', async () => {
  const project = await run({
    [`${note}/controllers/note.js`]: core(
      'Controller',
      `, () => ({
        create(ctx) {
          if (ctx.is('multipart')) {
            const data = { ...JSON.parse(ctx.request.body.data), owner: 'me' };
            ctx.request.body = { ...ctx.request.body, data: JSON.stringify(data) };
            ctx.request.files = { 'files.cover': ctx.request.files['files.cover'] };
          } else ctx.request.body.data.owner = 'me';
          return super.create(ctx);
        },
        update(ctx) {
          ctx.request.body.data = JSON.stringify({ ...JSON.parse(ctx.request.body.data), owner: 'me' });
          delete ctx.request.files['files.cover'];
          return super.update(ctx);
        },
      })`,
    ),
  });
  const claimed = { text: 'a', owner: 'you' };
  expect(await project.send('POST', '/api/notes', { data: claimed })).toMatchObject({
    body: { data: { attributes: { owner: 'me' } } },
  });
  const created = await sendForm(project, ['POST', '/api/notes?populate=*'], claimed, ['cover', 'proof']);
  expect(created.body.data.attributes).toMatchObject({
    owner: 'me',
    cover: { data: { attributes: { name: 'cover.txt' } } },
    proof: { data: null },
  });
  const place = `/api/notes/${created.body.data.id}?populate=*`;
  expect(
    (await sendForm(project, ['PUT', place], { owner: 'you' }, ['cover', 'proof'])).body.data.attributes,
  ).toMatchObject({
    owner: 'me',
    cover: { data: { id: created.body.data.attributes.cover.data.id } },
    proof: { data: { attributes: { name: 'proof.txt' } } },
  });
});
