import { expect, test } from '@jest/globals';
import {
  applyChanges,
  groupsOf,
  permissionsIn,
  usualAction,
  withChange,
  withOwnActions,
} from '../../src/browser/model/permissions.js';
import { content } from './content.js';

const tree = {
  'api::article': { controllers: { article: { find: { enabled: true, policy: '' }, update: { enabled: false } } } },
  'plugin::upload': { controllers: { 'content-api': { upload: { enabled: false } } } },
};

test('a permission that is set back is no change', () => {
  const stored = permissionsIn(tree);
  const changed = withChange(stored, new Map(), 'api::article.article.update', true);
  expect([...changed]).toEqual([['api::article.article.update', true]]);
  expect([...withChange(stored, changed, 'api::article.article.update', false)]).toEqual([]);
});

test('changes are applied to a tree of another time, and leave the rest of it alone', () => {
  const changes = new Map([['plugin::upload.content-api.upload', true]]);
  expect(applyChanges(tree, changes)).toEqual({
    ...tree,
    'plugin::upload': { controllers: { 'content-api': { upload: { enabled: true } } } },
  });
  expect(groupsOf(tree)).toEqual([
    { uid: 'api::article.article', actions: ['find', 'update'] },
    { uid: 'plugin::upload.content-api', actions: ['upload'] },
  ]);
});

const none = { ...content, contentTypes: [] };

test('what can be done without publishing is offered for types with drafts', () => {
  const { update } = tree['api::article'].controllers.article;
  const ofDrafts = { 'update.drafts': { enabled: false } };
  const withDrafts = { ...tree['api::article'].controllers.article, ...ofDrafts };
  expect(update.enabled).toBe(false);
  expect(withOwnActions(tree, content)).toEqual({
    ...tree,
    'api::article': { controllers: { article: withDrafts } },
  });
});

test('the change of languages is offered where there are languages, and kept where it is allowed', () => {
  const withLocales = (actions: object) => ({ ...tree, 'plugin::i18n': { controllers: { locales: { ...actions } } } });
  const list = { listLocales: { enabled: true } };
  expect(withOwnActions(tree, none)).toEqual(tree);
  expect(withOwnActions(withLocales(list), none)).toEqual(withLocales({ ...list, updateLocales: { enabled: false } }));
  const allowed = withLocales({ ...list, updateLocales: { enabled: true } });
  expect(withOwnActions(allowed, none)).toEqual(allowed);
});

test('an action of a plugin has the name of that of content types, and one of the project its own', () => {
  expect(usualAction('plugin::upload.content-api', 'destroy')).toBe('delete');
  expect(usualAction('api::article.article', 'delete')).toBe('delete');
  expect(usualAction('api::article.article', 'destroy')).toBe('destroy');
});
