/** What the client must know of a content type or component; `content-service types` makes these. */
export interface Model {
  readonly kind: 'collection' | 'single' | 'component';
  /** The entries may be drafts. */
  readonly drafts: boolean;
  /** Plain values, as they are answered. An entry that was published has those that are required; a draft may lack them. */
  readonly fields: object;
  /** The names of those that an entry of a collection can be found by. */
  readonly keys?: string;
  /** What `populate` adds. */
  readonly populate: object;
  /** What can be written. */
  readonly input: object;
  /** The names of what must be written first. */
  readonly required: string;
}

/** A value that JSON can hold. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

/** A smaller size of an image. */
export interface FileFormat {
  readonly name: string;
  readonly hash: string;
  readonly ext: string;
  readonly mime: string;
  readonly path: string | null;
  readonly width: number;
  readonly height: number;
  /** In kilobytes. */
  readonly size: number;
  readonly url: string;
}

/** The smaller sizes of an image by their names; an image has those only that are smaller than itself. */
export interface FileFormats {
  readonly thumbnail?: FileFormat;
  readonly small?: FileFormat;
  readonly medium?: FileFormat;
  readonly large?: FileFormat;
  /** Of the plugin's setting `breakpoints`. */
  readonly [name: string]: FileFormat | undefined;
}

/** A relation to one entry. */
export interface One<M> {
  readonly kind: 'one';
  readonly of: M;
}
/** A relation to a list. */
export interface Many<M> {
  readonly kind: 'many';
  readonly of: M;
}
/** A list of files. */
export interface Files<M> {
  readonly kind: 'files';
  readonly of: M;
}
/** A component. */
export interface Part<M> {
  readonly kind: 'part';
  readonly of: M;
}
/** A list of components. */
export interface Parts<M> {
  readonly kind: 'parts';
  readonly of: M;
}
/** A dynamic zone: its components by uid. */
export interface Zone<Z> {
  readonly kind: 'zone';
  readonly of: Z;
}
/** A relation to entries of any type. */
export interface Anything {
  readonly kind: 'anything';
  readonly of: never;
}

type Linked = number | { readonly id: number };
/** What a relation or media field can be written with: what replaces the linked entries, or what changes. */
export type RelationInput =
  | Linked
  | readonly Linked[]
  | { readonly set: readonly Linked[] }
  | { readonly connect?: readonly Linked[]; readonly disconnect?: readonly Linked[] }
  | null;

/** A component's values to write, with what is required; `id` is that of one that is kept. */
export type PartInput<M extends Model> = M['input'] &
  Required<Pick<M['input'], Extract<M['required'], keyof M['input']>>>;
