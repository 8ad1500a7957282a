import { expect, test } from '@jest/globals';
import { useProjects, type RunningProject } from './project-folder.js';

const schema = (name: string, draftAndPublish: boolean, attributes: object): string =>
  JSON.stringify({
    kind: 'collectionType',
    collectionName: `${name}s`,
    info: { singularName: name, pluralName: `${name}s`, displayName: name },
    options: { draftAndPublish },
    attributes,
  });
const core = (uid: string, what: string, more = ''): string =>
  `module.exports = require('@strapi/strapi').factories.createCore${what}('${uid}'${more});`;
const api = (name: string, draftAndPublish: boolean, attributes: object): Readonly<Record<string, string>> => ({
  [`src/api/${name}/content-types/${name}/schema.json`]: schema(name, draftAndPublish, attributes),
  [`src/api/${name}/routes/${name}.js`]: core(`api::${name}.${name}`, 'Router'),
  [`src/api/${name}/controllers/${name}.js`]: core(`api::${name}.${name}`, 'Controller'),
  [`src/api/${name}/services/${name}.js`]: core(`api::${name}.${name}`, 'Service'),
});
const actions = ['find', 'findOne', 'create', 'update', 'delete'];

const run = useProjects({
  'package.json': JSON.stringify({ dependencies: { '@strapi/strapi': '5.54.0' } }),
  ...api('story', true, {
    title: { type: 'string', required: true },
    note: { type: 'string', private: true },
    desk: { type: 'relation', relation: 'manyToOne', target: 'api::desk.desk' },
  }),
  ...api('desk', false, { name: { type: 'string' } }),
  // Runs the text of a request as code of the project.
  'src/api/probe/routes/probe.js':
    "module.exports = { routes: [{ method: 'POST', path: '/probe', handler: 'probe.run', config: { auth: false } }] };",
  'src/api/probe/controllers/probe.js': `module.exports = {
    async run(ctx) {
      const AsyncFunction = Object.getPrototypeOf(async () => {}).constructor;
      const docs = (name) => strapi.documents('api::' + name + '.' + name);
      const fails = (call) => call().then(() => 'passed', ({ name, message }) => name + ': ' + message);
      ctx.body = { result: await new AsyncFunction('strapi', 'docs', 'fails', ctx.request.body.code)(strapi, docs, fails) };
    },
  };`,
  'access.json': JSON.stringify({
    roles: {
      public: {
        permissions: ['story', 'desk'].flatMap((name) => actions.map((action) => `api::${name}.${name}.${action}`)),
      },
    },
  }),
});

const evaluate = async (project: RunningProject, code: string): Promise<unknown> => {
  const { status, body } = await project.send('POST', '/api/probe', { code });
  expect([status, body]).toEqual([200, expect.anything()]);
  return body.result as unknown;
};

test("a Strapi 5 project has Strapi 5's API at /api without a setting, and no other", async () => {
  const project = await run({});
  const created = await project.send('POST', '/api/storys', { data: { title: 'One' } });
  expect(created).toMatchObject({ status: 201, body: { data: { title: 'One', documentId: expect.any(String) } } });
  const { documentId } = created.body.data;
  expect(await project.send('GET', `/api/storys/${documentId}`)).toMatchObject({
    status: 200,
    body: { data: { documentId, title: 'One' } },
  });
  expect(await project.send('GET', '/v4/api/storys')).toMatchObject({ status: 404 });
  await project.printed('A project of Strapi 5 (5.54.0)');
});

test("v4's form has its own address where one is named, without what code answers", async () => {
  const project = await run({
    '.env': 'REST_PREFIX=/v4/api',
    'src/api/desk/controllers/desk.js': core(
      'api::desk.desk',
      'Controller',
      ', () => ({ find: (ctx) => ctx.forbidden() })',
    ),
  });
  const { body } = await project.send('POST', '/api/storys', { data: { title: 'One' } });
  expect(await project.send('GET', `/v4/api/storys/${body.data.id}`)).toMatchObject({
    status: 200,
    body: { data: { id: body.data.id, attributes: { title: 'One' } } },
  });
  expect((await project.send('GET', '/api/desks')).status).toBe(403);
  expect((await project.send('GET', '/v4/api/desks')).status).toBe(404);
});

