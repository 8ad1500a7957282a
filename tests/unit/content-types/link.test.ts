import { describe, expect, test } from '@jest/globals';
import { link } from '../../../src/content-types/link/link.js';
import { load } from '../../../src/content-types/load/load.js';
import type { Attribute, ContentType, Registry } from '../../../src/content-types/model/types.js';
import { component, contentType, define, file, mistakesIn } from './define.js';

async function library(): Promise<Registry> {
  const { contentTypes, components } = await load('tests/fixtures/definitions');
  return link({ contentTypes: [...contentTypes, file], components });
}

function typeIn(registry: Registry, uid: string): ContentType {
  const type = registry.contentTypes.get(uid);
  if (type === undefined) throw new Error(`no ${uid}`);
  return type;
}
const attributeIn = (registry: Registry, uid: string, name: string): Attribute | undefined =>
  typeIn(registry, uid).attributes.get(name);
const lastNames = (registry: Registry, uid: string, count: number): readonly string[] =>
  [...typeIn(registry, uid).attributes.keys()].slice(-count);
const [book, person, remark] = ['api::book.book', 'api::person.person', 'api::remark.remark'];

test('a content type takes its names and options from its definition', async () => {
  expect(typeIn(await library(), book)).toMatchObject({
    kind: 'collectionType',
    uid: book,
    displayName: 'Book',
    description: 'What people read',
    collectionName: 'books',
    singularName: 'book',
    pluralName: 'books',
    draftAndPublish: true,
    populateCreatorFields: false,
    indexes: [{ genre: 1, pages: -1 }],
    pluginOptions: { i18n: { localized: true } },
  });
});

test('a content type without options has the defaults of Strapi v4', () => {
  const definitions = define(contentType('pen', {}), { ...file, uid: 'plugin::my-upload.file' });
  const { contentTypes } = link(definitions);
  expect(contentTypes.get('api::pen.pen')).toMatchObject({
    kind: 'collectionType',
    displayName: 'pen',
    collectionName: 'pen',
    draftAndPublish: false,
    populateCreatorFields: false,
    indexes: [],
    pluginOptions: {},
  });
  expect(contentTypes.get('plugin::my-upload.file')?.collectionName).toBe('my-upload_file');
});

describe('relations', () => {
  test('refer to the content type object of the registry', async () => {
    const registry = await library();
    expect(attributeIn(registry, book, 'writer')).toMatchObject({ target: typeIn(registry, person) });
    expect(attributeIn(registry, person, 'friends')).toHaveProperty('target', typeIn(registry, person));
  });

  test.each([
    [book, 'writer', { relation: 'manyToOne', side: 'owner', inverse: 'books', many: false, media: false }],
    [person, 'books', { relation: 'oneToMany', side: 'inverse', inverse: 'writer', many: true }],
    [book, 'sequel', { relation: 'oneToOne', side: 'owner', inverse: 'prequel', many: false }],
    [book, 'prequel', { relation: 'oneToOne', side: 'inverse', inverse: 'sequel', many: false }],
    [person, 'friends', { relation: 'manyToMany', side: 'owner', many: true }],
    [book, 'cover', { relation: 'oneToOne', side: 'owner', media: true, allowedTypes: ['images'] }],
  ])('%s %s is stored on the correct side', async (uid, name, model) => {
    expect(attributeIn(await library(), uid, name)).toMatchObject({ kind: 'relation', ...model });
  });

  test('have no inverse if they are one-way', async () => {
    const registry = await library();
    for (const name of ['cover', 'scans']) expect(attributeIn(registry, book, name)).not.toHaveProperty('inverse');
    expect(attributeIn(registry, person, 'friends')).not.toHaveProperty('inverse');
  });
});

describe('morphs', () => {
  test('know all possible targets', async () => {
    const registry = await library();
    const about = attributeIn(registry, remark, 'about');
    expect(about).toMatchObject({ kind: 'morph', many: false, candidates: registry.contentTypes });
    expect(attributeIn(registry, remark, 'seeAlso')).toMatchObject({ kind: 'morph', many: true });
  });

  test('have an inverse side', async () => {
    const registry = await library();
    const other = { kind: 'morphed', morphBy: 'about', target: { uid: remark } };
    expect(attributeIn(registry, book, 'remarks')).toMatchObject({ ...other, many: true, owner: book });
    expect(attributeIn(registry, person, 'remark')).toMatchObject({ ...other, many: false, owner: person });
  });
});

