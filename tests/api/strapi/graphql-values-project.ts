import { apiFiles, schemaFile } from './project-folder.js';

const withDrafts = (schema: string): string => schema.replace('"draftAndPublish":false', '"draftAndPublish":true');

const note = {
  text: { type: 'string' },
  secret: { type: 'string', private: true },
  long: { type: 'biginteger' },
  at: { type: 'datetime' },
  day: { type: 'date' },
  clock: { type: 'time' },
  extra: { type: 'json' },
  kind: { type: 'enumeration', enum: ['how-to', 'news'] },
  price: { type: 'decimal' },
  owner: { type: 'relation', relation: 'manyToOne', target: 'api::person.person', inversedBy: 'notes' },
  part: { type: 'component', component: 'page.part' },
  parts: { type: 'component', component: 'page.part', repeatable: true },
  zone: { type: 'dynamiczone', components: ['page.part'] },
};

const person = {
  name: { type: 'string' },
  notes: { type: 'relation', relation: 'oneToMany', target: 'api::note.note', mappedBy: 'owner' },
};

/** What code receives, under a name: the kinds of values, and the members of objects. */
const register = `
const kindOf = (value) => value === null ? 'null' : value instanceof Date ? 'Date ' + value.toISOString()
  : typeof value === 'bigint' ? 'bigint ' + value
  : Array.isArray(value) ? value.map(kindOf)
  : typeof value === 'object' ? typeof value.then === 'function' ? 'Promise' : Object.fromEntries(Object.keys(value).sort().map((key) => [key, kindOf(value[key])]))
  : typeof value === 'string' ? value : typeof value + ' ' + value;
const membersOf = (value) => value && Object.keys(value).filter((key) => !key.startsWith('@')).sort().join(' ');
const received = {};
const note = (name, value) => { received[name] = value; };
const shapeOf = async (result) => {
  const { nodes, value, info } = result ?? {};
  const awaited = await value;
  return { members: membersOf(result), ...(nodes && { nodes: nodes.map(membersOf) }), ...(awaited && { value: membersOf(awaited) }), ...(info && { info: kindOf(info) }) };
};
const observe = (path) => ({
  auth: false,
  policies: [(context) => { note(path + ' policy', kindOf(context.args)); return true; }],
  middlewares: [async (next, parent, args, context, info) => {
    const result = await next(parent, args, context, info);
    note(path, await shapeOf(result));
    const wanted = JSON.parse(context.koaContext.get('x-keep') || '{}');
    if (result?.nodes && wanted.nodes) result.nodes = result.nodes.filter((node) => node[wanted.nodes]);
    if (result?.value && wanted.value && !(await result.value)[wanted.value]) return { ...result, value: null };
    return result;
  }],
});
module.exports = ({ strapi }) => {
  const format = () => strapi.plugin('graphql').service('format').returnTypes;
  strapi.plugin('graphql').service('extension').use({
    typeDefs: \`type Query { received: JSON
        kinds(dateTime: DateTime, date: Date, time: Time, long: Long, longs: [Long], json: JSON, id: ID, int: Int, float: Float, flag: Boolean, kind: ENUM_NOTE_KIND,
          state: PublicationState, filters: NoteFiltersInput, data: NoteInput): JSON
        part: ComponentPagePart bare: ComponentPagePart ownNotes(filters: NoteFiltersInput, pagination: PaginationArg, secret: String): NoteEntityResponseCollection }
      extend type NoteEntityResponseCollection { count: Int }
      extend type NoteEntity { hasSecret: Boolean }\`,
    resolvers: {
      Query: {
        received: () => { const all = { ...received }; for (const key of Object.keys(received)) delete received[key]; return all; },
        kinds: (parent, args) => kindOf(args),
        part: async () => (await strapi.entityService.findOne('api::note.note', 2, { populate: { part: { populate: ['notes', 'note'] } } })).part,
        bare: async () => (await strapi.entityService.findOne('api::note.note', 2, { populate: { part: true } })).part,
        ownNotes: async (parent, { secret, ...args }, context) => {
          const params = strapi.plugin('graphql').service('builders').utils.transformArgs(args, { contentType: strapi.contentTypes['api::note.note'], usePagination: true });
          if (secret) params.filters = { secret };
          return format().toEntityResponseCollection(await strapi.entityService.findMany('api::note.note', params), { args: params, resourceUID: 'api::note.note' });
        },
      },
      NoteEntityResponseCollection: { count: (parent) => { note('count', membersOf(parent)); return parent.nodes.length; } },
      NoteEntity: { hasSecret: (parent) => { note('entity', membersOf(parent)); return parent.secret !== null; } },
    },
    resolversConfig: {
      ...Object.fromEntries(['Query.received', 'Query.kinds', 'Query.part', 'Query.bare', 'Query.ownNotes'].map((path) => [path, { auth: false }])),
      ...Object.fromEntries(['Query.notes', 'Query.note', 'Query.home', 'Mutation.createNote', 'Mutation.updateNote', 'Mutation.deleteNote', 'Mutation.updateHome', 'Mutation.deleteHome',
        'Note.owner', 'Person.notes', 'Note.part', 'Note.parts', 'Note.zone', 'NoteEntityResponse.data', 'PersonEntityResponseCollection.data', 'PersonEntity.attributes'].map((path) => [path, observe(path)])),
    },
  });
};`;

const bootstrap = `
module.exports = async ({ strapi }) => {
  const publishedAt = new Date('2024-01-02T03:04:05.006Z');
  const { id: owner } = await strapi.entityService.create('api::person.person', { data: { name: 'Ada' } });
  const { id: draft } = await strapi.entityService.create('api::note.note', { data: { text: 'a draft', secret: 'x', owner } });
  const { id } = await strapi.entityService.create('api::note.note', { data: { text: 'shown', owner, long: '9007199254740993', at: publishedAt, parts: [{ label: 'many' }], zone: [{ __component: 'page.part', label: 'zone' }], publishedAt } });
  await strapi.entityService.create('api::note.note', { data: { text: 'kept', secret: 's', publishedAt } });
  await strapi.entityService.update('api::note.note', id, { data: { part: { label: 'single', notes: [draft, id], note: draft } } });
};`;

/** A project whose GraphQL code notes what it receives. */
export const valuesProject: Readonly<Record<string, string>> = {
  'package.json': JSON.stringify({ dependencies: { '@strapi/plugin-graphql': '4.26.2' } }),
  ...apiFiles('note', {}),
  'src/api/note/content-types/note/schema.json': withDrafts(schemaFile('note', note)),
  ...apiFiles('person', person),
  ...apiFiles('home', {}),
  'src/api/home/content-types/home/schema.json': schemaFile('home', { title: { type: 'string' } }).replace(
    'collectionType',
    'singleType',
  ),
  'src/components/page/part.json': JSON.stringify({
    collectionName: 'components_page_parts',
    info: { displayName: 'part' },
    attributes: {
      label: { type: 'string' },
      notes: { type: 'relation', relation: 'oneToMany', target: 'api::note.note' },
      note: { type: 'relation', relation: 'oneToOne', target: 'api::note.note' },
    },
  }),
  'src/graphql/register.js': register,
  'src/graphql/bootstrap.js': bootstrap,
  'src/index.js': `module.exports = { register: require('./graphql/register.js'), bootstrap: require('./graphql/bootstrap.js') };`,
};
