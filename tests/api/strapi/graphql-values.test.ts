import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { valuesProject } from './graphql-values-project.js';
import { openProjectFolder, type RunningProject } from './project-folder.js';

const actions = ['find', 'findOne', 'create', 'update', 'delete'];
const permissions = [
  ...['note', 'person'].flatMap((name) => actions.map((action) => `api::${name}.${name}.${action}`)),
  ...['find', 'update', 'delete'].map((action) => `api::home.home.${action}`),
];
const access = { roles: { public: { permissions } } };

let running: RunningProject;
beforeAll(async () => {
  running = await openProjectFolder({ ...valuesProject, 'access.json': JSON.stringify(access) });
});
afterAll(async () => running.stop());

type Named = Readonly<Record<string, unknown>>;
interface Answer {
  readonly data: Named;
  readonly errors?: readonly { readonly message: string }[];
}

async function ask(query: string, keep: object = {}): Promise<Answer> {
  const headers = { 'content-type': 'application/json', 'x-keep': JSON.stringify(keep) };
  const response = await running.fetch('/graphql', { method: 'POST', headers, body: JSON.stringify({ query }) });
  return (await response.json()) as Answer;
}

/** What code has received since the last call. */
const received = async (): Promise<Named> => (await ask('{ received }')).data['received'] as Named;

const textsIn = ({ data }: Answer): readonly string[] =>
  [...JSON.stringify(data).matchAll(/"text":"([^"]*)"/g)].map(([, text = '']) => text);

// What code receives is that of a running Strapi 4.26.2.

test('arguments have the values of the scalars in Strapi v4', async () => {
  const moment = '2024-01-02T03:04:05';
  const { data } =
    await ask(`{ kinds(dateTime: "${moment}+01:00", date: "2024-01-02", time: "03:04:05", long: 9007199254740993,
    longs: [1, "2"], json: { a: 1, b: [true, null, "x", 1.5] }, id: 5, int: 5, float: 1.5, flag: true, kind: how_to, state: PREVIEW,
    filters: { at: { gt: "${moment}Z", between: ["${moment}Z"] }, long: { in: [1, 2] }, day: { eq: "2024-01-02" }, clock: { eq: "03:04:05" } },
    data: { at: "${moment}Z", long: 5, extra: { a: 1 }, kind: how_to, owner: 1, parts: [{ label: "x" }], zone: [{ __typename: "ComponentPagePart", label: "x" }] }) }`);
  const at = `Date ${moment}.000Z`;
  expect(data['kinds']).toEqual({
    dateTime: 'Date 2024-01-02T02:04:05.000Z',
    date: '2024-01-02',
    time: '03:04:05.000',
    long: 'bigint 9007199254740993',
    longs: ['bigint 1', 'bigint 2'],
    json: { a: 'number 1', b: ['boolean true', 'null', 'x', 'number 1.5'] },
    id: '5',
    int: 'number 5',
    float: 'number 1.5',
    flag: 'boolean true',
    kind: 'how-to',
    state: 'preview',
    filters: {
      at: { gt: at, between: [at] },
      long: { in: ['bigint 1', 'bigint 2'] },
      day: { eq: '2024-01-02' },
      clock: { eq: '03:04:05.000' },
    },
    data: {
      at,
      long: 'bigint 5',
      extra: { a: 'number 1' },
      kind: 'how-to',
      owner: '1',
      parts: [{ label: 'x' }],
      zone: [{ __component: 'page.part', label: 'x' }],
    },
  });
});

const plain = 'at clock createdAt day extra id kind long price publishedAt secret text updatedAt';
const page = { limit: 'number 10', publicationState: 'live', sort: [], start: 'number 0' };
const infoOf = (args: object, resourceUID = 'api::note.note') => ({ args, resourceUID });

test('middlewares and policies receive the arguments and the response of a list, and limit it', async () => {
  const filters = '{ at: { gt: "2020-01-02T03:04:05Z" }, long: { eq: 9007199254740993 } }';
  expect(textsIn(await ask(`{ notes(filters: ${filters}) { data { id attributes { text } } } }`))).toEqual(['shown']);
  const [at, long] = ['Date 2020-01-02T03:04:05.000Z', 'bigint 9007199254740993'];
  expect(await received()).toEqual({
    'Query.notes policy': {
      filters: { at: { gt: at }, long: { eq: long } },
      pagination: {},
      publicationState: 'live',
      sort: [],
    },
    'Query.notes': {
      members: 'info nodes',
      nodes: [plain],
      info: infoOf({ ...page, filters: { at: { $gt: at }, long: { $eq: long } } }),
    },
  });
  const counted = '{ notes { count data { id hasSecret attributes { text } } meta { pagination { total } } } }';
  expect((await ask(counted)).data['notes']).toEqual({
    count: 2,
    data: [
      { id: '2', hasSecret: false, attributes: { text: 'shown' } },
      { id: '3', hasSecret: true, attributes: { text: 'kept' } },
    ],
    meta: { pagination: { total: 2 } },
  });
  expect(await received()).toMatchObject({ count: 'info nodes', entity: plain });
  expect(
    (await ask('{ notes { data { id } meta { pagination { total } } } }', { nodes: 'secret' })).data['notes'],
  ).toEqual({
    data: [{ id: '3' }],
    meta: { pagination: { total: 2 } },
  });
});

