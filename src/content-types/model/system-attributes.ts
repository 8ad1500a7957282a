import { isRecord } from '../../config/record.js';
import type { ContentTypeDefinition, Defined } from './definition.js';
import type { Dialect } from './dialects.js';
import type { ContentType, ScalarAttribute } from './types.js';

/** The attributes that every entry has, in the order in which Strapi v4 appends them. */
export const systemNames = ['createdAt', 'updatedAt', 'publishedAt', 'createdBy', 'updatedBy'] as const;

/** Names of attributes that localized types get. Source: Strapi v4's i18n plugin sets them, overriding declarations. */
export const localeNames: ReadonlySet<string> = new Set(['locale', 'localizations']);

/** The attributes that an entry can have and no definition file names. */
export const generatedNames: ReadonlySet<string> = new Set([...systemNames, ...localeNames]);

/** The creators of entries: there is no admin panel, but clients may populate `createdBy`. */
export const adminUser: Defined<ContentTypeDefinition> = {
  uid: 'admin::user',
  file: 'admin::user',
  definition: {
    collectionName: 'admin_users',
    info: { singularName: 'user', pluralName: 'users', displayName: 'User' },
    attributes: {
      firstname: { type: 'string' },
      lastname: { type: 'string' },
      username: { type: 'string' },
      email: { type: 'email', private: true },
    },
  },
};

/**
 * Whether a content type is the service's own: its entries, such as API tokens, are for nobody but the service, and
 * links do not lead to them.
 */
export const isInternal = (uid: string): boolean => uid.startsWith('admin::') && uid !== adminUser.uid;

const OF_SERVICE = 'content-service';

/** The `pluginOptions` of an attribute that only the service has, not Strapi. */
export const ofService = { [OF_SERVICE]: {} };

/** Whether only the service has an attribute, not Strapi: no other service, code or archive of Strapi gets it. */
export const isOfService = ({ pluginOptions }: { readonly pluginOptions?: unknown }): boolean =>
  isRecord(pluginOptions) && OF_SERVICE in pluginOptions;

/** The stored name of the id that the localizations of an entry have in common. */
export const DOCUMENT_ID = 'documentId';

/** The attribute of that id. Nobody writes it: an entry gets it when it is created. */
export const documentIdAttribute = (dialect: Dialect): ScalarAttribute => ({
  kind: 'scalar',
  name: DOCUMENT_ID,
  type: 'string',
  dialect,
  required: false,
  private: false,
  writable: false,
  unique: false,
  searchable: false,
  pluginOptions: {},
});

/** The definitions of a content type's system attributes; `admin::user` itself has no creator fields. */
export function systemAttributes({
  uid,
  draftAndPublish,
  populateCreatorFields,
}: Omit<ContentType, 'attributes'>): ContentTypeDefinition['attributes'] {
  const dateTime = { type: 'datetime', writable: false };
  const creator = {
    type: 'relation',
    relation: 'oneToOne',
    target: adminUser.uid,
    writable: false,
    private: !populateCreatorFields,
  };
  return {
    createdAt: dateTime,
    updatedAt: dateTime,
    ...(draftAndPublish && { publishedAt: { type: 'datetime' } }),
    ...(uid !== adminUser.uid && { createdBy: creator, updatedBy: creator }),
  };
}
