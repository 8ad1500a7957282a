import { GraphQLError, type GraphQLResolveInfo } from 'graphql';
import lodash from 'lodash';
import type { Data } from '../../config/record.js';
import type { Entry } from '../../documents/entries.js';
import { withoutRelations } from '../../documents/read-operation.js';
import { arrivedBody } from '../contract/arrived-body.js';
import { accountIn } from '../contract/code-state.js';
import type { GraphqlContext, GraphqlParts, GraphqlResolver, ShadowRule } from '../contract/graphql/parts.js';
import type { Attempt } from './auth/attempts.js';
import { confirmAddress } from './auth/confirmation.js';
import { logIn } from './auth/login.js';
import { parseId } from '../../query/parse/input.js';
import type { AccountOperation, Services } from './services.js';
import type { Settings } from './settings.js';
import { changePassword, forgotPassword, resetPassword } from './auth/passwords.js';
import { uids } from './uids.js';
import { logInWith } from './providers/log-in-with.js';
import { readMe } from './users/read-users.js';
import { register } from './auth/register.js';
import { createRole, deleteRole, updateRole } from './roles/roles.js';
import { createUser, deleteUser, updateUser } from './users/write-users.js';

/** Permissions are read through their role; mutations of users and roles are below. */
const rules: readonly ShadowRule[] = [
  { uid: uids.permission, without: 'queries' },
  { uid: uids.permission, without: 'mutations' },
  { uid: uids.user, without: 'mutations' },
  { uid: uids.role, without: 'mutations' },
];

/** The action of the REST route with the same operation. */
const accountActions = {
  'Mutation.login': 'plugin::users-permissions.auth.callback',
  'Mutation.register': 'plugin::users-permissions.auth.register',
  'Mutation.forgotPassword': 'plugin::users-permissions.auth.forgotPassword',
  'Mutation.resetPassword': 'plugin::users-permissions.auth.resetPassword',
  'Mutation.emailConfirmation': 'plugin::users-permissions.auth.emailConfirmation',
} satisfies GraphqlParts['actions'];

/** The required action of each root field; a user may always see itself, as in Strapi v4. */
const actions: GraphqlParts['actions'] = {
  'Query.me': undefined,
  ...accountActions,
  'Mutation.changePassword': 'plugin::users-permissions.auth.changePassword',
  'Mutation.createUsersPermissionsRole': `${uids.role}.createRole`,
  'Mutation.updateUsersPermissionsRole': `${uids.role}.updateRole`,
  'Mutation.deleteUsersPermissionsRole': `${uids.role}.deleteRole`,
  'Mutation.createUsersPermissionsUser': `${uids.user}.create`,
  'Mutation.updateUsersPermissionsUser': `${uids.user}.update`,
  'Mutation.deleteUsersPermissionsUser': `${uids.user}.destroy`,
};

/** Users and roles in GraphQL, with the operations of REST. */
export function createGraphql(services: () => Services, { openAccountMutations }: Settings): GraphqlParts {
  /** An operation, counted by the address of its caller. */
  const counted =
    (attempt: Attempt, operation: AccountOperation): GraphqlResolver =>
    async (_, input, { state, address }, info) => {
      const forgive = await services().attempts.countAddress(attempt, address);
      return operation(services(), input, { caller: accountIn(state), address, forgive, arrived: arrivedBody(info) });
    };
  /** Shows a user who is about to be written, as far as the caller may read them. */
  const showOf = ({ entryRequest }: GraphqlContext, info: GraphQLResolveInfo) => {
    const { context, userType } = services();
    const read = context.documents.readAfterWrite(userType, entryRequest(userType, info));
    return async ({ id }: Entry): Promise<{ readonly value: unknown }> => ({ value: await read(id) });
  };
  return {
    typeDefs: graphqlTypes,
    rules,
    actions: { ...actions, ...(openAccountMutations && lodash.mapValues(accountActions, () => undefined)) },
    resolvers: {
      Query: {
        me: async (_, __, { state }) => {
          const user = await readMe(services(), accountIn(state));
          // Strapi throws a plain error there, whose place GraphQL tells.
          if (user === undefined) throw new GraphQLError('Authentication requested');
          return user;
        },
      },
      Mutation: {
        login: counted('login', (all, { input }, context) => logInLocally(all, input as Data, context)),
        register: counted('register', (all, { input }, context) => {
          const { input: arrived } = (context.arrived ?? {}) as Data;
          return register(all, input as Data, { ...context, arrived });
        }),
        forgotPassword: counted('forgot-password', forgotPassword),
        resetPassword: counted('reset-password', resetPassword),
        changePassword: counted('change-password', changePassword),
        emailConfirmation: counted('confirmation', confirmAddress),
        createUsersPermissionsRole: (_, { data }) => createRole(services(), data),
        // As in Strapi v4, the id is part of the data, which is never empty.
        updateUsersPermissionsRole: (_, { id, data }) => updateRole(services(), parseId(id), { ...data, role: id }),
        deleteUsersPermissionsRole: (_, { id }) => deleteRole(services(), parseId(id)),
        createUsersPermissionsUser: async (_, { data }, context, info) => {
          const show = showOf(context, info);
          return show(await createUser(services(), data, writerOf(context, info)));
        },
        updateUsersPermissionsUser: async (_, { id, data }, context, info) => {
          const show = showOf(context, info);
          return show(await updateUser(services(), parseId(id), data, writerOf(context, info)));
        },
        deleteUsersPermissionsUser: async (_, { id }, { caller, entryRequest }, info) => {
          const request = withoutRelations(entryRequest(services().userType, info));
          return { value: (await deleteUser(services(), parseId(id), caller, request)) ?? null };
        },
      },
    },
  };
}

