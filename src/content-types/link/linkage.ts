import type { attributeOptions } from './attribute-rules.js';
import type { Outline } from '../load/outline.js';
import type { Options } from '../load/read-options.js';
import type { Report } from '../load/report.js';
import type { findOtherSides } from './other-sides.js';
import type { Attribute, Component, ContentType, ScalarType } from '../model/types.js';

/** All that attributes may refer to, by uid. The types and components may be empty shells as yet. */
export interface Linkage {
  readonly outlines: ReadonlyMap<string, Outline>;
  readonly contentTypes: ReadonlyMap<string, ContentType>;
  readonly components: ReadonlyMap<string, Component>;
  readonly customFields: Readonly<Record<string, ScalarType>>;
  readonly otherSideOf: ReturnType<typeof findOtherSides>;
  /** Contradictions that Strapi v4 starts with are warnings. */
  readonly lenient: boolean;
}

/** An attribute whose options are read, ready to be linked. */
export interface DeclaredAttribute {
  readonly owner: Outline;
  readonly options: Options<typeof attributeOptions>;
  readonly default: unknown;
  readonly base: Pick<Attribute, 'name' | 'required' | 'private' | 'writable' | 'pluginOptions'>;
  /** Reports a mistake; the path begins at the attribute. */
  readonly report: Report;
  /** Warns of what is served in another way than it is declared. */
  readonly warn: Report;
}

/** Links an attribute; undefined when a mistake, which it reports, leaves nothing to link. */
export type Linker<A extends Attribute = Attribute> = (declared: DeclaredAttribute, linkage: Linkage) => A | undefined;
