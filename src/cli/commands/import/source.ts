import type { ContentTypeDefinition } from '../../../content-types/model/definition.js';
import type { Workspace } from '../../../mongo/maintenance/import-workspace.js';

type Data = Readonly<Record<string, unknown>>;

/** Where something stands in a source, for messages. */
export interface Where {
  readonly file: string;
  readonly line: number;
}

/** One thing that a source holds. */
export type Item =
  /** A content type or a component, as its definition file says it. */
  | {
      readonly kind: 'schema';
      readonly uid: string;
      readonly component: boolean;
      readonly definition: Pick<ContentTypeDefinition, 'attributes' | 'options' | 'pluginOptions' | 'kind'>;
    }
  | { readonly kind: 'entry'; readonly where: Where; readonly type: string; readonly id: number; readonly data: Data }
  /** One entry leads to another; components have ids of their own kind. */
  | { readonly kind: 'link'; readonly where: Where; readonly left: LinkEnd; readonly right: LinkEnd }
  | {
      readonly kind: 'file';
      readonly name: string;
      readonly size: number;
      readonly modified: Date;
      /** What is not read of it is passed over. */
      readonly content: AsyncIterable<Uint8Array>;
    }
  | { readonly kind: 'setting'; readonly key: string; readonly value: unknown }
  /** What cannot be read. */
  | { readonly kind: 'broken'; readonly where: Where; readonly rule: string };

/** One side of a link: `left` is the one that Strapi stores the relation with. */
export interface LinkEnd {
  readonly type: string;
  readonly id: number;
  /** The attribute on this side; undefined where it has none. */
  readonly field: string | undefined;
  /** The place in the order of this side. */
  readonly place: number | undefined;
}

/** What is imported from: it can be read from the beginning as often as it is needed. */
export interface Source {
  /** For people, e.g. `an archive of Strapi 4`. */
  readonly description: string;
  /** How much one reading is, and of what. */
  readonly size: number;
  readonly unit: 'bytes' | 'collections';
  /** Everything in it, one after the other; `tell` hears how much of it is read. */
  read(onProgress: (bytes: number) => void, workspace: Workspace): AsyncIterable<Item>;
}
