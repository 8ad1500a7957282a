import { expect, test } from '@jest/globals';
import { listRoutePolicies } from '../../../src/strapi/route-policies.js';

type Project = Parameters<typeof listRoutePolicies>[0];

test('routes with policies are found by action in every file format', () => {
  const routes = [
    { method: 'GET', path: '/courses', handler: 'api::course.course.find', config: { policies: ['is-open'] } },
    { method: 'GET', path: '/courses/:id', handler: 'course.findOne', config: { policies: [() => true] } },
    { method: 'POST', path: '/courses', handler: 'course.create', config: { policies: [] } },
    { method: 'PUT', path: '/courses/:id', handler: 'course.update' },
    { method: 'GET', path: '/now', handler: () => undefined, config: { policies: ['is-open'] } },
    undefined,
  ];
  const added = [{ method: 'GET', path: '/new', handler: 'course.new', config: { policies: ['is-open'] } }];
  const api = { course: { routes: { course: { routes }, empty: null, added: { routes: added } } }, bare: {} };
  const code = { files: ['src/api/course/controllers/course.js', 'src/api/course/routes/course.ts'] };
  const found = listRoutePolicies({ strapi: { api }, code } as unknown as Project);
  expect([...found]).toEqual([
    ['api::course.course.find', 'policies of GET /courses in src/api/course/routes/course.ts'],
    ['api::course.course.findOne', 'policies of GET /courses/:id in src/api/course/routes/course.ts'],
    ['api::course.course.new', 'policies of GET /new'],
  ]);
});
