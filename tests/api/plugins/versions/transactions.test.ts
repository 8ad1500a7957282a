import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { apiFiles, openProjectFolder, type RunningProject } from '../../strapi/project-folder.js';

/** What code does with a note in a transaction. */
const works = {
  update: `strapi.entityService.update('api::note.note', id, { data: { text: 'changed' } })`,
  delete: `strapi.entityService.delete('api::note.note', id)`,
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
        ctx.body = await strapi.db.transaction(async () => {
          await works[work]();
          if (fails) throw new Error('stopped');
        }).then(() => 'done', (error) => error.message);
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
])(
  'after an %s in a transaction that fails: %j, there are the versions of what is stored',
  async (work, fails, texts) => {
    const { id } = (await project.send('POST', '/api/notes', { data: { text: 'kept' } })).body.data;
    await project.send('POST', '/api/run', { work, id, fails });
    const { body } = await project.send('GET', `/api/notes/${id}/versions`);
    expect(body.data?.map(({ data }: { data: { text: string } }) => data.text)).toEqual(texts);
  },
);
