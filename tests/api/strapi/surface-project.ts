import { apiFiles, schemaFile } from './project-folder.js';

/** The plugins whose extensions receive a plugin. */
const extended = ['content-manager', 'content-type-builder', 'email', 'upload', 'users-permissions', 'i18n', 'graphql'];

/** Notes what code receives, under the names of the fixture. */
const keep = `globalThis.received ??= {}; const keep = (name, value) => { globalThis.received[name] ??= value; };`;

const extension = (plugin: string): string =>
  `${keep} module.exports = (plugin) => { keep('extension of ${plugin}', plugin); return plugin; };`;

const index = `${keep}
const field = (t) => t.string('a');
const keptField = (name) => (t) => { keep(name, t); field(t); };
module.exports = {
  register(argument) {
    keep('register: argument', argument);
    const { strapi } = argument;
    strapi.plugin('graphql').service('extension').use((parts) => {
      keep('extension.use: argument', parts);
      const { nexus } = parts;
      const resolve = (parent, args, context, info) => {
        keep('resolver: context', context);
        keep('resolver: info', info);
        return 'x';
      };
      return {
        types: [
          nexus.extendType({ type: 'Query', definition: (t) => t.field('capturing', { type: 'String', args: { by: 'Captured' }, resolve }) }),
          nexus.inputObjectType({ name: 'Captured', definition: keptField('nexus: t of inputObjectType') }),
        ],
        resolversConfig: { 'Query.capturing': {
          auth: false,
          policies: [(context, config, parts) => {
            keep('graphql policy: context', context);
            keep('graphql policy: third argument', parts);
            return true;
          }],
          middlewares: [(next, parent, args, context, info) => {
            keep('graphql middleware: context', context);
            keep('graphql middleware: info', info);
            return next(parent, args, context, info);
          }],
        } },
      };
    });
  },
  async bootstrap(argument) {
    keep('bootstrap: argument', argument);
    strapi.db.lifecycles.subscribe((event) => {
      keep('event ' + event.action, { ...event });
      keep('event ' + event.action + ': params', event.params);
    });
    const notes = strapi.db.query('api::note.note');
    const { id } = await notes.create({ data: { text: 'x' } });
    await notes.findOne({ where: { id } });
    await notes.findMany({ where: { id } });
    await notes.count({ where: {} });
    await notes.update({ where: { id }, data: { text: 'y' } });
    await notes.delete({ where: { id } });
    await notes.createMany({ data: [{ text: 'x' }] });
    await notes.updateMany({ where: {}, data: { text: 'z' } });
    await notes.deleteMany({ where: {} });
  },
};`;

/**
 * What each member of the fixture is here: \`there\`, \`other arity\` (there, and a function with another number of
 * parameters before the first with a default), \`other\` (another kind of value), \`absent\`, \`panel\` (an action of
 * the admin panel), or the message of the error that it throws.
 */
const walk = `
const kindOf = (value) => (typeof value === 'function' ? 'function' : typeof value === 'object' && value !== null ? 'object' : 'value');
const expected = (kind) => (kind === undefined ? 'value' : kind === '{}' || kind === '[]' ? 'object' : 'function');
const isPanel = (value) => typeof value === 'function' && String(value).includes('admin panel is not there');
function verdictOf(target, name, kind, isFactory) {
  try {
    const value = target()[name];
    if (value === undefined && !(kind === undefined && name in Object(target()))) return 'absent';
    if (isPanel(value) || (Object.hasOwn(Object(value), 'handler') && isPanel(value.handler))) return 'panel';
    if (!isFactory && expected(kind) !== 'value' && kindOf(value) !== expected(kind)) return 'other: ' + kindOf(value);
    return typeof value === 'function' && /^\\d+$/.test(kind) && value.length !== Number(kind) ? 'other arity' : 'there';
  } catch (error) {
    return error.message;
  }
}
module.exports = (lines) => lines.map((line) => {
  const end = line.lastIndexOf(': ');
  const expression = line.slice(0, end);
  const utils = require('@strapi/utils');
  const target = () => new Function('strapi', 'utils', 'require', 'received', 'return ' + expression)(strapi, utils, require, globalThis.received);
  return [expression, line.slice(end + 2).split(' ').map((member) => {
    const [, name, kind] = /^(.*?)(?:\\/(\\d+|class|\\{\\}|\\[\\]))?$/.exec(member);
    // In plugins that extensions receive, a service or what makes it, as in Strapi.
    return [name, verdictOf(target, name, kind, /^received.*\\.services$/.test(expression))];
  })];
});`;

