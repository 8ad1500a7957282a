import { createHmac, randomBytes } from 'node:crypto';
import type { ContentTypeDefinition, Defined } from '../../content-types/model/definition.js';

/** Strapi v4's API token; only a hash of the key is stored. */
export const apiToken: Defined<ContentTypeDefinition> = {
  uid: 'admin::api-token',
  file: 'plugin api-tokens',
  definition: {
    kind: 'collectionType',
    collectionName: 'strapi_api_tokens',
    info: { singularName: 'api-token', pluralName: 'api-tokens', displayName: 'API token' },
    attributes: {
      name: { type: 'string', required: true, unique: true },
      description: { type: 'string' },
      type: { type: 'enumeration', enum: ['full-access', 'read-only', 'custom'], default: 'read-only', required: true },
      accessKey: { type: 'string', private: true, required: true, unique: true },
      /** The actions of a custom token. */
      permissions: { type: 'array', default: [] },
      expiresAt: { type: 'datetime' },
      lastUsedAt: { type: 'datetime' },
    },
  },
};

/** A new access key, of the length of Strapi v4's. */
export const newKey = (): string => randomBytes(128).toString('hex');

/** The stored form of an access key: a hash keyed with the salt, as in Strapi v4. */
export const hashKey = (key: string, salt: string): string => createHmac('sha512', salt).update(key).digest('hex');
