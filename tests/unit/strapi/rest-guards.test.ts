import { expect, test } from '@jest/globals';
import { listRestGuards } from '../../../src/strapi/rest-guards.js';

type Project = Parameters<typeof listRestGuards>[0];

test('what guards actions over REST is found in every file format', () => {
  const open = { policies: ['is-open'] };
  const routes = [
    { method: 'GET', path: '/courses', handler: 'api::course.course.find', config: { ...open, middlewares: ['log'] } },
    { method: 'GET', path: '/courses/:id', handler: 'course.findOne', config: { policies: [() => true] } },
    { method: 'POST', path: '/courses', handler: 'course.create', config: { policies: [] } },
    { method: 'PUT', path: '/courses/:id', handler: 'course.update' },
    { method: 'GET', path: '/now', handler: () => undefined, config: open },
    undefined,
  ];
  const added = [{ method: 'GET', path: '/new', handler: 'course.new', config: { middlewares: ['log'] } }];
  const create = (): undefined => undefined;
  const course = {
    routes: { course: { routes }, empty: null, added: { routes: added } },
    contentTypes: { course: { uid: 'api::course.course', kind: 'collectionType' } },
    controllers: { course: { create } },
    services: { course: { create } },
  };
  const bare = { contentTypes: {}, controllers: {}, services: {} };
  const users = 'src/extensions/users-permissions/strapi-server.js';
  const userRoutes = [{ method: 'PUT', path: '/users/:id', handler: 'user.update', config: open }];
  const me = { action: 'plugin::users-permissions.user.me', guard: `controller "user" in ${users}`, replaces: true };
  const project = {
    strapi: { api: { course, bare }, plugin: () => ({ routes: { 'content-api': { routes: userRoutes } } }) },
    code: {
      files: ['src/api/course/controllers/course.js', 'src/api/course/routes/course.ts'],
      extensions: new Map([['users-permissions', { file: users }]]),
    },
    replacedActions: [me],
  };
  const file = 'src/api/course/routes/course.ts';
  expect(listRestGuards(project as unknown as Project)).toEqual([
    { action: 'api::course.course.find', guard: `policies and middlewares of GET /courses in ${file}` },
    { action: 'api::course.course.findOne', guard: `policies of GET /courses/:id in ${file}` },
    { action: 'api::course.course.new', guard: 'middlewares of GET /new' },
    {
      action: 'api::course.course.create',
      guard: 'controller "course" in src/api/course/controllers/course.js',
      replaces: true,
    },
    { action: 'api::course.course.create', guard: 'service "course"', replaces: true },
    { action: 'plugin::users-permissions.user.update', guard: `policies of PUT /users/:id in ${users}` },
    me,
  ]);
});
