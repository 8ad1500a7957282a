import type { ContentTypeDefinition, Defined } from './definition.js';
import type { Linkage } from '../link/linkage.js';
import type { ContentTypeOutline } from '../load/outline.js';
import type { Attribute, ContentType, RelationAttribute, ScalarAttribute } from './types.js';

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

/** The system attributes of a content type; `admin::user` itself has no creator fields. */
export function systemAttributes(
  { schema, privateAttributes }: ContentTypeOutline,
  { contentTypes, dialect }: Linkage,
): readonly Attribute[] {
  const creator = contentTypes.get(adminUser.uid);
  const base = (name: (typeof systemNames)[number]) => ({
    name,
    required: false,
    private: privateAttributes.includes(name),
    writable: false,
    pluginOptions: {},
  });
  const dateTime = (name: (typeof systemNames)[number]): ScalarAttribute => ({
    ...base(name),
    kind: 'scalar',
    type: 'datetime',
    dialect,
    unique: false,
    searchable: false,
  });
  const person = (name: (typeof systemNames)[number], target: ContentType): RelationAttribute => ({
    ...base(name),
    kind: 'relation',
    relation: 'oneToOne',
    private: !schema.populateCreatorFields || base(name).private,
    target,
    many: false,
    side: 'owner',
    media: false,
  });
  return [
    dateTime('createdAt'),
    dateTime('updatedAt'),
    ...(schema.draftAndPublish ? [{ ...dateTime('publishedAt'), writable: true }] : []),
    ...(creator === undefined || schema.uid === adminUser.uid
      ? []
      : [person('createdBy', creator), person('updatedBy', creator)]),
  ];
}
