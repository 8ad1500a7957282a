import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Content } from '../../src/browser/model/schema.js';
import { entryQuery } from '../../src/browser/model/selection.js';
import { encodeQuery } from '@content-service/client/query';
import { attributeTypes } from '../../../../src/content-types/model/attribute-types.js';
import type { ContentType, Component } from '../../../../src/content-types/model/types.js';
import { declare } from '../../../../tests/support/access.js';
import { chromium } from '../../../../tests/support/browser.js';
import { createUser } from '../../../../tests/support/create-user.js';
import { corpus, useService } from '../../../../tests/support/service.js';
import { createEdit, without, type Target } from './edit-attributes.js';
import { openEditor, type EditorPage } from './editor-page.js';

const inBrowser = chromium === undefined ? describe.skip : describe;

/** The names of the content types of the corpus. */
const names = fs.readdirSync(corpus).flatMap((file) => (file.endsWith('.json') ? [path.basename(file, '.json')] : []));
const declared = fs.readdirSync(corpus, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.json'));
const typesIn = (file: string): readonly string[] => {
  const { attributes } = JSON.parse(fs.readFileSync(path.join(corpus, file), 'utf8')) as {
    readonly attributes: Readonly<Record<string, { readonly type: string }>>;
  };
  return Object.values(attributes).map(({ type }) => type);
};

/** The content types of the corpus, and one with the types of attributes that it lacks: a new type is edited too. */
const contentTypes = fs.mkdtempSync(path.join(os.tmpdir(), 'content-types-'));
const used = new Set(declared.flatMap(typesIn));
const missing = Object.keys(attributeTypes).filter((type) => !used.has(type));
const sample = {
  kind: 'collectionType',
  collectionName: 'samples',
  info: { singularName: 'sample', pluralName: 'samples', displayName: 'Sample' },
  attributes: {
    title: { type: 'string' },
    slug: { type: 'uid', targetField: 'title', generate: true },
    ...Object.fromEntries(missing.map((type) => [`its${type}`, { type }])),
  },
};
fs.cpSync(corpus, contentTypes, { recursive: true });
fs.writeFileSync(path.join(contentTypes, 'sample.json'), JSON.stringify(sample));
afterAll(() => fs.rmSync(contentTypes, { recursive: true }));

inBrowser('every attribute of every content type is edited, and the API returns what was typed', () => {
  const client = useService({
    contentTypes,
    plugins: { admin: true, i18n: { config: { locales: ['en', 'fr'] } } },
  });
  let page: EditorPage;
  let content: Content;
  const targets = new Map<string, readonly Target[]>();
  const edited = new Set<string>();

  beforeAll(async () => {
    const { service } = client;
    const types = [...service.registry.contentTypes.values()].filter(({ uid }) => uid.startsWith('api::'));
    const actions = ['find', 'findOne', 'create', 'update'];
    await declare(service, {
      public: ['plugin::users-permissions.auth.callback'],
      authenticated: [
        ...types.flatMap(({ uid, kind }) =>
          actions
            .filter((action) => kind !== 'singleType' || !/One|create/.test(action))
            .map((action) => `${uid}.${action}`),
        ),
        ...['find', 'upload'].map((action) => `plugin::upload.content-api.${action}`),
        'plugin::users-permissions.user.find',
      ],
    });
    for (const name of ['ann', 'eve']) await createUser(client, name, 'writes-everything');
    const [user, file] = ['plugin::users-permissions.user', 'plugin::upload.file'] as const;
    targets.set(
      user,
      ['ann', 'eve'].map((title, index) => ({ uid: user, id: index + 1, title })),
    );
    const files = [];
    for (const title of ['loaf.png', 'mill.png']) files.push({ uid: file, id: await upload(title), title });
    targets.set(file, files);
    for (const type of types.filter(({ kind }) => kind === 'collectionType')) {
      const pair = [];
      for (const title of [`${type.displayName} one`, `${type.displayName} two`]) {
        const data = { ...minimal(type, title), ...(type.draftAndPublish && { publishedAt: null }) };
        pair.push({ uid: type.uid, id: await client.create(type.pluralName, data), title });
      }
      targets.set(type.uid, pair);
    }
    content = (await client.get('/api/admin/content')).body.data;
    page = await openEditor(client);
    await page.logIn('ann', 'writes-everything');
    await page.heading('Welcome, ann');
  });
  afterAll(async () => page.close());

  const upload = async (name: string): Promise<number> => {
    const form = new FormData();
    form.append('files', new Blob(['An image'], { type: 'image/png' }), name);
    const headers = { Authorization: `Bearer ${client.service.token}` };
    const answer = await fetch(`${client.service.url}/api/upload`, { method: 'POST', headers, body: form });
    return ((await answer.json()) as readonly [{ readonly id: number }])[0].id;
  };

  /** The data of an entry with a title, and with what is required. */
  const minimal = (model: ContentType | Component, title: string): object => {
    const required = [...model.attributes.values()].filter((attribute) => attribute.required);
    return Object.fromEntries(
      required.map((attribute) => {
        if (attribute.kind !== 'component') return [attribute.name, title];
        const inner = minimal(attribute.component, title);
        return [attribute.name, attribute.repeatable ? [inner] : inner];
      }),
    );
  };

  const save = async (): Promise<void> => {
    await page.click('.bar .primary');
    const notice = await page.waitFor(`document.querySelector('.notices')?.textContent`);
    const issues = await page.evaluate(
      `[...document.querySelectorAll('.issue')].map(({ parentElement }) => parentElement.parentElement.textContent)`,
    );
    expect([notice, issues]).toEqual([expect.stringMatching(/^(?:Published|Saved)/), []]);
  };

  test.each([...names, 'sample'])('%s', async (name) => {
    const type = client.service.registry.contentTypes.get(`api::${name}.${name}`);
    const described = content.contentTypes.find(({ uid }) => uid === type?.uid);
    if (type === undefined || described === undefined) throw new Error(`no ${name}`);
    const edit = createEdit(page, targets, (shape) => edited.add(shape));
    const isSingle = type.kind === 'singleType';
    await page.goTo(`/admin/content/${isSingle ? type.singularName : `${type.pluralName}/new?locale=en`}`);
    let expected: Readonly<Record<string, unknown>> | undefined;
    for (const round of ['new', 'changed']) {
      await page.waitFor(`document.querySelector('form.entry') !== null`);
      expected = await edit(type, '', expected);
      await save();
      const id = isSingle ? undefined : await page.waitFor(`/\\/(\\d+)$/.exec(location.pathname)?.[1]`);
      const address = isSingle ? type.singularName : `${type.pluralName}/${String(id)}`;
      const { body } = await client.get(`/api/${address}?${encodeQuery(entryQuery(content, described))}`);
      expect([round, body.data.attributes]).toMatchObject([round, without(type, expected, 'hidden')]);
      const collection = client.service.database.db.collection<{ _id: number }>(type.collectionName);
      const stored = await collection.findOne({ _id: body.data.id });
      expect([round, stored]).toMatchObject([round, without(type, expected, 'shown')]);
      // The next round begins with the page as it is read again.
      await page.goTo('/admin');
      await page.heading('Welcome, ann');
      await page.goTo(`/admin/content/${address}`);
    }
  });

  test('that includes every kind of relation, and components and files alone and in lists', () => {
    const relations = ['oneToOne', 'oneToMany', 'manyToOne', 'manyToMany', 'morphToOne', 'morphToMany', 'morphMany'];
    const others = ['media', 'media list', 'component', 'component list', 'zone', ...Object.keys(attributeTypes)];
    expect([...edited]).toEqual(expect.arrayContaining([...relations, ...others]));
  });

  test('a uid that the service generates is marked', () => {
    const type = content.contentTypes.find(({ path }) => path === 'samples');
    expect(type?.attributes.find(({ name }) => name === 'slug')).toMatchObject({
      targetField: 'title',
      generated: true,
    });
  });
});