describe('system attributes', () => {
  test('follow the declared ones, publishedAt only with drafts', async () => {
    const registry = await library();
    expect(lastNames(registry, book, 6)).toEqual([
      'body',
      'createdAt',
      'updatedAt',
      'publishedAt',
      'createdBy',
      'updatedBy',
    ]);
    expect(lastNames(registry, person, 5)).toEqual(['remark', 'createdAt', 'updatedAt', 'createdBy', 'updatedBy']);
  });

  test('are read-only for clients, except publishedAt', async () => {
    const { attributes } = typeIn(await library(), book);
    const writable = ['createdAt', 'updatedAt', 'publishedAt', 'createdBy'].map(
      (name) => attributes.get(name)?.writable,
    );
    expect(writable).toEqual([false, false, true, false]);
    expect(attributes.get('publishedAt')).toMatchObject({ kind: 'scalar', type: 'datetime', private: false });
  });

  test('are private if the definition declares it, creators by default', async () => {
    const registry = await library();
    expect(attributeIn(registry, book, 'createdAt')?.private).toBe(true);
    expect(attributeIn(registry, book, 'updatedAt')?.private).toBe(false);
    expect(attributeIn(registry, book, 'createdBy')?.private).toBe(true);
    expect(attributeIn(registry, remark, 'createdBy')).toMatchObject({
      private: false,
      relation: 'oneToOne',
      side: 'owner',
      target: typeIn(registry, 'admin::user'),
    });
  });

  test('of admin::user, which always exists, are only its timestamps', () => {
    const admin = typeIn(link(define()), 'admin::user');
    const attributes = [...admin.attributes.values()].map(({ name, private: isPrivate }) => [name, isPrivate]);
    expect(admin.collectionName).toBe('admin_users');
    expect(attributes).toEqual([
      ['firstname', false],
      ['lastname', false],
      ['username', false],
      ['email', true],
      ['createdAt', false],
      ['updatedAt', false],
    ]);
  });
});

test('a component has no system attributes', async () => {
  const outline = (await library()).components.get('shared.outline');
  expect([...(outline?.attributes.keys() ?? [])]).toEqual(['heading']);
});

test('types and components say to the editor what they are called and for', () => {
  const editor = { label: { en: 'Pen', de: 'Stift' }, description: 'Writes' };
  const registry = link(
    define(
      contentType('pen', {}, { pluginOptions: { editor: { ...editor, pluralLabel: 'Pens' } } }),
      component('shared.cap', {}, { info: { icon: 'crown' }, pluginOptions: { editor } }),
    ),
  );
  expect(typeIn(registry, 'api::pen.pen').editor).toEqual({ ...editor, pluralLabel: 'Pens' });
  expect(registry.components.get('shared.cap')).toMatchObject({ icon: 'crown', editor });
  const wrong = component('shared.cap', {}, { pluginOptions: { editor: { pluralLabel: 'Caps', label: '' } } });
  expect(mistakesIn(define(wrong))).toEqual([
    'content-types/components/shared/cap.json: pluginOptions.editor.pluralLabel is not supported; allowed: label, description',
    expect.stringContaining('cap.json: pluginOptions.editor.label "" must be a string that is not empty'),
  ]);
});

test('conditions of the editor do not lead back to their attribute, also not through others', () => {
  const shownIf = (attribute: string) => ({
    type: 'string',
    pluginOptions: { editor: { condition: { attribute, isSet: true } } },
  });
  const chain = contentType('pen', { ink: { type: 'string' }, nib: shownIf('ink'), cap: shownIf('nib') });
  expect(mistakesIn(define(chain))).toEqual([]);
  const circle = contentType('pen', { ink: shownIf('cap'), nib: shownIf('ink'), cap: shownIf('nib') });
  expect(mistakesIn(define(circle))).toHaveLength(3);
});
