import { beforeAll, expect, test } from '@jest/globals';
import request from 'supertest';
import { system } from '../../../src/documents/caller.js';
import { plainEntry } from '../../../src/query/entry-presenter.js';
import { useService } from '../../../tests/support/service.js';
import { archive, asStrapi5, importInto, recorded } from './imported.js';

/**
 * Links that users of Strapi 5 have lost, by the numbers of their reports, on a database that was imported from Strapi
 * 5.
 */
const client = useService({ ...asStrapi5, contentTypes: `${recorded}/content-types` });
beforeAll(async () => {
  await importInto(client.service, archive);
});

type Plural = 'stories' | 'writers' | 'sidebars' | 'desks';
const singular = { stories: 'story', writers: 'writer', sidebars: 'sidebar', desks: 'desk' } as const;

async function send(method: 'post' | 'put', path: string, data: object): Promise<string> {
  const { service } = client;
  const { [method]: open } = request(service.url);
  const { status, body } = await open(`/api/${path}`).auth(service.token, { type: 'bearer' }).send({ data });
  expect([status < 300, body.error]).toEqual([true, undefined]);
  return body.data.documentId as string;
}

let count = 0;
const named = (plural: Plural): object => {
  count += 1;
  return { [plural === 'stories' || plural === 'sidebars' ? 'title' : 'name']: `${plural} ${count}` };
};
const drafted = async (plural: Plural, data: object = {}): Promise<string> =>
  send('post', `${plural}?status=draft`, { ...named(plural), ...data });
const published = async (plural: Plural, data: object = {}): Promise<string> =>
  send('post', plural, { ...named(plural), ...data });
const saved = async (plural: Plural, documentId: string, data: object): Promise<string> =>
  send('put', `${plural}/${documentId}?status=draft`, data);
const publish = async (plural: Plural, documentId: string, data: object = {}): Promise<string> =>
  send('put', `${plural}/${documentId}`, data);

/** What only code and the panel of Strapi 5 do. */
async function entryOf(plural: Plural, documentId: string) {
  const { documents, registry } = client.service;
  const uid = `api::${singular[plural]}.${singular[plural]}`;
  const type = registry.contentTypes.get(uid);
  if (type === undefined) throw new Error(uid);
  const [entry] = await documents.identify(type, [documentId]);
  const asked = { caller: system, presenter: plainEntry, selection: { fields: [], populate: [] } } as const;
  return { name: { type, id: entry?.id ?? 0 }, asked };
}
async function unpublish(plural: Plural, documentId: string): Promise<void> {
  const { name, asked } = await entryOf(plural, documentId);
  await client.service.documents.update(name, { publishedAt: null }, asked);
}
async function discard(plural: Plural, documentId: string): Promise<void> {
  const { name, asked } = await entryOf(plural, documentId);
  await client.service.documents.delete(name, { ...asked, status: 'draft' });
}

/** The documentIds behind a path of relations and components. */
async function linked(
  plural: Plural,
  documentId: string,
  path: string,
  status = 'published',
): Promise<readonly string[]> {
  const [first = '', second] = path.split('.');
  const populate =
    second === undefined
      ? `populate[${first}]=true`
      : first === 'blocks'
        ? `populate[blocks][on][blocks.embed][populate][0]=${second}`
        : `populate[${first}][populate][0]=${second}`;
  const { body } = await client.get(`/api/${plural}/${documentId}?status=${status}&${populate}`);
  const values = [body.data[first]].flat().filter(Boolean);
  const targets =
    second === undefined ? values : values.flatMap((value: Record<string, unknown>) => value[second] ?? []);
  return targets.map((target: { documentId: string }) => target.documentId);
}

interface Report {
  readonly number: number;
  readonly what: string;
  /** Where links are after what the report did, and to what. */
  readonly replay: () => Promise<readonly (readonly [Plural, string, string, readonly string[], string?])[]>;
}

