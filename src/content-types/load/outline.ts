import lodash from 'lodash';
import { isRecord } from '../../config/record.js';
import type { AttributeDefinition, ComponentDefinition, ContentTypeDefinition, Defined } from '../model/definition.js';
import { componentTable, readEditorOptions, typeTable } from './read-editor.js';
import { mustBe, readOptions, type Options } from './read-options.js';
import type { Report } from './report.js';
import * as shapes from '../model/settings-schema.js';
import { copiesIn, trashIn } from '../model/stored-types.js';
import { documentIdAttribute } from '../model/system-attributes.js';
import type { Attribute, Component, ContentType } from '../model/types.js';
import type { Model } from '../model/walk.js';

/** A definition whose frame is parsed; its attributes still refer to each other by name. */
export interface Outline<M extends Model = Model> {
  readonly schema: M;
  /** The attributes of the schema, which are added when all schemas exist. */
  readonly linked: Map<string, Attribute>;
  readonly file: string;
  readonly privateAttributes: readonly string[];
  readonly attributes: ReadonlyMap<string, AttributeDefinition>;
  readonly report: Report;
  readonly warn: Report;
}

export type ContentTypeOutline = Outline<ContentType>;
export type ComponentOutline = Outline<Component>;

const frame = { info: shapes.record, attributes: shapes.record };
const contentTypeFrame = {
  ...frame,
  kind: shapes.oneOf('collectionType', 'singleType'),
  collectionName: shapes.collectionName,
  options: shapes.record,
  pluginOptions: shapes.record,
};
const texts = { displayName: shapes.string, description: shapes.string };
const componentFrame = { ...frame, pluginOptions: shapes.record };
const info = { ...texts, singularName: shapes.kebabName, pluralName: shapes.kebabName };
export const strapiOptions = {
  draftAndPublish: shapes.boolean,
  populateCreatorFields: shapes.boolean,
  privateAttributes: shapes.strings,
};
/** A key of the service; files of Strapi projects can use it for another purpose. */
export const ownOptions = {
  indexes: shapes.indexes,
  cacheControl: shapes.cacheControl,
  workingCopies: shapes.boolean,
  trash: shapes.positive,
};

/** What all content types of a service have in common. */
export interface Common extends Pick<ContentType, 'parameters' | 'dialect'> {
  /** Entries have a `documentId`. */
  readonly documentIds: boolean;
  /** Entries of the project's types with drafts can have working copies, whatever their definitions say. */
  readonly workingCopies: boolean;
  /** Unique values are unique in each locale. */
  readonly uniquePerLocale: boolean;
  /** Localizations share components, zones and files. */
  readonly sharedParts: boolean;
}

/** Parses the frame of a content type. Defaults are those of Strapi v4. */
export function outlineContentType(
  { uid, file, definition }: Defined<ContentTypeDefinition>,
  { parameters, dialect, documentIds, workingCopies, uniquePerLocale, sharedParts }: Common,
  report: Report,
  warn: Report,
): ContentTypeOutline {
  const parsed = readOptions({ ...definition }, contentTypeFrame, '', report);
  const names = readOptions(parsed.info ?? {}, info, 'info.', report);
  const chosen = readOptions(parsed.options ?? {}, strapiOptions, 'options.', report);
  const { indexes = [], cacheControl, ...own } = readOptions(parsed.options ?? {}, ownOptions, 'options.', warn);
  const { draftAndPublish = false, populateCreatorFields = false } = chosen;
  const singularName = names.singularName ?? '';
  for (const name of ['singularName', 'pluralName']) {
    if ((parsed.info?.[name] ?? null) === null) report(`info.${name}`, 'is missing');
  }
  const linked = new Map<string, Attribute>();
  const schema: ContentType = {
    kind: parsed.kind ?? 'collectionType',
    uid,
    displayName: names.displayName ?? singularName,
    description: names.description,
    singularName,
    pluralName: names.pluralName ?? '',
    collectionName: parsed.collectionName ?? defaultCollection(uid, singularName),
    draftAndPublish,
    populateCreatorFields,
    indexes,
    cacheControl,
    pluginOptions: parsed.pluginOptions ?? {},
    parameters,
    dialect,
    attributes: linked,
    ...linkEditor(parsed.pluginOptions, typeTable, warn),
    ...(documentIds && !uid.startsWith(ADMIN) && { documentId: documentIdAttribute(dialect) }),
    ...(uniquePerLocale && { isUniquePerLocale: true }),
    ...(sharedParts && { sharesParts: true }),
  };
  const rule = ruleOfCopies(schema);
  if (rule === undefined && (workingCopies || own.workingCopies === true))
    Object.assign(schema, { copies: copiesOf(schema), ...(own.workingCopies === true && { hasStatus: true }) });
  else if (rule !== undefined && own.workingCopies === true) warn('options.workingCopies', rule);
  if (own.trash !== undefined) {
    if (isOfProject(uid) || uid === FILE) Object.assign(schema, { trash: { type: trashOf(schema), days: own.trash } });
    else warn('options.trash', OF_PROJECT);
  }
  const attributes = outlineAttributes(parsed, report);
  return { schema, linked, file, privateAttributes: chosen.privateAttributes ?? [], attributes, report, warn };
}

