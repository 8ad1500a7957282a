import { labelOf, type Attribute, type Content, type ContentType } from '../../src/browser/model/schema.js';

const attribute = (name: string, type: string, options: object = {}): Attribute =>
  ({
    name,
    label: labelOf(name),
    type,
    read: true,
    create: true,
    update: true,
    required: false,
    unique: false,
    ...options,
  }) as Attribute;

/** As the service describes it to the editor. */
export const article: ContentType = {
  uid: 'api::article.article',
  kind: 'collectionType',
  entryName: 'Article',
  listName: 'Articles',
  path: 'articles',
  plain: false,
  draftAndPublish: true,
  localized: true,
  actions: ['find', 'findOne', 'create', 'update', 'delete'],
  attributes: [
    attribute('title', 'string', { required: true, minLength: 3, maxLength: 5 }),
    attribute('slug', 'uid', { required: true, targetField: 'title', generated: true, read: false }),
    attribute('secret', 'password', { read: false, required: true }),
    attribute('rating', 'integer', { min: 1, max: 5 }),
    attribute('serial', 'biginteger', { min: '10' }),
    attribute('meta', 'json'),
    attribute('startsAt', 'datetime'),
    attribute('opensAt', 'time', { read: false }),
    attribute('email', 'email', { read: false }),
    attribute('author', 'relation', { multiple: false, morph: false, targets: ['api::author.author'] }),
    attribute('tags', 'relation', { multiple: true, morph: false, targets: ['api::tag.tag'] }),
    attribute('links', 'component', { multiple: true, components: ['shared.link'], min: 1, max: 2 }),
    attribute('updatedAt', 'datetime', { create: false, update: false }),
    attribute('publishedAt', 'datetime'),
  ],
};

export const content: Content = {
  contentTypes: [
    article,
    { ...article, uid: 'api::author.author', draftAndPublish: false, attributes: [attribute('name', 'string')] },
  ],
  components: [
    {
      uid: 'shared.link',
      displayName: 'Link',
      attributes: [
        attribute('label', 'string', { required: true }),
        attribute('key', 'string', { read: false, required: true }),
        attribute('url', 'string', { regex: '^/' }),
      ],
    },
  ],
  locales: [{ code: 'en', name: 'English', isDefault: true }],
  frames: ['https://www.example.org'],
  files: { find: true, upload: true, destroy: true },
  folders: { find: false, create: false, update: false, delete: false },
  tokens: { find: true, create: true, delete: true },
  account: { me: true, changePassword: true, preferences: {} },
  definitions: { find: true, build: false },
  readsAudit: false,
  replacesLocales: false,
  declaresLocales: false,
  declaredRoles: [],
};