const reports: readonly Report[] = [
  {
    number: 25361,
    what: 'an entry is published before those that it leads to, directly, in a component and in a zone',
    replay: async () => {
      const [b, c] = [await drafted('stories'), await drafted('stories')];
      const a = await drafted('stories', {
        parent: b,
        lead: b,
        related: [c],
        links: [{ label: 'l', story: c }],
        blocks: [{ __component: 'blocks.embed', label: 'e', stories: [b, c] }],
      });
      for (const one of [a, b, c]) await publish('stories', one);
      return [
        ['stories', a, 'parent', [b]],
        ['stories', a, 'lead', [b]],
        ['stories', a, 'related', [c]],
        ['stories', a, 'links.story', [c]],
        ['stories', a, 'blocks.stories', [b, c]],
      ];
    },
  },
  {
    number: 24438,
    what: 'the entry that a draft leads to is published first',
    replay: async () => {
      const target = await drafted('sidebars');
      const source = await drafted('stories', { sidebar: target });
      await publish('sidebars', target);
      await publish('stories', source);
      return [
        ['stories', source, 'sidebar', [target]],
        ['sidebars', target, 'story', [source]],
      ];
    },
  },
  {
    number: 24342,
    what: 'an entry of the same type that is linked is edited and published again',
    replay: async () => {
      const [b, c] = [await published('stories'), await published('stories')];
      const a = await published('stories', { related: [b, c] });
      await saved('stories', b, { title: 'edited' });
      await publish('stories', b);
      return [
        ['stories', a, 'related', [b, c]],
        ['stories', a, 'related', [b, c], 'draft'],
      ];
    },
  },
  {
    number: 23194,
    what: 'what is published by the API has its links in the draft, too, and an edited draft changes nothing of it',
    replay: async () => {
      const [ada, bob] = [await published('writers'), await published('writers')];
      const a = await published('stories', { writer: ada });
      await saved('stories', a, { writer: bob });
      return [
        ['stories', a, 'writer', [ada]],
        ['stories', a, 'writer', [bob], 'draft'],
      ];
    },
  },
  {
    number: 23460,
    what: 'what an entry leads to is unpublished and published again',
    replay: async () => {
      const [writer, lead] = [await published('writers'), await published('stories')];
      const source = await published('stories', { writer, lead });
      const sidebar = await published('sidebars', { owner: writer });
      await unpublish('writers', writer);
      await unpublish('stories', lead);
      expect(await linked('sidebars', sidebar, 'owner')).toEqual([]);
      await publish('writers', writer);
      await publish('stories', lead);
      return [
        ['stories', source, 'writer', [writer]],
        ['stories', source, 'lead', [lead]],
        ['sidebars', sidebar, 'owner', [writer]],
        ['writers', writer, 'stories', [source]],
      ];
    },
  },
  {
    number: 24280,
    what: 'the draft of an entry that leads to a draft is discarded',
    replay: async () => {
      const target = await drafted('writers');
      const source = await published('sidebars', { owner: target });
      await saved('sidebars', source, { title: 'regretted' });
      await discard('sidebars', source);
      const before = await linked('sidebars', source, 'owner', 'draft');
      expect(before).toEqual([target]);
      await publish('writers', target);
      return [['sidebars', source, 'owner', [target]]];
    },
  },
  {
    number: 24779,
    what: 'an entry is itself unpublished and published again',
    replay: async () => {
      const [writer, b] = [await published('writers'), await published('stories')];
      const a = await published('stories', { writer, related: [b], links: [{ label: 'l', story: b }] });
      await unpublish('stories', a);
      await publish('stories', a);
      return [
        ['stories', a, 'writer', [writer]],
        ['stories', a, 'related', [b]],
        ['stories', a, 'links.story', [b]],
      ];
    },
  },
  {
    number: 22975,
    what: 'a type without drafts keeps what leads to an entry that is published again for another change',
    replay: async () => {
      const story = await published('stories');
      const desk = await published('desks', { stories: [story] });
      const other = await published('stories');
      await publish('stories', story, { related: [other] });
      return [
        ['desks', desk, 'stories', [story]],
        ['stories', story, 'desk', [desk]],
        ['stories', story, 'desk', [desk], 'draft'],
      ];
    },
  },
];

test.each(reports)('$number: $what', async ({ replay }) => {
  const expected = await replay();
  for (const [plural, documentId, path, targets, status] of expected)
    expect([path, await linked(plural, documentId, path, status)]).toEqual([path, targets]);
});