/** Who writes a user, and the data that arrived. */
const writerOf = ({ caller }: GraphqlContext, info: GraphQLResolveInfo) =>
  ({ caller, arrived: (arrivedBody(info) as Data | undefined)?.['data'] }) as const;

/** By a password: a client of GraphQL has no token of another provider. */
const logInLocally: AccountOperation = (services, { provider, ...input }, context) =>
  provider === 'local' ? logIn(services, input, context) : logInWith(services, String(provider), undefined, context);

/** The additions of users and roles to the GraphQL schema, as in Strapi v4. */
const graphqlTypes = `
type Query {
  me: UsersPermissionsMe
}

type Mutation {
  "Create a new role"
  createUsersPermissionsRole(data: UsersPermissionsRoleInput!): UsersPermissionsCreateRolePayload
  "Update an existing role"
  updateUsersPermissionsRole(id: ID!, data: UsersPermissionsRoleInput!): UsersPermissionsUpdateRolePayload
  "Delete an existing role"
  deleteUsersPermissionsRole(id: ID!): UsersPermissionsDeleteRolePayload
  "Create a new user"
  createUsersPermissionsUser(data: UsersPermissionsUserInput!): UsersPermissionsUserEntityResponse!
  "Update an existing user"
  updateUsersPermissionsUser(id: ID!, data: UsersPermissionsUserInput!): UsersPermissionsUserEntityResponse!
  "Delete an existing user"
  deleteUsersPermissionsUser(id: ID!): UsersPermissionsUserEntityResponse!
  login(input: UsersPermissionsLoginInput!): UsersPermissionsLoginPayload!
  "Register a user"
  register(input: UsersPermissionsRegisterInput!): UsersPermissionsLoginPayload!
  "Request a reset password token"
  forgotPassword(email: String!): UsersPermissionsPasswordPayload
  "Reset user password. Confirm with a code (resetToken from forgotPassword)"
  resetPassword(password: String!, passwordConfirmation: String!, code: String!): UsersPermissionsLoginPayload
  "Change user password. Confirm with the current password."
  changePassword(currentPassword: String!, password: String!, passwordConfirmation: String!): UsersPermissionsLoginPayload
  "Confirm an email users email address"
  emailConfirmation(confirmation: String!): UsersPermissionsLoginPayload
}

type UsersPermissionsMe {
  id: ID!
  username: String!
  email: String
  confirmed: Boolean
  blocked: Boolean
  role: UsersPermissionsMeRole
}

type UsersPermissionsMeRole {
  id: ID!
  name: String!
  description: String
  type: String
}

input UsersPermissionsLoginInput {
  identifier: String!
  password: String!
  provider: String! = "local"
}

input UsersPermissionsRegisterInput {
  username: String!
  email: String!
  password: String!
}

type UsersPermissionsLoginPayload {
  jwt: String
  user: UsersPermissionsMe!
}

type UsersPermissionsPasswordPayload {
  ok: Boolean!
}

type UsersPermissionsCreateRolePayload {
  ok: Boolean!
}

type UsersPermissionsUpdateRolePayload {
  ok: Boolean!
}

type UsersPermissionsDeleteRolePayload {
  ok: Boolean!
}
`;
