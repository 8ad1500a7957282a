import { scalarTypes, type ScalarType } from './attribute-types.js';

/** The description of the content that the service sends to the editor: what the user may read and write. */
export interface Content {
  readonly contentTypes: readonly ContentType[];
  readonly components: readonly Component[];
  readonly locales: readonly Locale[];
  /** The origins of sites whose pages the editor shows in a frame. */
  readonly frames: readonly string[];
  readonly files: {
    readonly find: boolean;
    readonly upload: boolean;
    readonly destroy: boolean;
    /** The maximum size of a file, in bytes. */
    readonly limit?: number;
    /** For how many days deleted files are kept; absent: they are not, or not for the user. */
    readonly trash?: number;
  };
  /** Folders of files; all false where the service has no routes for them. */
  readonly folders: Readonly<Record<'find' | 'create' | 'update' | 'delete', boolean>>;
  readonly tokens: { readonly find: boolean; readonly create: boolean; readonly delete: boolean };
  /** What the user may do with their own account. */
  readonly account: { readonly me: boolean; readonly changePassword: boolean; readonly preferences: Preferences };
  /** Whether the user may see how all content types are defined, and change that. */
  readonly definitions: { readonly find: boolean; readonly build: boolean };
  /** Whether the user may read who did what, and the service keeps that. */
  readonly readsAudit: boolean;
  /** Whether the user may add and remove locales, and choose the default one. */
  readonly replacesLocales: boolean;
  /** Files of the project declare the locales, so that nobody can replace them here. */
  readonly declaresLocales: boolean;
  /** The roles whose permissions a file of the project declares, by what configuration calls them. */
  readonly declaredRoles: readonly string[];
}

/** What the account of the user keeps for the editor, by name. */
export type Preferences = Readonly<Record<string, unknown>>;

export interface Locale {
  readonly code: string;
  readonly name: string;
  readonly isDefault: boolean;
}

export type Action = 'find' | 'findOne' | 'create' | 'update' | 'delete' | 'createLocalization';

export interface ContentType {
  readonly uid: string;
  readonly kind: 'collectionType' | 'singleType';
  /** `Article`. */
  readonly entryName: string;
  /** `Articles`. */
  readonly listName: string;
  /** What it is for. */
  readonly description?: string;
  /** Below the path of the API, e.g. `articles`. */
  readonly path: string;
  /** Its entries are records without an envelope: users and roles. */
  readonly plain: boolean;
  readonly draftAndPublish: boolean;
  /** The user may write drafts, but not see them. */
  readonly hidesDrafts?: true;
  readonly localized: boolean;
  /** What is saved of a published entry is prepared beside it, until it is published. */
  readonly workingCopies?: true;
  /** For how many days what is deleted can be restored. */
  readonly trash?: number;
  /** The user may see what its entries were after former writes. */
  readonly versions?: true;
  /** The user may ask to publish its entries, or is asked. */
  readonly review?: true;
  /** The form of an entry says that it is open, and shows who else has it open. */
  readonly presence?: true;
  readonly actions: readonly Action[];
  /** The address of an entry in the site, with names of attributes in braces. */
  readonly preview?: string;
  readonly attributes: readonly Attribute[];
}

export interface Component {
  readonly uid: string;
  readonly displayName: string;
  /** What it is for. */
  readonly description?: string;
  /** The name of its picture. */
  readonly icon?: string;
  readonly attributes: readonly Attribute[];
}

/** What has to hold of another attribute of the same entry or component; it has one of the tests. */
export interface Condition {
  readonly attribute: string;
  readonly equals?: string | number | boolean;
  readonly not?: string | number | boolean;
  readonly in?: readonly (string | number | boolean)[];
  readonly isSet?: boolean;
}

