import { beforeAll, describe, expect, test } from '@jest/globals';
import { commandsOf } from '../../support/commands.js';
import { useService } from '../../support/service.js';

const client = useService();
const { get, create } = client;
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
});
