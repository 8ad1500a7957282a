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

/** The value of an attribute at any depth of the entry. */
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
  /** Undefined if the zone has no such component. */
  readonly component: Component | undefined;
}

/** A referenced id. */
export interface HeldLink {
  readonly path: string;
  readonly target: ContentType;
  readonly id: number;
  /** Whether it must be in the references of the entry. */
  readonly referred: boolean;
}

/** The content of a stored entry as flat lists, for the rules. */
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
  /** Fields that should not exist. */
  readonly unexpectedFields: Finding[];
}

/** Whether entries can have a locale and localizations without attributes for them. */
export const hasLocaleFields = ({ pluginOptions, attributes }: ContentType): boolean =>
  asksForLocales(pluginOptions) && !attributes.has('locale');
