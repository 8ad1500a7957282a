import type { attributeOptions } from './attribute-rules.js';
import type { Outline } from '../load/outline.js';
import type { Options } from '../load/read-options.js';
import type { Report } from '../load/report.js';
import type { findOtherSides } from './other-sides.js';
import type { Dialect } from '../model/dialects.js';
import type { Attribute, Component, ContentType, ScalarType } from '../model/types.js';

/** The content types and components that attributes refer to, by uid. They may still be empty shells. */
export interface Linkage {
  readonly outlines: ReadonlyMap<string, Outline>;
  readonly contentTypes: ReadonlyMap<string, ContentType>;
  /** Those that morph relations can refer to. */
  readonly morphTargets: ReadonlyMap<string, ContentType>;
  readonly components: ReadonlyMap<string, Component>;
  readonly customFields: Readonly<Record<string, ScalarType>>;
  readonly dialect: Dialect;
  readonly otherSideOf: ReturnType<typeof findOtherSides>;
  /** Contradictions that Strapi v4 starts with are warnings. */
  readonly lenient: boolean;
}

/** An attribute whose options are read, ready to be linked. */
export interface DeclaredAttribute {
  readonly owner: Outline;
  readonly options: Options<typeof attributeOptions>;
  readonly default: unknown;
  readonly base: Pick<
    Attribute,
    'name' | 'required' | 'private' | 'writable' | 'pluginOptions' | 'isHidden' | 'editor'
  >;
  /** Reports a mistake; the path begins at the attribute. */
  readonly report: Report;
  /** Warns about declarations that are served in another way. */
  readonly warn: Report;
}

/** Links an attribute; undefined after an error, which it reports. */
export type Linker<A extends Attribute = Attribute> = (declared: DeclaredAttribute, linkage: Linkage) => A | undefined;
