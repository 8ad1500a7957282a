import { expect, test } from '@jest/globals';
import { checkExtension, checkPlugin, checkResult } from '../../../../src/plugins/contract/members.js';

const run = (): void => undefined;

test('a plugin with all kinds of members of the contract is accepted', () => {
  const plugin = {
    name: 'mine',
    contentTypes: [{ uid: 'plugin::mine.note', file: 'plugin mine', definition: {} }],
    interceptors: [Object.assign(run, { isPersonal: true })],
    hooks: { prepare: run, afterWrite: run },
    routes: () => [{ handel: run }],
    services: { any: { name: run } },
    dependencies: undefined,
    commands: [{ usage: 'mine', description: 'mine', run }],
  };
  expect(() => checkPlugin('mine', plugin)).not.toThrow();
});

test('plugins of the core have further members', () => {
  const plugin = {
    name: 'mine',
    parameters: [{ name: 'at', part: 'scope', selects: { attribute: 'at', all: 'all' }, apply: run }],
  };
  expect(() => checkPlugin('mine', plugin, true)).not.toThrow();
  expect(() => checkPlugin('mine', plugin)).toThrow('Plugin mine: unknown member "parameters"');
});

test.each([
  [{ parameters: [{ graphql: { typ: 'Int' } }] }, 'unknown member "parameters[0].graphql.typ"; did you mean "type"?'],
  [{ parameters: [{ isOn: run, aply: run }] }, 'unknown member "parameters[0].aply"; did you mean "apply"?'],
  [{ bodyReader: { mediatype: 'a/b' } }, 'unknown member "bodyReader.mediatype"; did you mean "mediaType"?'],
])('%j is refused in a plugin of the core', (members, mistake) => {
  expect(() => checkPlugin('mine', { name: 'mine', ...members }, true)).toThrow(`Plugin mine: ${mistake}`);
});

test.each([
  [
    { hooks: { after: run } },
    'unknown member "hooks.after"; it can be prepare, follow, beforeDelete, beforePurge, afterWrite',
  ],
  [{ interceptor: [run] }, 'unknown member "interceptor"; did you mean "interceptors"?'],
  [{ interceptors: [Object.assign(() => undefined, { personal: true })] }, 'unknown member "interceptors[0].personal"'],
  [{ routes: [{ path: '/a' }, { acton: 'a' }] }, 'unknown member "routes[1].acton"; did you mean "action"?'],
  [{ routes: [{ shortcut: { shortcutof: [] } }] }, 'unknown member "routes[0].shortcut.shortcutof"; did you mean'],
  [{ hooks: [{ prepare: run }] }, 'hooks must be an object'],
  [{ commands: { usage: 'a' } }, 'commands must be a list'],
])('%j is refused', (members, mistake) => {
  expect(() => checkPlugin('mine', { name: 'mine', ...members })).toThrow(`Plugin mine: ${mistake}`);
});

test.each([undefined, null, 'mine'])('%j is no plugin', (created) => {
  expect(() => checkPlugin('mine', created)).toThrow('Plugin mine must be an object');
});

test('every mistake has its line', () => {
  expect(() => checkPlugin('mine', { start: run, begin: run, hooks: { before: run } })).toThrow(
    /^Plugin mine: unknown member "begin"[^\n]*\nPlugin mine: unknown member "hooks\.before"[^\n]*$/,
  );
});

test('what a function returns in place of a member is checked like it', () => {
  expect(() => checkResult('Plugin mine', 'routes', [{ handel: run }])).toThrow(
    'Plugin mine: unknown member "routes[0].handel"; did you mean "handle"?',
  );
  expect(() => checkResult('Plugin mine', 'mounts', [{ path: '/a', handler: run }])).not.toThrow();
  expect(() => checkResult('Plugin mine', 'graphql', { typedefs: '' })).toThrow('did you mean "typeDefs"?');
  expect(() => checkResult('Plugin mine', 'graphql', undefined)).not.toThrow();
});

test('an extension is checked to the lifecycles of each content type', () => {
  const of = (lifecycle: object) => ({ lifecycles: { 'api::article.article': lifecycle } });
  expect(() => checkExtension('extensions/index.js', of({ beforeCreate: run }))).not.toThrow();
  expect(() => checkExtension('extensions/index.js', of({ beforeFind: run }))).toThrow(
    'extensions/index.js: unknown member "lifecycles.api::article.article.beforeFind"',
  );
});
