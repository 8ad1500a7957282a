import type { GraphqlForm, GraphqlResolver, GraphqlResolvers, FormContext } from 'content-service/content-api';
import { AppError, hasCode, isRecord, system, type ContentType, type GraphqlParts } from 'content-service/plugin';
import { flatPresenter } from '../presenters.js';
import { typesOfPlugins } from './types-of-plugins.js';

const USER = 'plugin::users-permissions.user';

/** The mutations of plugins, each with its name in the schema of Strapi v4. */
const mutations: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    [
      'createUsersPermissionsRole',
      'updateUsersPermissionsRole',
      'deleteUsersPermissionsRole',
      'createUsersPermissionsUser',
      'updateUsersPermissionsUser',
      'deleteUsersPermissionsUser',
      'login',
      'register',
      'forgotPassword',
      'resetPassword',
      'changePassword',
      'emailConfirmation',
    ].map((name) => [name, name]),
  ),
  updateUploadFile: 'updateFileInfo',
  deleteUploadFile: 'removeFile',
};

/** Those that return an entry as it is, not in a response. */
const bare = new Set(['updateUploadFile', 'deleteUploadFile']);

/** Users, files and locales: the operations are those of the schema of Strapi v4. */
export const createParts =
  ({ registry, documents }: FormContext): GraphqlForm['parts'] =>
  (parts) => {
    const find = (type: string, field: string): GraphqlResolver => {
      const found = parts.map(({ resolvers }) => (resolvers[type] as Fields | undefined)?.[field]);
      return found.find((resolve) => resolve !== undefined) ?? absent;
    };
    const actions = Object.assign({}, ...parts.map((part) => part.actions)) as GraphqlParts['actions'];
    // Accounts have the operations and types of Strapi v4's schema.
    const ofAccounts = parts.find(({ resolvers }) => (resolvers['Mutation'] as Fields | undefined)?.['login']);
    const user = registry.contentTypes.get(USER);
    const locale = parts.map(({ resolvers }) => resolvers['I18NLocaleCode'] as Scalar | undefined).find(Boolean);
    const written = Object.entries(mutations).map(([name, original]) => {
      const resolve = find('Mutation', original);
      return [name, bare.has(name) ? valueOf(resolve) : withValues(resolve)] as const;
    });
    const resolvers = {
      Query: { me: find('Query', 'me') },
      Mutation: Object.fromEntries(written),
      ...(user && { UsersPermissionsMe: { documentId: documentIdOf(documents, user) } }),
      UsersPermissionsUserEntityResponse: { data: ({ value }: { readonly value: unknown }) => value },
      // As recorded, it fails: its entries could be in any state.
      UploadFile: { related: absent },
      ...(locale && { I18NLocaleCode: localeCode(locale) }),
    };
    return [
      {
        typeDefs: `${ofAccounts?.typeDefs ?? ''}${typesOfPlugins}`,
        actions: {
          ...Object.fromEntries(Object.entries(actions).flatMap(([path, action]) => ofQuery(path, action))),
          ...Object.fromEntries(
            Object.entries(mutations).map(([name, original]) => [`Mutation.${name}`, actions[`Mutation.${original}`]]),
          ),
        },
        resolvers: resolvers as unknown as GraphqlResolvers,
      },
    ];
  };

type Fields = Readonly<Record<string, GraphqlResolver>>;

/** The action of a query, also with the page. */
const ofQuery = (path: string, action: string | undefined): readonly (readonly [string, string | undefined])[] =>
  path.startsWith('Query.')
    ? [
        [path, action],
        [`${path}_connection`, action],
      ]
    : [];

const absent: GraphqlResolver = () => {
  throw new AppError('badRequest', 'This field has no value here');
};

/** The entry in the response of a resolver. */
const valueOf =
  (resolve: GraphqlResolver): GraphqlResolver =>
  async (...resolved) =>
    ((await resolve(...resolved)) as { readonly value: unknown } | null)?.value ?? null;

/** The issues of an account have the values that they are about, but passwords are not sent back. */
const withValues =
  (resolve: GraphqlResolver): GraphqlResolver =>
  async (source, args, context, info) => {
    try {
      return await resolve(source, args, context, info);
    } catch (error) {
      const { input } = args as { readonly input?: unknown };
      if (!hasCode(error, 'validation') || !isRecord(input)) throw error;
      const issues = error.issues.map(({ path, message }) => {
        const [name = ''] = path;
        const value = name === 'password' ? undefined : input[name];
        return { path, message, ...(value !== undefined && { value }) };
      });
      throw new AppError('validation', issues);
    }
  };

/** Users read it of themselves, whatever else they may read. */
const documentIdOf =
  (documents: FormContext['documents'], type: ContentType): GraphqlResolver =>
  async ({ id }: { readonly id: unknown }) => {
    const fields = type.documentId === undefined ? [] : [type.documentId];
    const request = { caller: system, presenter: flatPresenter, selection: { fields, populate: [] } };
    return ((await documents.readEntry(type, Number(id), request)) as { readonly documentId: unknown }).documentId;
  };

interface Scalar {
  readonly description?: string | null | undefined;
  readonly parseLiteral: (node: { readonly kind: string; readonly value?: unknown }, variables?: unknown) => unknown;
}

/** The locale of a query: a literal in the document must be a known locale, or `*` for all. */
const localeCode = ({ description, parseLiteral }: Scalar) => ({
  __description: description,
  __parseLiteral: (node: Parameters<Scalar['parseLiteral']>[0], variables?: unknown): unknown => {
    if (node.value === '*') return '*';
    if (node.value === 'all') throw new AppError('invalidValue', 'Unknown locale supplied');
    return parseLiteral(node, variables);
  },
});
