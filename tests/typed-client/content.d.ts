// Made by `content-service types` from the content types: do not change it by hand.
import type { FileFormats, Json, Many, One, Part, PartInput, Parts, RelationInput, Zone } from 'content-service/client';

/** api::article.article */
export interface Article {
  kind: 'collection';
  drafts: true;
  fields: {
    title: string;
    slug: string | null;
    summary: string | null;
    body: string | null;
    kind: "feature" | "essay" | "interview" | "recipe" | "note" | null;
    readingMinutes: number | null;
    publishedOn: string | null;
    featured: boolean | null;
    createdAt: string;
    updatedAt: string;
    publishedAt: string | null;
  };
  keys: 'slug';
  populate: {
    author: One<Author>;
    category: One<Category>;
    tags: Many<Tag>;
    related: Many<Article>;
    cover: One<UploadFile>;
    seo: Part<ComponentSharedSeo>;
    links: Parts<ComponentSharedLink>;
    blocks: Zone<{ 'blocks.text': ComponentBlocksText; 'blocks.quote': ComponentBlocksQuote; 'blocks.links': ComponentBlocksLinks }>;
  };
  input: {
    title?: string;
    slug?: string | null;
    summary?: string | null;
    body?: string | null;
    kind?: "feature" | "essay" | "interview" | "recipe" | "note" | null;
    readingMinutes?: number | null;
    publishedOn?: string | null;
    featured?: boolean | null;
    editorNote?: string | null;
    author?: RelationInput;
    category?: RelationInput;
    tags?: RelationInput;
    related?: RelationInput;
    cover?: RelationInput;
    seo?: PartInput<ComponentSharedSeo> | null;
    links?: readonly PartInput<ComponentSharedLink>[];
    blocks?: readonly (({ __component: 'blocks.text' } & PartInput<ComponentBlocksText>) | ({ __component: 'blocks.quote' } & PartInput<ComponentBlocksQuote>) | ({ __component: 'blocks.links' } & PartInput<ComponentBlocksLinks>))[];
    publishedAt?: string | Date | null;
  };
  required: 'title';
}

/** api::author.author */
export interface Author {
  kind: 'collection';
  drafts: false;
  fields: {
    name: string;
    slug: string | null;
    email: string | null;
    bio: string | null;
    joinedOn: string | null;
    createdAt: string;
    updatedAt: string;
  };
  keys: 'slug' | 'email';
  populate: {
    articles: Many<Article>;
  };
  input: {
    name?: string;
    slug?: string | null;
    email?: string | null;
    bio?: string | null;
    joinedOn?: string | null;
    articles?: RelationInput;
  };
  required: 'name';
}

/** api::category.category */
export interface Category {
  kind: 'collection';
  drafts: false;
  fields: {
    name: string | null;
    slug: string | null;
    description: string | null;
    position: number | null;
    createdAt: string;
    updatedAt: string;
  };
  keys: 'slug';
  populate: {
    parent: One<Category>;
    children: Many<Category>;
    articles: Many<Article>;
  };
  input: {
    name?: string | null;
    slug?: string | null;
    description?: string | null;
    position?: number | null;
    parent?: RelationInput;
    children?: RelationInput;
    articles?: RelationInput;
  };
  required: never;
}

/** api::homepage.homepage */
export interface Homepage {
  kind: 'single';
  drafts: true;
  fields: {
    title: string | null;
    intro: string | null;
    createdAt: string;
    updatedAt: string;
    publishedAt: string | null;
  };
  populate: {
    highlights: Many<Article>;
    seo: Part<ComponentSharedSeo>;
    blocks: Zone<{ 'blocks.text': ComponentBlocksText; 'blocks.quote': ComponentBlocksQuote; 'blocks.links': ComponentBlocksLinks }>;
  };
  input: {
    title?: string | null;
    intro?: string | null;
    highlights?: RelationInput;
    seo?: PartInput<ComponentSharedSeo> | null;
    blocks?: readonly (({ __component: 'blocks.text' } & PartInput<ComponentBlocksText>) | ({ __component: 'blocks.quote' } & PartInput<ComponentBlocksQuote>) | ({ __component: 'blocks.links' } & PartInput<ComponentBlocksLinks>))[];
    publishedAt?: string | Date | null;
  };
  required: never;
}

/** api::setting.setting */
export interface Setting {
  kind: 'single';
  drafts: false;
  fields: {
    siteName: string;
    tagline: string | null;
    maintenance: boolean | null;
    createdAt: string;
    updatedAt: string;
  };
  populate: {
    footerLinks: Parts<ComponentSharedLink>;
  };
  input: {
    siteName?: string;
    tagline?: string | null;
    footerLinks?: readonly PartInput<ComponentSharedLink>[];
    maintenance?: boolean | null;
  };
  required: 'siteName';
}

/** api::tag.tag */
export interface Tag {
  kind: 'collection';
  drafts: false;
  fields: {
    name: string;
    slug: string | null;
    createdAt: string;
    updatedAt: string;
  };
  keys: 'name' | 'slug';
  populate: {
    articles: Many<Article>;
  };
  input: {
    name?: string;
    slug?: string | null;
    articles?: RelationInput;
  };
  required: 'name';
}

/** plugin::upload.file */
export interface UploadFile {
  kind: 'collection';
  drafts: false;
  fields: {
    name: string;
    alternativeText: string | null;
    caption: string | null;
    width: number | null;
    height: number | null;
    formats: FileFormats | null;
    hash: string;
    ext: string | null;
    mime: string;
    size: number;
    url: string;
    previewUrl: string | null;
    provider: string;
    provider_metadata: Json | null;
    createdAt: string;
    updatedAt: string;
  };
  populate: {};
  input: {};
  required: never;
}

/** shared.seo */
export interface ComponentSharedSeo {
  kind: 'component';
  drafts: false;
  fields: {
    metaTitle: string;
    metaDescription: string | null;
    noIndex: boolean | null;
  };
  populate: {};
  input: {
    id?: number;
    metaTitle?: string;
    metaDescription?: string | null;
    noIndex?: boolean | null;
  };
  required: 'metaTitle';
}

/** shared.link */
export interface ComponentSharedLink {
  kind: 'component';
  drafts: false;
  fields: {
    label: string;
    url: string | null;
    external: boolean | null;
  };
  populate: {};
  input: {
    id?: number;
    label?: string;
    url?: string | null;
    external?: boolean | null;
  };
  required: 'label';
}

/** blocks.text */
export interface ComponentBlocksText {
  kind: 'component';
  drafts: false;
  fields: {
    heading: string | null;
    content: string;
  };
  populate: {};
  input: {
    id?: number;
    heading?: string | null;
    content?: string;
  };
  required: 'content';
}

/** blocks.quote */
export interface ComponentBlocksQuote {
  kind: 'component';
  drafts: false;
  fields: {
    text: string;
  };
  populate: {
    source: One<Author>;
  };
  input: {
    id?: number;
    text?: string;
    source?: RelationInput;
  };
  required: 'text';
}

/** blocks.links */
export interface ComponentBlocksLinks {
  kind: 'component';
  drafts: false;
  fields: {
    heading: string | null;
  };
  populate: {
    links: Parts<ComponentSharedLink>;
  };
  input: {
    id?: number;
    heading?: string | null;
    links?: readonly PartInput<ComponentSharedLink>[];
  };
  required: never;
}

/** By their names in the REST API. */
export interface ContentTypes {
  articles: Article;
  authors: Author;
  categories: Category;
  homepage: Homepage;
  setting: Setting;
  tags: Tag;
}