test('controllers and services of a project call super, and answer by documents', async () => {
  const project = await run({
    'src/api/story/controllers/story.js': core(
      'api::story.story',
      'Controller',
      `, ({ strapi }) => ({
        async find(ctx) {
          const { data, meta } = await super.find(ctx);
          return { data, meta: { ...meta, own: true } };
        },
        async findOne(ctx) {
          await this.validateQuery(ctx);
          const found = await strapi.service('api::story.story').findOne(ctx.params.id, await this.sanitizeQuery(ctx));
          return this.transformResponse(await this.sanitizeOutput(found, ctx), { id: ctx.params.id });
        },
      })`,
    ),
    'src/api/story/services/story.js': core(
      'api::story.story',
      'Service',
      ', () => ({ async create(params) { const made = await super.create(params); return { ...made, byService: true }; } })',
    ),
  });
  const { status, body } = await project.send('POST', '/api/storys', { data: { title: 'One' } });
  expect([status, body.data]).toEqual([201, expect.objectContaining({ title: 'One', byService: true })]);
  const { documentId } = body.data;
  const one = await project.send('GET', `/api/storys/${documentId}?fields=title`);
  expect(one.body).toEqual({ data: { id: expect.any(Number), documentId, title: 'One' }, meta: { id: documentId } });
  expect((await project.send('GET', '/api/storys')).body.meta).toMatchObject({ own: true, pagination: { total: 1 } });
  // Names that a client cannot use, in queries and data, are refused as without code.
  for (const place of [
    '/api/storys?filters[note]=x',
    '/api/storys?populate=nope',
    `/api/storys/${documentId}?fields=note`,
  ])
    expect(await project.send('GET', place)).toMatchObject({
      status: 400,
      body: { error: { name: 'ValidationError' } },
    });
  expect((await project.send('POST', '/api/storys', { data: { title: 'x', nope: 1 } })).status).toBe(400);
  expect((await project.send('DELETE', `/api/storys/${documentId}`)).status).toBe(204);
});

test('strapi.documents reads and writes drafts beside what is published', async () => {
  const project = await run({});
  const result = await evaluate(
    project,
    `const { documentId } = await docs('story').create({ data: { title: 'One', note: 'n' }, status: 'published' });
    await docs('story').update({ documentId, data: { title: 'Two' } });
    const read = (status) => docs('story').findOne({ documentId, status, fields: ['title', 'note', 'publishedAt'] });
    const states = async () => [await read('draft'), await read('published')].map((one) => one && [one.title, one.note, one.publishedAt === null]);
    const before = await states();
    const counts = [await docs('story').count({ status: 'published' }), await docs('story').count({ filters: { title: 'Two' } })];
    const published = (await docs('story').publish({ documentId, data: { title: 'ignored' } })).entries.map(({ title }) => title);
    await docs('story').update({ documentId, data: { title: 'Three' } });
    const discarded = (await docs('story').discardDraft({ documentId })).entries.map(({ title }) => title);
    const unpublished = (await docs('story').unpublish({ documentId })).entries.length;
    const after = await states();
    const copy = await docs('story').clone({ documentId, data: { note: 'copied' } });
    const deleted = (await docs('story').delete({ documentId })).entries.length;
    const left = await docs('story').findMany({ fields: ['title', 'note'] });
    await docs('story').create({ data: { title: 'Zwei' } });
    const page = [await docs('story').findMany({ limit: 0, sort: 'title' }), [await docs('story').findFirst({ sort: 'title', start: 1 })]].map((list) => list.map(({ title }) => title));
    return { page, before, counts, published, discarded, unpublished, after, isNew: copy.documentId !== documentId, deleted, left,
      missing: [await docs('story').findOne({ documentId }), await docs('story').update({ documentId, data: {} }), typeof docs('desk').publish] };`,
  );
  expect(result).toEqual({
    page: [['Two', 'Zwei'], ['Zwei']],
    before: [
      ['Two', 'n', true],
      ['One', 'n', false],
    ],
    counts: [1, 1],
    published: ['Two'],
    discarded: ['Two'],
    unpublished: 1,
    after: [['Two', 'n', true], null],
    isNew: true,
    deleted: 1,
    left: [expect.objectContaining({ title: 'Two', note: 'copied' })],
    missing: [null, null, 'undefined'],
  });
});

test('what a call cannot name is refused by its name, and nothing is written', async () => {
  const project = await run({});
  const result = await evaluate(
    project,
    `const calls = [{ filters: { nope: 1 } }, { sort: 'nope' }, { fields: ['nope'] }, { populate: ['nope'] }, { populate: { desk: { limit: 1 } } }, { lookup: {} }];
    return Promise.all([
      ...calls.map((params) => fails(() => docs('story').findMany(params))),
      fails(() => docs('story').create({ data: { title: 'One', desk: 'unknownunknownunknown123' } })),
      fails(() => docs('story').create({ data: {}, status: 'published' })),
      docs('story').count().then(String),
    ]);`,
  );
  expect(result).toEqual([
    'ValidationError: Invalid key nope',
    'ValidationError: Invalid key nope',
    'ValidationError: Invalid key nope',
    expect.stringMatching(/^ValidationError: Invalid key nope/),
    expect.stringMatching(/^ValidationError: Invalid key limit/),
    "ValidationError: Invalid params: 'lookup'",
    'ValidationError: Document with id "unknownunknownunknown123", locale "null" not found',
    expect.stringMatching(/^ValidationError: title/),
    '0',
  ]);
});

