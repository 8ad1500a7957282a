import { beforeAll, describe, expect, test } from '@jest/globals';
import { useService } from '../../support/service.js';

const client = useService();
const { get, create } = client;
const ids: Record<string, number> = {};
beforeAll(async () => {
  ids['ada'] = await create('authors', { name: 'Ada', address: { city: 'Leeds' } });
  ids['ben'] = await create('authors', { name: 'Ben' });
  ids['article'] = await create('articles', {
    title: 'One',
    author: ids['ada'],
    blocks: [
      { __component: 'blocks.text', heading: 'Zoo', content: 'x' },
      { __component: 'blocks.quote', text: 'To be', source: ids['ben'] },
      { __component: 'blocks.text', heading: 'Intro', content: 'x' },
      { __component: 'blocks.quote', text: 'Or not', source: ids['ada'] },
    ],
  });
  ids['anvil'] = await create('products', { sku: 'ANV-01', name: 'Anvil', vendor: ids['ada'] });
  await create('bookmarks', {
    label: 'All',
    items: [
      { __type: 'api::author.author', id: ids['ben'] },
      { __type: 'api::product.product', id: ids['anvil'] },
      { __type: 'api::author.author', id: ids['ada'] },
    ],
  });
});

const blocks = async (query: string) => {
  const { status, body } = await get(`/api/articles/${ids['article']}?fields=id&populate[blocks]${query}`);
  if (status !== 200) return body.error.message;
  return body.data.attributes.blocks.map((one: any) => one.heading ?? one.text ?? one.__component);
};

describe('a dynamic zone', () => {
  test('contains the components that match the filter of their type', async () => {
    expect(await blocks('[on][blocks.text][filters][heading]=Intro')).toEqual(['Intro']);
    expect(await blocks('[on][blocks.text][filters][heading]=Intro&populate[blocks][on][blocks.quote]=true')).toEqual([
      'To be',
      'Intro',
      'Or not',
    ]);
    expect(await blocks('[on][blocks.quote][filters][source][name]=Ada')).toEqual(['Or not']);
    expect(await blocks('[on][blocks.quote][filters][source][name][$ne]=Ada&populate[blocks][on][blocks.quote][populate]=source')).toEqual(['To be']); // prettier-ignore
    expect(await blocks('[on][blocks.text][filters][nope]=1')).toBe('Invalid parameter nope');
    expect(await blocks('[filters][heading]=Intro')).toBe('Invalid parameter heading');
    expect(await blocks('[filters][id][$gt]=100000')).toEqual([]);
  });

  test('is limited per component type in sort order, and the rest keep their positions', async () => {
    expect(await blocks('[on][blocks.text][limit]=1')).toEqual(['Zoo']);
    expect(await blocks('[on][blocks.text][start]=1')).toEqual(['Intro']);
    expect(await blocks('[on][blocks.text][sort]=heading&populate[blocks][on][blocks.text][limit]=1')).toEqual([
      'Intro',
    ]);
    expect(await blocks('[on][blocks.text][sort]=heading')).toEqual(['Zoo', 'Intro']);
    expect(await blocks('[limit]=1')).toEqual(['Zoo', 'To be']);
  });

  test('accepts id and * in fields', async () => {
    expect(await blocks('[fields]=id')).toEqual(['blocks.text', 'blocks.quote', 'blocks.text', 'blocks.quote']);
    expect(await blocks('[fields]=*')).toEqual(['Zoo', 'To be', 'Intro', 'Or not']);
    expect(await blocks('[fields]=heading')).toBe('Invalid parameter heading');
  });
});

const items = async (query: string) => {
  const { status, body } = await get(`/api/bookmarks?fields=id&populate[items]${query}`);
  return status === 200 ? body.data[0].attributes.items : body.error.message;
};
const namesOf = (list: any) => list.map((one: any) => one.name);

describe('a morph relation', () => {
  test('populates relations and components of its entries, for every type', async () => {
    const [ben, anvil, ada] = await items('[populate]=*');
    expect(ben).toMatchObject({ __type: 'api::author.author', name: 'Ben', address: null });
    expect(anvil).toMatchObject({ __type: 'api::product.product', vendor: { name: 'Ada' } });
    expect(ada).toMatchObject({ name: 'Ada', address: { city: 'Leeds' }, articles: [{ title: 'One' }] });
    const [, named] = await items('[populate][vendor][fields]=name');
    expect(named.vendor).toEqual({ id: ids['ada'], name: 'Ada' });
    expect(named).not.toHaveProperty('comments');
    expect((await items('[populate]=vendor'))[1].vendor.name).toBe('Ada');
  });

  test('accepts fields and returns those that each type has', async () => {
    expect(await items('[fields]=id')).toEqual([
      { __type: 'api::author.author', id: ids['ben'] },
      { __type: 'api::product.product', id: ids['anvil'] },
      { __type: 'api::author.author', id: ids['ada'] },
    ]);
    expect(await items('[fields][0]=sku&populate[items][fields][1]=bio')).toEqual([
      { __type: 'api::author.author', id: ids['ben'], bio: null },
      { __type: 'api::product.product', id: ids['anvil'], sku: 'ANV-01' },
      { __type: 'api::author.author', id: ids['ada'], bio: null },
    ]);
    expect(await items('[fields]=notes')).toBe('Invalid parameter notes');
    expect(await items('[filters][name]=Ada')).toBe('Invalid parameter filters');
  });

  test('is filtered and limited per type, and the rest keep their positions', async () => {
    expect(namesOf(await items('[on][api::author.author][filters][name]=Ada'))).toEqual(['Ada']);
    expect(namesOf(await items('[on][api::author.author][limit]=1'))).toEqual(['Ada']);
    expect(namesOf(await items('[on][api::author.author][sort]=name:desc&populate[items][on][api::author.author][limit]=1'))).toEqual(['Ben']); // prettier-ignore
    expect(namesOf(await items('[on][api::author.author][sort]=name'))).toEqual(['Ben', 'Ada']);
    expect(namesOf(await items('[limit]=1'))).toEqual(['Anvil', 'Ada']);
    expect(namesOf(await items('[limit]=1&populate[items][sort]=name:desc'))).toEqual(['Ben', 'Anvil']);
  });
});

describe('a to-one relation whose inverse is a morphToMany', () => {
  test('is always empty', async () => {
    const found = async (query: string) => (await get(`/api/products?fields=id&filters${query}`)).body.data?.length;
    expect(await found('[bookmark][$null]=true')).toBe(1);
    expect(await found('[bookmark][$notNull]=true')).toBe(0);
    expect(await found('[bookmark][label][$null]=true')).toBe(1);
    expect(await found('[$not][bookmark][label]=All')).toBe(0);
    expect(await found('[bookmark][label]=All')).toBe(0);
  });
});