interface AttributeBase {
  readonly name: string;
  /** What it is called, in the language of the user. */
  readonly label: string;
  /** What it is for. */
  readonly description?: string;
  /** Without it the value is hidden, and may still be replaced. */
  readonly read: boolean;
  /** No answer of the content API has it, but its form shows it. */
  readonly private?: true;
  readonly create: boolean;
  readonly update: boolean;
  readonly required: boolean;
  /** All localizations of an entry have the same value. */
  readonly shared?: boolean;
  /** Where its definition wants it in the form. */
  readonly panel?: 'main' | 'side';
  /** The heading of the group that it belongs to. */
  readonly section?: string;
  /** Its share of the width of the form. */
  readonly width?: 'third' | 'half' | 'full';
  /** When a form shows it; absent: always. */
  readonly condition?: Condition;
}

export interface ScalarAttribute extends AttributeBase {
  readonly type: ScalarType;
  readonly unique: boolean;
  readonly default?: unknown;
  readonly min?: number | string;
  readonly max?: number | string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly regex?: string;
  /** What values look like that the regular expression accepts, in words. */
  readonly message?: string;
  /** What its field shows while it is empty. */
  readonly placeholder?: string;
  /** Those of an enumeration. */
  readonly values?: readonly string[];
  /** The attribute that a `uid` is generated from. */
  readonly targetField?: string;
  /** What that is called. */
  readonly targetLabel?: string;
  /** The service does that for new entries, if the `uid` is empty. */
  readonly generated?: boolean;
}

export interface RelationAttribute extends AttributeBase {
  readonly type: 'relation';
  readonly multiple: boolean;
  /** The uids of content types. */
  readonly targets: readonly string[];
  /** The type of the target is part of the value. */
  readonly morph: boolean;
  /** The order of the entries is not stored. */
  readonly unordered?: boolean;
  /** A related entry belongs to one entry at most: another one takes it. */
  readonly exclusive?: boolean;
  /** The related entries store it: it is the other side of a relation of theirs. */
  readonly inverse?: boolean;
}

export interface MediaAttribute extends AttributeBase {
  readonly type: 'media';
  readonly multiple: boolean;
  /** Allowed kinds of files, e.g. `images`; absent: all. */
  readonly kinds?: readonly string[];
}

export interface PartsAttribute extends AttributeBase {
  readonly type: 'component' | 'dynamiczone';
  readonly multiple: boolean;
  /** The uids of allowed components. */
  readonly components: readonly string[];
  readonly min?: number;
  readonly max?: number;
}

export type Attribute = ScalarAttribute | RelationAttribute | MediaAttribute | PartsAttribute;

/** A content type or a component. */
export interface Model {
  readonly uid: string;
  readonly attributes: readonly Attribute[];
}

export const USER = 'plugin::users-permissions.user';
export const ROLE = 'plugin::users-permissions.role';

/** Whether lists and forms show its entries; roles have pages of their own. */
export const isListed = ({ uid }: Pick<ContentType, 'uid'>): boolean => uid !== ROLE;

export const isParts = (attribute: Attribute): attribute is PartsAttribute =>
  attribute.type === 'component' || attribute.type === 'dynamiczone';

export const isScalar = (attribute: Attribute): attribute is ScalarAttribute =>
  !isParts(attribute) && attribute.type !== 'relation' && attribute.type !== 'media';

/** The system sets these; forms show them beside the values. */
const systemNames: ReadonlySet<string> = new Set([
  'createdAt',
  'updatedAt',
  'publishedAt',
  'createdBy',
  'updatedBy',
  'locale',
]);

/** The attributes that a form shows, in the order of the definition. */
export const formAttributes = ({ attributes }: Model): readonly Attribute[] =>
  attributes.filter(({ name }) => !systemNames.has(name));

/** Attributes of a form, under a heading if they have one. */
export interface Section {
  readonly heading: string | undefined;
  readonly attributes: readonly Attribute[];
}

/** Whether a form shows the stored value, and not only a field to replace it. */
export const isReadInForm = ({ read, private: isPrivate }: Attribute): boolean => read || isPrivate === true;

