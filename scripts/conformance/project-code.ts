import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** Code that changes no answer, in the ways in which projects write it. */
export const projectCodes = {
  'lifecycle-subscriber': 'a subscriber to the lifecycle events of all types that does nothing',
  'super-calls': 'controllers and services that only call super',
  'written-out': "actions written out as Strapi's guide has them",
  'graphql-middleware': 'a middleware that only calls next around each field of GraphQL',
} as const;

/** `generated`: nothing but what Strapi's generator writes for each content type. */
export type ProjectCode = keyof typeof projectCodes | 'generated';

interface ContentType {
  readonly kind: 'collectionType' | 'singleType';
  readonly info: { readonly singularName: string };
}

/** The names of the actions of a content type, and of the methods of its service that they call. */
const actions = {
  collectionType: ['find', 'findOne', 'create', 'update', 'delete'],
  singleType: ['find', 'update', 'delete'],
} as const satisfies Record<ContentType['kind'], readonly string[]>;
const methods = { ...actions, singleType: ['find', 'createOrUpdate', 'delete'] } as const;

/** Writes the content types of a corpus as a Strapi v4 project with such code into a new folder. */
export async function writeProject(contentTypes: string, code: ProjectCode, folder: string): Promise<void> {
  const write = async (name: string, content: string): Promise<void> => {
    const file = path.join(folder, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, content);
  };
  await write('package.json', JSON.stringify({ name: code, dependencies: { '@strapi/strapi': '4.26.2' } }));
  await cp(path.join(contentTypes, 'components'), path.join(folder, 'src', 'components'), { recursive: true });
  for (const file of (await readdir(contentTypes)).filter((name) => name.endsWith('.json'))) {
    const schema = await readFile(path.join(contentTypes, file), 'utf8');
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a definition of the corpus
    const { kind, info } = JSON.parse(schema) as ContentType;
    const name = info.singularName;
    await write(`src/api/${name}/content-types/${name}/schema.json`, schema);
    await write(`src/api/${name}/routes/${name}.js`, factory('Router', name));
    await write(`src/api/${name}/controllers/${name}.js`, factory('Controller', name, controllers[code]?.(kind, name)));
    await write(`src/api/${name}/services/${name}.js`, factory('Service', name, services[code]?.(kind)));
  }
  const index = indexes[code];
  if (index !== undefined) await write('src/index.js', index);
}

const factory = (part: string, name: string, members?: string): string =>
  `module.exports = require('@strapi/strapi').factories.createCore${part}('api::${name}.${name}'${
    members === undefined ? '' : `, ({ strapi }) => ({ ${members} })`
  });`;

type Members = (kind: ContentType['kind'], name: string) => string;

const callSuper = (names: readonly string[]): string =>
  names.map((name) => `async ${name}(...args) { return super.${name}(...args); }`).join(',\n');

const controllers: Partial<Record<ProjectCode, Members>> = {
  'super-calls': (kind) => callSuper(actions[kind]),
  'written-out': (kind, name) => writtenOut[kind](`api::${name}.${name}`),
};

const services: Partial<Record<ProjectCode, (kind: ContentType['kind']) => string>> = {
  'super-calls': (kind) => callSuper(methods[kind]),
};

const indexes: Partial<Record<ProjectCode, string>> = {
  'lifecycle-subscriber': 'module.exports = { bootstrap({ strapi }) { strapi.db.lifecycles.subscribe(() => {}); } };',
  'graphql-middleware': `module.exports = { register({ strapi }) {
    const { naming } = strapi.plugin('graphql').service('utils');
    const middlewares = [(next, parent, args, context, info) => next(parent, args, context, info)];
    const fields = Object.values(strapi.contentTypes).filter(({ uid }) => uid.startsWith('api::')).flatMap((type) => [
      \`Query.\${naming.getFindOneQueryName(type)}\`,
      ...(type.kind === 'singleType' ? [] : [\`Query.\${naming.getFindQueryName(type)}\`, \`Mutation.\${naming.getCreateMutationTypeName(type)}\`]),
      \`Mutation.\${naming.getUpdateMutationTypeName(type)}\`,
      \`Mutation.\${naming.getDeleteMutationTypeName(type)}\`,
      ...Object.keys(type.attributes)
        .filter((name) => !['createdBy', 'updatedBy'].includes(name) && type.attributes[name].private !== true)
        .map((name) => \`\${naming.getTypeName(type)}.\${name}\`),
    ]);
    strapi.plugin('graphql').service('extension').use({
      resolversConfig: Object.fromEntries(fields.map((field) => [field, { middlewares }])),
    });
  } };`,
};

const dataOf = `
  const { errors, parseMultipartData } = require('@strapi/utils');
  const { data, files } = ctx.is('multipart') ? parseMultipartData(ctx) : ctx.request.body ?? {};
  if (typeof data !== 'object' || data === null) {
    throw new errors.ValidationError('Missing "data" payload in the request body');
  }
  const written = { ...query, data: await this.sanitizeInput(data, ctx), files };`;

const queryOf = 'await this.validateQuery(ctx); const query = await this.sanitizeQuery(ctx);';
const answer = 'return this.transformResponse(await this.sanitizeOutput(entity, ctx));';

const writtenOut: Record<ContentType['kind'], (uid: string) => string> = {
  collectionType: (uid) => `
    async find(ctx) {
      ${queryOf}
      const { results, pagination } = await strapi.service('${uid}').find(query);
      return this.transformResponse(await this.sanitizeOutput(results, ctx), { pagination });
    },
    async findOne(ctx) {
      ${queryOf}
      const entity = await strapi.service('${uid}').findOne(ctx.params.id, query);
      ${answer}
    },
    async create(ctx) {
      ${queryOf} ${dataOf}
      const entity = await strapi.service('${uid}').create(written);
      ${answer}
    },
    async update(ctx) {
      ${queryOf} ${dataOf}
      const entity = await strapi.service('${uid}').update(ctx.params.id, written);
      ${answer}
    },
    async delete(ctx) {
      ${queryOf}
      const entity = await strapi.service('${uid}').delete(ctx.params.id, query);
      ${answer}
    }`,
  singleType: (uid) => `
    async find(ctx) {
      ${queryOf}
      const entity = await strapi.service('${uid}').find(query);
      ${answer}
    },
    async update(ctx) {
      const { query } = ctx; ${dataOf}
      const entity = await strapi.service('${uid}').createOrUpdate(written);
      ${answer}
    },
    async delete(ctx) {
      const entity = await strapi.service('${uid}').delete(ctx.query);
      ${answer}
    }`,
};
