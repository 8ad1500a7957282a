import { beforeAll, describe, expect, test } from '@jest/globals';
import { system } from '../../../src/documents/caller.js';
import { imposePublicationState } from '../../../src/documents/interceptors.js';
import { openStore } from '../../../src/mongo/store.js';
import { commandsOf } from '../../support/commands.js';
import { parse, typeOf } from '../../support/golden.js';
import { useService } from '../../support/service.js';

const client = useService();
const { get, create, graphql } = client;

const ids: Record<string, number> = {};
beforeAll(async () => {
  for (const name of ['red', 'blue', 'green']) ids[name] = await create('tags', { name });
  ids['ada'] = await create('authors', { name: 'Ada' });
  ids['ben'] = await create('authors', { name: 'Ben' });
  ids['top'] = await create('categories', { name: 'Top' });
  ids['below'] = await create('categories', { name: 'Below', parent: ids['top'] });
  ids['one'] = await create('articles', {
    title: 'One',
    rating: 3,
    author: ids['ben'],
    tags: [ids['red'], ids['blue']],
  });
  ids['two'] = await create('articles', {
    title: 'Two',
    rating: 4.5,
    author: ids['ada'],
    category: ids['below'],
    tags: [ids['green'], ids['blue'], ids['red']],
  });
  ids['bare'] = await create('articles', { title: 'Bare', rating: 5 });
  ids['empty'] = await create('articles', { title: 'Empty' });
  ids['card'] = await create('seo-cards', { headline: 'Card', article: ids['one'] });
  ids['better'] = await create('seo-cards', { headline: 'Better', article: ids['two'] });
});

const titles = async (query: string) => {
  const { status, body } = await get(`/api/articles?fields[0]=title&${query}`);
  expect(status).toBe(200);
  return body.data.map((one: any) => one.attributes.title);
};

describe('the inverse side of a relation with a limit per parent', () => {
  const tagsOf = (articles: any) =>
    Object.fromEntries(
      articles.data.map((one: any) => [one.attributes.title, one.attributes.tags.data.map((tag: any) => tag.id)]),
    );
  const all = () => ({ One: [ids['red'], ids['blue']], Two: [ids['green'], ids['blue'], ids['red']] });

  test('returns everything populated below it', async () => {
    const below = 'populate[articles][populate][tags][fields]=id';
    for (const slice of [
      '[limit]=3',
      '[start]=0&populate[articles][limit]=9',
      '[sort]=title&populate[articles][limit]=2',
    ]) {
      const { body } = await get(`/api/tags/${ids['red']}?populate[articles]${slice}&${below}`);
      expect(tagsOf(body.data.attributes.articles)).toEqual(all());
    }
    const { body } = await get(`/api/tags?populate[articles][limit]=3&${below}`);
    for (const { id, attributes } of body.data) {
      const expected = id === ids['green'] ? { Two: all().Two } : all();
      expect(tagsOf(attributes.articles)).toEqual(expected);
    }
  });

  test('returns it over GraphQL, where every list has a limit', async () => {
    const { body } = await graphql(
      '{ tags { data { id attributes { articles { data { attributes { title tags { data { id } } } } } } } } }',
    );
    const [red] = body.data.tags.data;
    const numbered = (list: any) => ({
      data: list.data.map((one: any) => ({
        attributes: {
          ...one.attributes,
          tags: { data: one.attributes.tags.data.map(({ id }: any) => ({ id: Number(id) })) },
        },
      })),
    });
    expect(tagsOf(numbered(red.attributes.articles))).toEqual(all());
  });

  test('is sorted by all related entries, not by the parent alone', async () => {
    const query = 'populate[articles][sort]=tags.id:desc&populate[articles][limit]=1&populate[articles][fields]=title';
    const { body } = await get(`/api/tags/${ids['blue']}?${query}`);
    expect(body.data.attributes.articles.data.map((one: any) => one.attributes.title)).toEqual(['Two']);
  });
});

describe('an empty relation', () => {
  test('sorts as null', async () => {
    expect(await titles('sort=seoCard.article.rating:desc')).toEqual(['Two', 'One', 'Bare', 'Empty']);
    expect(await titles('sort=seoCard.article.rating')).toEqual(['Bare', 'Empty', 'One', 'Two']);
    expect(await titles('sort=author.articles.title:desc')).toEqual(['Two', 'One', 'Bare', 'Empty']);
  });

  test('examines no related documents', async () => {
    const { service } = client;
    const store = openStore(service.database.db, { timeout: 60_000, exclusive: true });
    const examined = async (id: number | undefined, populate: string): Promise<readonly number[]> => {
      const parsed = parse(`filters[id]=${id}&${populate}`, typeOf(service.registry, 'article'));
      const { main } = await store.explain({
        query: imposePublicationState(parsed, { action: 'findOne', caller: system }),
      });
      const stages = (main.plan['stages'] ?? []) as Record<string, unknown>[];
      return stages.filter((stage) => '$lookup' in stage).map((stage) => Number(stage['totalDocsExamined']));
    };
    expect(await examined(ids['bare'], 'populate[author][populate]=articles')).toEqual([0, 0]);
    expect(await examined(ids['bare'], 'populate[author][populate][articles][limit]=1')).toEqual([0, 0]);
    expect(await examined(ids['bare'], 'populate[category][populate][children][populate]=articles')).toEqual([0, 0, 0]);
    expect(await examined(ids['two'], 'populate[author][populate]=articles')).toEqual([1, 1]);
  });
});

describe('a sort through relations', () => {
  test('puts entries without a related entry first, and orders equal ones by id', async () => {
    expect(await titles('sort=author.name')).toEqual(['Bare', 'Empty', 'Two', 'One']);
    expect(await titles('sort=author.name:desc')).toEqual(['One', 'Two', 'Bare', 'Empty']);
    expect(await titles('sort=category.parent.name:desc,author.name,title:desc')).toEqual([
      'Two',
      'Empty',
      'Bare',
      'One',
    ]);
    expect(await titles('sort=author.name&filters[title][$ne]=Bare&pagination[start]=1&pagination[limit]=2')).toEqual([
      'Two',
      'One',
    ]);
    expect(await titles('sort=author.name&filters[title]=Nothing')).toEqual([]);
    expect(await titles('sort=related.title:desc')).toEqual(['One', 'Two', 'Bare', 'Empty']);
    expect(await titles('sort=gallery.name,related.title')).toEqual(['One', 'Two', 'Bare', 'Empty']);
    expect(await titles('sort=tags.name:desc')).toEqual(['One', 'Two', 'Bare', 'Empty']);
    expect(await titles('sort=tags.name')).toEqual(['Bare', 'Empty', 'One', 'Two']);
  });

  test('populates like any list, in one command', async () => {
    const path = '/api/articles?sort=author.name:desc&populate[author][fields]=name&pagination[withCount]=false';
    let answer: any;
    const commands = await commandsOf(client.service, async () => {
      answer = await get(path);
    });
    expect(commands).toEqual(['aggregate']);
    expect(answer.body.data.map((one: any) => one.attributes.author.data?.attributes.name)).toEqual(['Ben', 'Ada', undefined, undefined]); // prettier-ignore
  });
});
