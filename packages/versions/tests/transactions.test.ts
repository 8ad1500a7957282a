import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { apiFiles, openProjectFolder, type RunningProject } from '../../../tests/api/strapi/project-folder.js';

/** What code does with a note, alone or in a transaction. */
const works = {
  update: `strapi.entityService.update('api::note.note', id, { data: { text: 'changed' } })`,
  delete: `strapi.entityService.delete('api::note.note', id)`,
  updateMany: `strapi.db.query('api::note.note').updateMany({ where: { id }, data: { text: 'changed' } })`,
  deleteMany: `strapi.db.query('api::note.note').deleteMany({ where: { id } })`,
};

let project: RunningProject;
beforeAll(async () => {
  project = await openProjectFolder({
    ...apiFiles('note', { text: { type: 'string' } }),
    'config/plugins.js': `module.exports = { versions: true };`,
    'src/api/runner/routes/runner.js': `module.exports = { routes: [{ method: 'POST', path: '/run', handler: 'runner.run', config: { auth: false } }] };`,
    'src/api/runner/controllers/runner.js': `module.exports = ({ strapi }) => ({
      async run(ctx) {
        const { work, id, fails } = ctx.request.body;
        const works = { ${Object.entries(works)
          .map(([name, code]) => `${name}: () => ${code}`)
          .join(', ')} };
        const run = async () => {
          await works[work]();
          if (fails === true) throw new Error('stopped');
        };
        ctx.body = await (fails === 'alone' ? run() : strapi.db.transaction(run)).then(() => 'done', (error) => error.message);
      },
    });`,
    'access.json': JSON.stringify({
      roles: { public: { permissions: ['api::note.note.find', 'api::note.note.create', 'api::note.note.update'] } },
    }),
  });
});
afterAll(() => project.stop());

test.each([
  ['update', true, ['kept']],
  ['update', false, ['changed', 'kept']],
  ['delete', true, ['kept']],
  ['delete', false, undefined],
  ['updateMany', true, ['kept']],
  ['updateMany', false, ['changed', 'kept']],
  ['updateMany', 'alone', ['changed', 'kept']],
  ['deleteMany', true, ['kept']],
  ['deleteMany', false, undefined],
])(
  'after an %s in a transaction that fails (%j) there are the versions of what is stored',
  async (work, fails, texts) => {
    const { id } = (await project.send('POST', '/api/notes', { data: { text: 'kept' } })).body.data;
    const { body: outcome } = await project
      .fetch('/api/run', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ work, id, fails }),
      })
      .then(async (response) => ({ body: await response.text() }));
    expect(outcome).toBe(fails === true ? 'stopped' : 'done');
    const { body } = await project.send('GET', `/api/notes/${id}/versions`);
    expect(body.data?.map(({ data }: { data: { text: string } }) => data.text)).toEqual(texts);
  },
);