test('middlewares receive the response of one entry, of a relation and of writes, and hide it', async () => {
  const one = (id: number): Promise<Answer> =>
    ask(`{ note(id: ${id}) { data { attributes { text } } } }`, { value: 'secret' });
  expect([textsIn(await one(2)), textsIn(await one(3))]).toEqual([[], ['kept']]);
  expect(await received()).toMatchObject({
    'Query.note': { members: 'info value', value: plain, info: infoOf({ id: '3' }) },
    'NoteEntityResponse.data': { members: plain },
  });
  const inner =
    'owner { data { attributes { name } } } part { label } parts { label } zone { ... on ComponentPagePart { label } }';
  expect((await ask(`{ note(id: 2) { data { attributes { ${inner} } } } }`)).data['note']).toEqual({
    data: {
      attributes: {
        owner: { data: { attributes: { name: 'Ada' } } },
        part: { label: 'single' },
        parts: [{ label: 'many' }],
        zone: [{ label: 'zone' }],
      },
    },
  });
  const person = 'createdAt id name updatedAt';
  const toOne = { limit: 'number 10', start: 'number 0' };
  expect(await received()).toMatchObject({
    'Note.owner': { members: 'info value', value: person, info: infoOf(toOne, 'api::person.person') },
    'PersonEntity.attributes': { members: person },
    'Note.part': { members: 'id label' },
    'Note.parts': { members: '0' },
    'Note.zone': { members: '0' },
    'Note.parts policy': { pagination: {}, sort: [] },
  });
  expect(textsIn(await ask('{ persons { data { attributes { notes { data { attributes { text } } } } } } }'))).toEqual([
    'shown',
  ]);
  expect(await received()).toMatchObject({
    'Person.notes': { members: 'info nodes', nodes: [plain], info: infoOf(page) },
  });
  const created =
    'mutation { createNote(data: { text: "new", long: 5, at: "2024-01-02T03:04:05Z" }) { data { id attributes { text long at } } } }';
  expect((await ask(created)).data['createNote']).toEqual({
    data: { id: '4', attributes: { text: 'new', long: 5, at: '2024-01-02T03:04:05.000Z' } },
  });
  const data = { text: 'new', long: 'bigint 5', at: 'Date 2024-01-02T03:04:05.000Z' };
  expect(await received()).toMatchObject({
    'Mutation.createNote policy': { data },
    'Mutation.createNote': { members: 'info value', value: plain, info: infoOf({ data }) },
  });
  await ask(
    'mutation { updateNote(id: 4, data: { text: "newer" }) { data { id } } deleteNote(id: 4) { data { id } } }',
  );
  await ask('mutation { updateHome(data: { title: "x" }) { data { id } } }');
  expect(await received()).toMatchObject({
    'Mutation.updateNote': { members: 'info value', value: plain, info: infoOf({ id: '4', data: { text: 'newer' } }) },
    'Mutation.deleteNote': { members: 'info value', value: plain, info: infoOf({ id: '4' }) },
    'Mutation.updateHome': { members: 'info value', value: 'createdAt id title updatedAt' },
  });
  expect((await ask('{ home { data { attributes { title } } } }')).data).toEqual({
    home: { data: { attributes: { title: 'x' } } },
  });
  expect(await received()).toMatchObject({ 'Query.home': { info: infoOf({}, 'api::home.home') } });
});

test('a component that a resolver returns alone hides drafts, as its entry does', async () => {
  const part = 'part { label notes { data { attributes { text } } } note { data { attributes { text } } } }';
  // As in Strapi v4, a relation to one shows a draft.
  const shown = {
    label: 'single',
    notes: { data: [{ attributes: { text: 'shown' } }] },
    note: { data: { attributes: { text: 'a draft' } } },
  };
  expect((await ask(`{ ${part} }`)).data).toEqual({ part: shown });
  expect((await ask(`{ note(id: 2) { data { attributes { ${part} } } } }`)).data['note']).toEqual({
    data: { attributes: { part: shown } },
  });
  expect(
    textsIn(
      await ask(
        '{ part { notes(publicationState: PREVIEW, sort: "text:desc", pagination: { start: 1 }) { data { attributes { text } } } } }',
      ),
    ),
  ).toEqual(['a draft']);
  expect((await ask('{ bare { notes { data { id } } } }')).errors?.[0]?.message).toBe(
    'notes of the component page.part is unknown: its resolver has to populate it',
  );
});

test('the total of a collection that a resolver returns takes what the caller may filter by', async () => {
  const own = (args: string): Promise<Answer> =>
    ask(`{ ownNotes${args} { data { id } meta { pagination { total } } } }`);
  expect((await own('')).data['ownNotes']).toMatchObject({ meta: { pagination: { total: 3 } } });
  const { data, errors } = await own('(secret: "s")');
  expect([data['ownNotes'], errors?.map(({ message }) => message)]).toEqual([null, ['Invalid parameter secret']]);
});
