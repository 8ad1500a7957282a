import { beforeAll, describe, expect, test } from '@jest/globals';
import { commandsOf } from '../../support/commands.js';
import { useService } from '../../support/service.js';

const client = useService();
const { get, create, put } = client;
const ids: Record<string, number> = {};

beforeAll(async () => {
  ids['ada'] = await create('authors', { name: 'Ada', address: { city: 'Leeds', hidden: 'x' }, notes: 'private' });
  ids['ben'] = await create('authors', { name: 'Ben' });
  ids['red'] = await create('tags', { name: 'Red' });
  ids['blue'] = await create('tags', { name: 'Blue' });
  ids['science'] = await create('categories', { name: 'Science' });
  ids['physics'] = await create('categories', { name: 'Physics', parent: ids['science'] });
  ids['first'] = await create('articles', {
    title: 'First',
    author: ids['ada'],
    category: ids['physics'],
    tags: [ids['blue'], ids['red']],
    seo: { metaTitle: 'Meta', openGraph: { ogTitle: 'Open' } },
    links: [{ label: 'one' }, { label: 'two' }],
    blocks: [
      { __component: 'blocks.quote', text: 'To be', source: ids['ben'], mentions: [ids['red']] },
      { __component: 'blocks.text', content: 'Text' },
      { __component: 'blocks.promo', title: 'Promo', cta: { label: 'go' } },
    ],
  });
  ids['draft'] = await create('articles', {
    title: 'Draft',
    author: ids['ada'],
    tags: [ids['red']],
    publishedAt: null,
  });
  ids['second'] = await create('articles', {
    title: 'Second',
    author: ids['ada'],
    related: [ids['first'], ids['draft']],
  });
});

const attributesOf = async (path: string) => (await get(path)).body.data.attributes;
const names = (relation: { data: { attributes: { name: string } }[] }) =>
  relation.data.map((one) => one.attributes.name);
const titles = (relation: { data: { attributes: { title: string } }[] }) =>
  relation.data.map((one) => one.attributes.title);

describe('populate', () => {
  test('adds nothing by default', async () => {
    const attributes = await attributesOf(`/api/articles/${ids['first']}`);
    for (const name of ['author', 'tags', 'seo', 'links', 'blocks']) expect(attributes).not.toHaveProperty(name);
  });

  test('with * adds everything one level deep', async () => {
    const attributes = await attributesOf(`/api/articles/${ids['first']}?populate=*`);
    expect(attributes).toMatchObject({
      author: { data: { id: ids['ada'], attributes: { name: 'Ada' } } },
      related: { data: [] },
      seoCard: { data: null },
      seo: { metaTitle: 'Meta', noIndex: false },
      links: [{ label: 'one' }, { label: 'two' }],
    });
    expect(attributes.author.data.attributes).not.toHaveProperty('notes');
    expect(attributes.seo).not.toHaveProperty('openGraph');
    expect(attributes.blocks.map((block: { __component: string }) => block.__component)).toEqual([
      'blocks.quote',
      'blocks.text',
      'blocks.promo',
    ]);
    expect(attributes.blocks[0]).not.toHaveProperty('source');
  });

  test('nests through relations, components and zones', async () => {
    const query =
      'populate[category][populate][parent]=true&populate[author][populate]=address&populate[seo][populate]=openGraph' +
      '&populate[blocks][populate]=*';
    expect(await attributesOf(`/api/articles/${ids['first']}?${query}`)).toMatchObject({
      category: { data: { attributes: { name: 'Physics', parent: { data: { attributes: { name: 'Science' } } } } } },
      author: { data: { attributes: { address: { city: 'Leeds' } } } },
      seo: { openGraph: { ogTitle: 'Open', ogType: 'website' } },
      blocks: [
        { source: { data: { attributes: { name: 'Ben' } } }, mentions: { data: [{ attributes: { name: 'Red' } }] } },
        { content: 'Text' },
        { title: 'Promo', cta: { label: 'go' } },
      ],
    });
  });

  test('keeps the order in which relations were written, unless it is sorted', async () => {
    const path = `/api/articles/${ids['first']}`;
    expect(names((await attributesOf(`${path}?populate=tags`)).tags)).toEqual(['Blue', 'Red']);
    expect(names((await attributesOf(`${path}?populate[tags][sort]=name:desc`)).tags)).toEqual(['Red', 'Blue']);
    expect(names((await attributesOf(`${path}?populate[tags][limit]=1`)).tags)).toEqual(['Blue']);
    expect(names((await attributesOf(`${path}?populate[tags][filters][name]=Red`)).tags)).toEqual(['Red']);
  });

  test('selects attributes of a zone per component', async () => {
    const query = 'populate[blocks][on][blocks.quote][populate][source][fields][0]=name';
    expect((await attributesOf(`/api/articles/${ids['first']}?${query}`)).blocks).toEqual([
      {
        __component: 'blocks.quote',
        id: expect.any(Number),
        text: 'To be',
        source: { data: { id: ids['ben'], attributes: { name: 'Ben' } } },
      },
    ]);
  });
});

