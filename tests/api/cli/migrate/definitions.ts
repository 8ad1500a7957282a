import fs from 'node:fs';
import path from 'node:path';

type Attributes = Readonly<Record<string, object>>;

const relation = (target: string, side: object) => ({ type: 'relation', relation: 'manyToMany', target, ...side });
const localized = { pluginOptions: { i18n: { localized: true } } };

const type = (name: string, attributes: Attributes, options: object = {}) => ({
  kind: 'collectionType',
  collectionName: `${name}s`,
  info: { singularName: name, pluralName: `${name}s`, displayName: name },
  ...options,
  attributes,
});

/** The initial definitions. */
export const before = {
  'post.json': type(
    'post',
    {
      headline: { type: 'string' },
      kind: { type: 'string' },
      big: { type: 'biginteger' },
      tags: relation('api::tag.tag', { inversedBy: 'posts' }),
      seo: { type: 'component', component: 'shared.seo' },
      parts: { type: 'component', component: 'shared.link', repeatable: true },
      blocks: { type: 'dynamiczone', components: ['shared.link', 'shared.seo'] },
    },
    { collectionName: 'old_posts' },
  ),
  'tag.json': type('tag', { name: { type: 'string' }, posts: relation('api::post.post', { mappedBy: 'tags' }) }),
  'page.json': type('page', { title: { type: 'string', ...localized }, views: { type: 'integer' } }, localized),
  'note.json': type('note', { text: { type: 'string' }, about: relation('api::page.page', {}) }),
  'components/shared/seo.json': { attributes: { metaTitle: { type: 'string' } } },
  'components/shared/link.json': {
    attributes: {
      label: { type: 'string', unique: true },
      to: { type: 'relation', relation: 'oneToOne', target: 'api::tag.tag' },
      more: { type: 'component', component: 'shared.seo' },
    },
  },
};

/** The changed definitions: renamed, stored on the other side, or localized. */
export const after = {
  'post.json': type('post', {
    title: { type: 'string' },
    kind: { type: 'string', required: true, default: 'news' },
    big: { type: 'biginteger' },
    tags: relation('api::tag.tag', { mappedBy: 'posts' }),
    seo: { type: 'component', component: 'shared.seo' },
    links: { type: 'component', component: 'shared.link', repeatable: true },
    blocks: { type: 'dynamiczone', components: ['shared.link', 'shared.seo'] },
  }),
  'tag.json': type('tag', { name: { type: 'string' }, posts: relation('api::post.post', { inversedBy: 'tags' }) }),
  'page.json': type('page', { title: { type: 'string' }, views: { type: 'integer' } }),
  'note.json': type('note', { text: { type: 'string' }, about: relation('api::page.page', {}) }, localized),
  'components/shared/seo.json': {
    attributes: { heading: { type: 'string' }, robots: { type: 'string', required: true, default: 'all' } },
  },
  'components/shared/link.json': {
    attributes: {
      text: { type: 'string', unique: true },
      goal: { type: 'relation', relation: 'oneToOne', target: 'api::tag.tag' },
      more: { type: 'component', component: 'shared.seo' },
    },
  },
  'migrations.json': {
    collections: { old_posts: 'posts' },
    attributes: {
      'api::post.post': { headline: 'title', parts: 'links' },
      'shared.seo': { metaTitle: 'heading' },
      'shared.link': { label: 'text', to: 'goal' },
    },
  },
};

/** Writes definitions into a folder, by their paths in it. */
export function writeDefinitions(folder: string, files: Readonly<Record<string, object>>): string {
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(folder, name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, JSON.stringify(content));
  }
  return folder;
}