test('middlewares of documents are around all calls in their order, also those of requests, and can change and refuse them', async () => {
  const project = await run({
    'src/index.js': `module.exports = { register({ strapi }) {
      const { errors } = require('@strapi/utils');
      globalThis.seen = [];
      const look = (name) => strapi.documents.use(async (context, next) => {
        seen.push(name + ' ' + context.action);
        const result = await next();
        seen.push(name + ' after');
        return result;
      });
      look('first');
      strapi.documents.use(async (context, next) => {
        if (context.uid !== 'api::story.story') return next();
        if (context.action === 'findMany') context.params = { ...context.params, filters: { title: { $ne: 'Hidden' } } };
        if (context.params.data?.title === 'Closed') throw new errors.ForbiddenError('Not today');
        if (context.params.data?.title === 'quiet') context.params.data.title = 'QUIET';
        const result = await next();
        return context.action === 'findMany' ? result.map((entry) => ({ ...entry, marked: true })) : result;
      });
      look('last');
    } };`,
  });
  const post = (title: string) => project.send('POST', '/api/storys', { data: { title } });
  expect(await post('quiet')).toMatchObject({ status: 201, body: { data: { title: 'QUIET' } } });
  expect(await post('Closed')).toMatchObject({ status: 403, body: { error: { name: 'ForbiddenError' } } });
  await post('Hidden');
  expect((await project.send('GET', '/api/storys')).body.data).toEqual([
    expect.objectContaining({ title: 'QUIET', marked: true }),
  ]);
  const seen = (await evaluate(project, 'return seen')) as readonly string[];
  expect(seen.slice(0, 4)).toEqual(['first create', 'last create', 'last after', 'first after']);
  expect(
    await evaluate(
      project,
      `const remove = strapi.documents.use(() => 'instead');
      const during = await docs('desk').findMany();
      remove();
      return [during, await docs('desk').findMany()];`,
    ),
  ).toEqual(['instead', []]);
});

test('lifecycles have the events of the rows that Strapi 5 writes, and can change and refuse them', async () => {
  const project = await run({
    'src/api/story/content-types/story/lifecycles.js': `const seen = (globalThis.events = []);
      const { ApplicationError } = require('@strapi/utils').errors;
      const note = ({ action, params }) => seen.push(action);
      module.exports = {
        beforeCreate(event) {
          note(event);
          if (event.params.data.title === 'Refused') throw new ApplicationError('No');
          if (event.params.data.publishedAt !== null) event.params.data.note = 'as published';
        },
        afterCreate: note, beforeUpdate: note, afterUpdate: note, beforeDelete: note, afterDelete: note,
      };`,
  });
  const result = await evaluate(
    project,
    `const take = () => events.splice(0).map((name) => name.replace('before', '').replace(/^after.*/, '')).filter(Boolean).join();
    const { documentId } = await docs('story').create({ data: { title: 'One' } });
    const log = [take()];
    await docs('story').publish({ documentId }); log.push(take());
    await docs('story').publish({ documentId }); log.push(take());
    const note = (await docs('story').findOne({ documentId, status: 'published' })).note;
    await docs('story').update({ documentId, data: { title: 'Two' }, status: 'published' }); log.push(take());
    await docs('story').unpublish({ documentId }); log.push(take());
    const refused = await fails(() => docs('story').create({ data: { title: 'Refused' }, status: 'published' }));
    take();
    await docs('story').delete({ documentId }); log.push(take());
    return { log, note, refused, left: await docs('story').count() };`,
  );
  expect(result).toEqual({
    log: ['Create', 'Create', 'Delete,Create', 'Update,Delete,Create', 'Delete', 'Delete'],
    note: 'as published',
    refused: 'ApplicationError: No',
    left: 0,
  });
});