describe('the inverse side of a relation', () => {
  test('lists the referring entries: only published ones in lists, all for one entry', async () => {
    const list = await get('/api/authors?populate[articles][fields][0]=title&filters[name]=Ada');
    expect(titles(list.body.data[0].attributes.articles)).toEqual(['First', 'Second']);
    const one = await attributesOf(`/api/authors/${ids['ada']}?populate=articles`);
    expect(titles(one.articles)).toEqual(['First', 'Draft', 'Second']);
  });

  test('can be limited per parent', async () => {
    const query = 'populate[articles][limit]=1&populate[articles][sort]=title:desc&fields[0]=name&sort=id';
    const { body } = await get(`/api/authors?${query}`);
    expect(body.data.map((one: any) => titles(one.attributes.articles))).toEqual([['Second'], []]);
    const tags = await get('/api/tags?populate[articles][limit]=1&populate[articles][start]=0&sort=id');
    expect(tags.body.data.map((one: any) => titles(one.attributes.articles))).toEqual([['First'], ['First']]);
  });

  test('can be written in an order of its own, and takes entries from other owners', async () => {
    const author = await create('authors', { name: 'Cleo', articles: [ids['second'], ids['first']] });
    expect(titles((await attributesOf(`/api/authors/${author}?populate=articles`)).articles)).toEqual([
      'Second',
      'First',
    ]);
    expect(titles((await attributesOf(`/api/authors/${ids['ada']}?populate=articles`)).articles)).toEqual(['Draft']);
    await put(`/api/articles/${ids['first']}`, { author: ids['ada'] });
    await put(`/api/articles/${ids['second']}`, { author: ids['ada'] });
    expect(titles((await attributesOf(`/api/authors/${author}?populate=articles`)).articles)).toEqual([]);
  });
});

describe('a read', () => {
  const deep =
    'populate[author][populate]=*&populate[category][populate][parent]=true&populate[tags][populate][articles][limit]=2' +
    '&populate[seo][populate]=*&populate[links]=true&populate[blocks][populate]=*&populate[related][populate]=author';

  const commands = async (path: string) => (await commandsOf(client.service, () => get(path))).toSorted();

  test('sends one command for entries and populated relations, and one for the total', async () => {
    expect(await commands(`/api/articles/${ids['first']}?${deep}`)).toEqual(['aggregate']);
    expect(await commands(`/api/articles?pagination[withCount]=false&${deep}`)).toEqual(['aggregate']);
    expect(await commands(`/api/articles?${deep}`)).toEqual(['aggregate', 'versions']);
  });

  test('counts once, and again only after a write', async () => {
    const list = '/api/articles?publicationState=preview&pagination[pageSize]=1';
    expect(await commands(list)).toEqual(['aggregate', 'find', 'versions']);
    expect(await commands(list)).toEqual(['find', 'versions']);
    const before = (await get(list)).body.meta.pagination.total;
    await create('articles', { title: 'One more' });
    expect((await get(list)).body.meta.pagination.total).toBe(before + 1);
  });

  test('shares the count command with concurrent reads', async () => {
    const list = () => get('/api/articles?pagination[pageSize]=1');
    const names = await commandsOf(client.service, () => Promise.all(Array.from({ length: 40 }, list)));
    expect(names.filter((name) => name === 'versions').length).toBeLessThan(40);
  });

  test('that filters by a relation sends one more command for ids, and again only after a write of their type', async () => {
    const filtered = '/api/articles?publicationState=preview&filters[author][name]=Ada&pagination[pageSize]=50';
    const sent = () => commandsOf(client.service, () => get(filtered));
    // With older ids than the version, a total could be cached for a newer one.
    expect(await sent()).toEqual(['versions', 'find', 'find']);
    expect(await sent()).toEqual(['versions', 'find']);
    await create('tags', { name: 'new' });
    expect(await sent()).toEqual(['versions', 'find']);
    await create('authors', { name: 'New' });
    expect(await sent()).toEqual(['versions', 'find', 'find']);
    const populated = `/api/articles/${ids['first']}?populate[seo][filters][shareImage][name]=x`;
    expect(await commands(populated)).toEqual(['aggregate', 'find', 'versions']);
    expect(await commands(populated)).toEqual(['aggregate', 'versions']);
  });

  test('that populates circular relations succeeds up to the populate limit', async () => {
    const circle = (levels: number) => `populate${'[articles][populate][author][populate]'.repeat(levels)}=tags`;
    expect((await get(`/api/authors?${circle(4)}`)).status).toBe(200);
    const { status, body } = await get(`/api/authors?${circle(80)}`);
    expect({ status, message: body.error.message }).toEqual({
      status: 400,
      message: 'The query asks for too much: at most 50000 entries in one response',
    });
  });
});
