import type { ContentTypeDefinition, Defined } from '../../content-types/model/definition.js';
import { ownDefinitions } from './own-attributes.js';
import type { Settings } from './settings.js';
import { uids } from './uids.js';

/** Strapi v4's user, role and permission types. */
export const defineTypes = ({ uniqueEmail }: Settings): readonly Defined<ContentTypeDefinition>[] =>
  [
    { uid: uids.user, definition: userType(uniqueEmail) },
    { uid: uids.role, definition: roleType },
    { uid: uids.permission, definition: permissionType },
  ].map((type) => ({ ...type, file: 'plugin users-permissions' }));

const userType = (uniqueEmail: boolean): ContentTypeDefinition => ({
  kind: 'collectionType',
  collectionName: 'up_users',
  info: { singularName: 'user', pluralName: 'users', displayName: 'User' },
  options: uniqueEmail ? {} : { indexes: [{ email: 1 }] },
  attributes: {
    username: { type: 'string', required: true, unique: true, minLength: 3, maxLength: 255 },
    email: { type: 'email', required: true, unique: uniqueEmail, maxLength: 255 },
    provider: { type: 'string' },
    password: { type: 'password', private: true, minLength: 6 },
    /** Codes are stored as hashes; unique, to have an index. */
    resetPasswordToken: { type: 'string', private: true, unique: true },
    confirmationToken: { type: 'string', private: true, unique: true },
    confirmed: { type: 'boolean', default: false },
    blocked: { type: 'boolean', default: false },
    role: { type: 'relation', relation: 'manyToOne', target: uids.role, inversedBy: 'users' },
    ...ownDefinitions,
  },
});

const roleType: ContentTypeDefinition = {
  kind: 'collectionType',
  collectionName: 'up_roles',
  info: { singularName: 'role', pluralName: 'roles', displayName: 'Role' },
  attributes: {
    name: { type: 'string', required: true, minLength: 3 },
    description: { type: 'string' },
    type: { type: 'string', unique: true },
    permissions: { type: 'relation', relation: 'oneToMany', target: uids.permission, mappedBy: 'role' },
    users: {
      type: 'relation',
      relation: 'oneToMany',
      target: uids.user,
      mappedBy: 'role',
      // As in Strapi v4, REST never returns the users of a role; filters can use it, and GraphQL has the field.
      pluginOptions: { 'content-api': { populate: false } },
    },
  },
};

const permissionType: ContentTypeDefinition = {
  kind: 'collectionType',
  collectionName: 'up_permissions',
  info: { singularName: 'permission', pluralName: 'permissions', displayName: 'Permission' },
  attributes: {
    action: { type: 'string', required: true },
    role: { type: 'relation', relation: 'manyToOne', target: uids.role, inversedBy: 'permissions' },
  },
};