/** Why entries of a type cannot have working copies; undefined: they can. */
function ruleOfCopies({ uid, draftAndPublish }: ContentType): string | undefined {
  if (!isOfProject(uid)) return OF_PROJECT;
  return draftAndPublish ? undefined : 'needs draftAndPublish: only published entries have working copies';
}

const OWN = 'api::';
const isOfProject = (uid: string): boolean => uid.startsWith(OWN);
/** Of the types of plugins, only files are deleted by people who may want them back. */
const FILE = 'plugin::upload.file';
/** Its entries are for nobody but the service. */
const ADMIN = 'admin::';
const OF_PROJECT = 'is for content types of the project';

/**
 * The hidden type of the working copies of a type. It shares its attributes: their ids are those of entries, never
 * those of copies.
 */
const copiesOf = (schema: ContentType): ContentType => ({
  ...schema,
  uid: `copy::${schema.uid.slice(OWN.length)}`,
  collectionName: copiesIn(schema.collectionName),
  copyOf: schema,
});

/** The hidden type of the deleted entries of a type. */
const trashOf = (schema: ContentType): ContentType => ({
  ...lodash.omit(schema, 'copies'),
  uid: `trash::${isOfProject(schema.uid) ? schema.uid.slice(OWN.length) : schema.uid}`,
  collectionName: trashIn(schema.collectionName),
  trashOf: schema,
});

export function outlineComponent(
  { uid, file, definition }: Defined<ComponentDefinition>,
  report: Report,
  warn: Report,
): ComponentOutline {
  const parsed = readOptions({ ...definition }, componentFrame, '', report);
  const { displayName = uid, description } = readOptions(parsed.info ?? {}, texts, 'info.', report);
  const { icon } = readOptions(parsed.info ?? {}, { icon: shapes.string }, 'info.', warn);
  const attributes = outlineAttributes(parsed, report);
  const linked = new Map<string, Attribute>();
  const editor = linkEditor(parsed.pluginOptions, componentTable, warn);
  const schema = { kind: 'component', uid, displayName, description, icon, ...editor, attributes: linked } as const;
  return { schema, linked, file, privateAttributes: [], attributes, report, warn };
}

/** What a definition says to the editor. In a Strapi project mistakes are warnings, as in those of attributes. */
function linkEditor(
  pluginOptions: Readonly<Record<string, unknown>> | undefined,
  table: typeof typeTable | typeof componentTable,
  warn: Report,
): Pick<Model, 'editor'> {
  const editor = readEditorOptions(pluginOptions ?? {}, table, warn);
  return editor === undefined ? {} : { editor };
}

function outlineAttributes(parsed: Options<typeof frame>, report: Report): Outline['attributes'] {
  if (parsed.attributes === undefined) report('attributes', 'must be an object of attributes by name');
  const attributes = new Map<string, AttributeDefinition>();
  for (const [name, attribute] of Object.entries(parsed.attributes ?? {})) {
    if (!isRecord(attribute)) report(`attributes.${name}`, mustBe(attribute, shapes.record));
    else if (typeof attribute['type'] !== 'string') report(`attributes.${name}.type`, 'must be an attribute type');
    else attributes.set(name, { ...attribute, type: attribute['type'] });
  }
  return attributes;
}

/** Source: Strapi v4 names the table of a type without `collectionName` so. */
function defaultCollection(uid: string, singularName: string): string {
  const plugin = /^plugin::([^.]+)\./.exec(uid)?.[1];
  return plugin === undefined ? singularName : `${plugin}_${singularName}`.toLowerCase();
}