/** What expressions answer here, one after the other: values, with moments by their types, or what they throw. */
const probe = String.raw`
const moments = new Set(['createdAt', 'updatedAt', 'publishedAt']);
const answerOf = (value, depth = 0) => {
  if (typeof value === 'string' && value.startsWith('$2')) return 'hash';
  if (value === null || typeof value === 'boolean' || typeof value === 'number' || typeof value === 'string') return JSON.stringify(value);
  if (value === undefined) return 'undefined';
  if (typeof value === 'function') return 'function';
  if (typeof value !== 'object') return typeof value;
  if (value instanceof Date) return 'Date';
  if (value instanceof RegExp) return 'RegExp';
  if (depth > 5) return 'object';
  if (Array.isArray(value)) return '[' + value.map((item) => answerOf(item, depth + 1)).join(', ') + ']';
  const members = Object.keys(value).sort().map((key) => key + ': ' + (moments.has(key) && value[key] ? (value[key] instanceof Date ? 'Date' : typeof value[key]) : answerOf(value[key], depth + 1)));
  return members.length === 0 ? '{}' : '{ ' + members.join(', ') + ' }';
};
const failureOf = (error) => 'throws ' + (error && error.name) + ': ' + String(error && error.message).split('\n')[0];
module.exports = async (expressions) => {
  const answers = [];
  for (const expression of expressions) {
    const utils = require('@strapi/utils');
    try {
      answers.push(answerOf(await new Function('strapi', 'utils', 'require', 'return (' + expression + ')')(strapi, utils, require)));
    } catch (error) {
      answers.push(failureOf(error));
    }
  }
  return answers;
};
`;

/**
 * A project whose code receives all that the fixture has, and compares it with what is here: `POST /api/walk/1?a=1`.
 */
export const surfaceProject: Readonly<Record<string, string>> = {
  ...apiFiles('room', { title: { type: 'string' } }),
  ...apiFiles('note', { text: { type: 'string' } }),
  'src/api/walk/content-types/walk/schema.json': schemaFile('walk', {
    link: { type: 'component', component: 'workshop.link' },
  }),
  'src/components/workshop/link.json': JSON.stringify({
    collectionName: 'links',
    info: { displayName: 'Link' },
    attributes: { url: { type: 'string' } },
  }),
  'src/api/walk/walk.js': walk,
  'src/api/walk/probe.js': probe,
  'src/api/walk/routes/walk.js': `${keep}
    const walk = require('../walk.js');
    const probe = require('../probe.js');
    module.exports = { routes: [{ method: 'POST', path: '/walk/:id', config: {
      auth: false,
      policies: [(context, config, parts) => { keep('policy: context', context); keep('policy: third argument', parts); return true; }],
    }, handler: async (ctx) => {
      keep('ctx', ctx);
      const { lines, expressions } = ctx.request.body;
      ctx.body = lines === undefined ? await probe(expressions) : walk(lines);
    } }] };`,
  'src/index.js': index,
  ...Object.fromEntries(extended.map((name) => [`src/extensions/${name}/strapi-server.js`, extension(name)])),
  'config/api.js': `module.exports = { rest: { defaultLimit: 25, maxLimit: 100, withCount: true } };`,
  'config/plugins.js': `module.exports = { graphql: { enabled: true } };`,
};