/** The attributes that a form shows: not those that the user can neither read nor set. */
export const shownAttributes = (model: Model, isNew: boolean): readonly Attribute[] =>
  formAttributes(model).filter(({ read, create, update }) => read || (isNew ? create : update));

/**
 * Where a form shows its attributes: as their definitions say. By default it has what is written in the middle, and
 * beside that what an entry is related to, its files, and what search engines show of it.
 * @param isOffered whether its condition holds
 */
export function layoutOf(
  model: Model,
  isNew: boolean,
  isOffered: (attribute: Attribute) => boolean = () => true,
): Readonly<Record<'main' | 'side', readonly Section[]>> {
  const shown = shownAttributes(model, isNew).filter((attribute) => isOffered(attribute));
  const main = shown.filter((attribute) => panelOf(attribute) === 'main');
  if (main.length === 0) return { main: sectionsOf(shown), side: [] };
  return { main: sectionsOf(main), side: sectionsOf(shown.filter((attribute) => !main.includes(attribute))) };
}

function panelOf(attribute: Attribute): 'main' | 'side' {
  if (attribute.panel !== undefined) return attribute.panel;
  if (attribute.type === 'relation' || attribute.type === 'media') return 'side';
  const names = attribute.type === 'component' ? [attribute.name, ...attribute.components] : [];
  return names.some((name) => /\bseo$/i.test(name)) ? 'side' : 'main';
}

/** The sections in the order in which they begin, after that without a heading. */
const sectionsOf = (attributes: readonly Attribute[]): readonly Section[] =>
  [undefined, ...new Set(attributes.flatMap(({ section }) => section ?? []))]
    .map((heading) => ({ heading, attributes: attributes.filter(({ section }) => section === heading) }))
    .filter((section) => section.attributes.length > 0);

export function componentOf(content: Pick<Content, 'components'>, uid: string): Component {
  const component = content.components.find((other) => other.uid === uid);
  if (component === undefined) throw new Error(`Unknown component ${uid}`);
  return component;
}

export const typeOf = (content: Content, uid: string): ContentType | undefined =>
  content.contentTypes.find((type) => type.uid === uid);

/** What an attribute of a content type or a component is called. */
export const labelIn = ({ attributes }: Pick<Model, 'attributes'>, name: string): string =>
  attributes.find((attribute) => attribute.name === name)?.label ?? labelOf(name);

/** `metaTitle` as `Meta title`: what is called nothing else. */
export function labelOf(name: string): string {
  const words = name.replaceAll(/[_-]+/g, ' ').replaceAll(/([a-z\d])([A-Z])/g, '$1 $2');
  return (
    words.charAt(0).toUpperCase() + words.slice(1).replaceAll(/\b[A-Z](?=[a-z])/g, (letter) => letter.toLowerCase())
  );
}

/** Whether the user decides about when an entry is published. */
export function mayPublish({ draftAndPublish, attributes }: ContentType, isNew: boolean): boolean {
  const attribute = attributes.find(({ name }) => name === 'publishedAt');
  return draftAndPublish && attribute?.[isNew ? 'create' : 'update'] === true;
}

const preferredTitles = ['title', 'name', 'displayName', 'label', 'heading', 'username', 'subject', 'slug', 'email'];
/** The attribute that names an entry or a component; undefined if none does. */
export function titleAttribute({ attributes }: Model): ScalarAttribute | undefined {
  const usable = attributes.filter(
    (attribute): attribute is ScalarAttribute =>
      isScalar(attribute) && attribute.read && scalarTypes[attribute.type].title,
  );
  const own = usable.filter(({ name }) => !systemNames.has(name));
  return preferredTitles.flatMap((name) => own.find((attribute) => attribute.name === name) ?? [])[0] ?? own[0];
}

export const defaultLocale = ({ locales }: Content): string =>
  (locales.find(({ isDefault }) => isDefault) ?? locales[0])?.code ?? 'en';
