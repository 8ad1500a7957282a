import type { Data } from '../../../config/record.js';
import type { ContentTypeDefinition } from '../../../content-types/model/definition.js';
import type { Workspace } from '../../../mongo/maintenance/import-workspace.js';

/** The place of an item in a source, for messages. */
export interface Where {
  readonly file: string;
  readonly line: number;
}

/** A content type or a component, as in its definition file. */
export interface SchemaItem {
  readonly kind: 'schema';
  readonly uid: string;
  readonly component: boolean;
  readonly definition: Pick<ContentTypeDefinition, 'attributes' | 'options' | 'pluginOptions' | 'kind'>;
}

export interface EntryItem {
  readonly kind: 'entry';
  readonly where: Where;
  readonly type: string;
  readonly id: number;
  readonly data: Data;
  /** The row of Strapi 5 that is the draft of it; absent: there is none beside it. */
  readonly draft?: Pick<EntryItem, 'where' | 'id' | 'data'>;
}

/** One entry leads to another; components have ids of their own kind. */
export interface LinkItem {
  readonly kind: 'link';
  readonly where: Where;
  readonly left: LinkEnd;
  readonly right: LinkEnd;
}

export interface FileItem {
  readonly kind: 'file';
  readonly name: string;
  readonly size: number;
  readonly modified: Date;
  /** Unread content is skipped. */
  readonly content: AsyncIterable<Uint8Array>;
}

export type Item =
  | SchemaItem
  | EntryItem
  | LinkItem
  | FileItem
  | { readonly kind: 'setting'; readonly key: string; readonly value: unknown }
  /** An unreadable item. */
  | { readonly kind: 'broken'; readonly where: Where; readonly rule: string };

/** One side of a link: `left` is the side on which Strapi stores the relation. */
export interface LinkEnd {
  readonly type: string;
  readonly id: number;
  /** The attribute on this side; undefined if there is none. */
  readonly field: string | undefined;
  /** The place in the order of this side. */
  readonly place: number | undefined;
}

/** The source of an import; it can be read repeatedly. */
export interface Source {
  /** For people, e.g. `an archive of Strapi 4`. */
  readonly description: string;
  /** The size of one pass, and its unit. */
  readonly size: number;
  readonly unit: 'bytes' | 'collections';
  /** Its values come from SQLite, PostgreSQL or MySQL, and had the rules of one of them. */
  readonly hasSqlRules: boolean;
  /**
   * Its entries are rows of Strapi 5: the rows of a documentId and a locale are a draft and what is published of it.
   */
  readonly hasRows: boolean;
  /** All items in order; `onProgress` receives the amount that has been read. */
  read(onProgress: (bytes: number) => void, workspace: Workspace): AsyncIterable<Item>;
}

/** The settings of an archive that are used here: the others can be any number. */
export const USER_SETTINGS = 'plugin_users-permissions_advanced';
export const DEFAULT_LOCALE = 'plugin_i18n_default_locale';
export const usedSettings: ReadonlySet<string> = new Set([USER_SETTINGS, DEFAULT_LOCALE]);