test('strapi.db.query shows a draft and what is published as rows, and refuses writes of one of them by name', async () => {
  const project = await run({});
  const result = await evaluate(
    project,
    `const rows = strapi.db.query('api::story.story');
    const { documentId } = await docs('story').create({ data: { title: 'One' }, status: 'published' });
    await docs('story').update({ documentId, data: { title: 'Two' } });
    const all = await rows.findMany({ where: { documentId }, select: ['title', 'documentId'] });
    return {
      titles: all.map(({ title }) => title), same: all.every((row) => row.documentId === documentId),
      published: (await rows.findOne({ where: { documentId, publishedAt: { $notNull: true } } })).title,
      counts: [await rows.count(), await rows.count({ where: { publishedAt: null } })],
      refused: await fails(() => rows.update({ where: { documentId }, data: { title: 'Three' } })),
      desk: (await strapi.db.query('api::desk.desk').create({ data: { name: 'City' } })).documentId.length,
      renamed: (await strapi.db.query('api::desk.desk').update({ where: { name: 'City' }, data: { name: 'Town' } })).name,
      entity: await strapi.entityService.findMany('api::story.story', { fields: ['title'] }),
    };`,
  );
  expect(result).toMatchObject({
    titles: ['Two', 'One'],
    same: true,
    published: 'One',
    counts: [2, 1],
    refused: expect.stringContaining(
      "strapi.db.query('api::story.story').update is not supported for a type with drafts",
    ),
    desk: 24,
    renamed: 'Town',
    entity: [{ title: 'Two' }],
  });
});

test('mutations of GraphQL are calls of strapi.documents, with middlewares and events', async () => {
  const project = await run({
    '.env': 'DRAFTS=restricted',
    'access.json': JSON.stringify({
      roles: {
        public: {
          permissions: ['story', 'desk'].flatMap((name) =>
            [...actions, ...(name === 'story' ? ['find.drafts'] : [])].map(
              (action) => `api::${name}.${name}.${action}`,
            ),
          ),
        },
      },
    }),
    'package.json': JSON.stringify({
      dependencies: { '@strapi/strapi': '5.54.0', '@strapi/plugin-graphql': '5.54.0' },
    }),
    'src/index.js': `module.exports = {
      register({ strapi }) {
        const { errors } = require('@strapi/utils');
        const heard = (global.heard = []);
        strapi.documents.use(async ({ action, params }, next) => {
          if (params.data?.title === 'Refused') throw new errors.ApplicationError('Not here');
          if (action === 'create' && params.data.title) params.data.title += '!';
          return next();
        });
        strapi.eventHub.on('entry.publish', ({ entry }) => heard.push(entry.title));
      },
    };`,
  });
  const graphql = async (query: string): Promise<unknown> => {
    const { body } = await project.send('POST', '/graphql', { query });
    return body.data ?? body.errors.map(({ message }: { message: string }) => message);
  };
  const desk = (await project.send('POST', '/api/desks', { data: { name: 'City' } })).body.data.documentId as string;
  const made = await graphql(
    `mutation { createStory(data: { title: "One", desk: "${desk}" }) { documentId title publishedAt desk { name } } }`,
  );
  expect(made).toEqual({
    createStory: {
      documentId: expect.any(String),
      title: 'One!',
      publishedAt: expect.any(String),
      desk: { name: 'City' },
    },
  });
  const { documentId } = (made as { createStory: { documentId: string } }).createStory;
  expect(
    await graphql(
      `mutation { updateStory(documentId: "${documentId}", status: DRAFT, data: { title: "Two" }) { title publishedAt } }`,
    ),
  ).toEqual({ updateStory: { title: 'Two', publishedAt: null } });
  expect(await graphql(`{ story(documentId: "${documentId}") { title } }`)).toEqual({ story: { title: 'One!' } });
  expect(await graphql('mutation { createStory(data: { title: "Refused" }) { title } }')).toEqual({
    createStory: null,
  });
  expect(await graphql('mutation { updateStory(documentId: "none", data: { title: "x" }) { title } }')).toEqual({
    updateStory: null,
  });
  expect(await graphql(`mutation { deleteStory(documentId: "${documentId}") { documentId } }`)).toEqual({
    deleteStory: { documentId },
  });
  expect(await graphql('{ storys { title } }')).toEqual({ storys: [] });
  expect(await evaluate(project, 'return global.heard')).toEqual(['One!']);
});

test('components and zones are counted like entries', async () => {
  const project = await run({
    'src/components/parts/link.json': JSON.stringify({ attributes: { label: { type: 'string' } } }),
    'src/api/desk/content-types/desk/schema.json': schema('desk', false, {
      name: { type: 'string' },
      links: { type: 'component', component: 'parts.link', repeatable: true },
      blocks: { type: 'dynamiczone', components: ['parts.link'] },
    }),
  });
  const data = { name: 'a', links: [{ label: '1' }, { label: '2' }], blocks: [{ __component: 'parts.link' }] };
  const { documentId } = (await project.send('POST', '/api/desks', { data })).body.data;
  const { body } = await project.send(
    'GET',
    `/api/desks/${documentId}?fields=name&populate[links][count]=true&populate[blocks][count]=true`,
  );
  expect(body.data).toMatchObject({ links: { count: 2 }, blocks: { count: 1 } });
  expect(body.data.name).toBe('a');
});
