import type { Document } from 'mongodb';
import { asksForLocales } from '../../../content-types/model/localized.js';
import type {
  Attribute,
  Component,
  ComponentAttribute,
  ContentType,
  MorphAttribute,
  RelationAttribute,
  ScalarAttribute,
  ZoneAttribute,
} from '../../../content-types/model/types.js';
import type { Finding } from './violation.js';

/** The value of an attribute, wherever in the entry it stands. */
export interface Held<A extends Attribute = Attribute> {
  readonly path: string;
  readonly attribute: A;
  readonly value: unknown;
  /** The uid of the component around it. */
  readonly around: string | undefined;
}

interface HeldComponent {
  readonly path: string;
  readonly attribute: ComponentAttribute | ZoneAttribute;
  readonly value: unknown;
  /** Undefined when the zone has no such component. */
  readonly component: Component | undefined;
}

/** An id that the entry leads to. */
export interface HeldLink {
  readonly path: string;
  readonly target: ContentType;
  readonly id: number;
  /** It belongs into `_refs`. */
  readonly referred: boolean;
}

/** All that a stored entry holds, laid out flat: what the rules look at. */
export interface Scan {
  readonly type: ContentType;
  readonly document: Document;
  readonly scalars: Held<ScalarAttribute>[];
  readonly relations: Held<RelationAttribute>[];
  readonly morphs: Held<MorphAttribute>[];
  /** Components and zones as wholes. */
  readonly embedded: Held<ComponentAttribute | ZoneAttribute>[];
  readonly components: HeldComponent[];
  readonly links: HeldLink[];
  /** What should not be there. */
  readonly strays: Finding[];
}

/** May entries have a locale and other languages, without attributes for them? */
export const hasLocaleFields = ({ pluginOptions, attributes }: ContentType): boolean =>
  asksForLocales(pluginOptions) && !attributes.has('locale');
