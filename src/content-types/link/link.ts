import { StartError } from '../../errors/start-error.js';
import { adminUser, DOCUMENT_ID, isInternal, isOfService, systemAttributes } from '../model/system-attributes.js';
import { checkNames, replacedNames } from './check-names.js';
import { wellKnownCustomFields } from '../load/custom-fields.js';
import type { AttributeDefinition, Defined, Definitions } from '../model/definition.js';
import { linkAttribute } from './link-attribute.js';
import type { Linkage } from './linkage.js';
import { suggestion } from '../../errors/nearest-name.js';
import { outlineComponent, outlineContentType, type ContentTypeOutline, type Outline } from '../load/outline.js';
import { reportTo, type Report } from '../load/report.js';
import { findOtherSides } from './other-sides.js';
import { sqlite } from '../model/dialects.js';
import type { QueryParameter, Registry, ScalarAttribute, ScalarType, Component } from '../model/types.js';
import { allowedComponents } from '../model/walk.js';

interface LinkOptions {
  /** The types of custom fields, e.g. `{ 'plugin::color-picker.color': 'string' }`, in addition to well-known ones. */
  readonly customFields?: Readonly<Record<string, ScalarType>>;
  /** Receives a line with file and path for each contradiction that lenient definitions may have. */
  readonly warn?: (line: string) => void;
  /** Attributes that plugins add, by the uid of the content type; they come last. */
  readonly additions?: ReadonlyMap<string, Readonly<Record<string, AttributeDefinition>>>;
  /** The parameters that plugins add to queries. */
  readonly parameters?: readonly QueryParameter[];
  /** See `Common`. */
  readonly documentIds?: boolean;
  readonly workingCopies?: boolean;
  readonly uniquePerLocale?: boolean;
  readonly sharedParts?: boolean;
}

/**
 * Links definitions to the model that the service works with: names become references, defaults are filled in, the
 * system attributes and `admin::user` are added.
 * @throws StartError with a line for each error: file, path and message
 */
export function link(
  definitions: Definitions,
  {
    customFields = {},
    additions = new Map(),
    parameters = [],
    documentIds = false,
    workingCopies = false,
    uniquePerLocale = false,
    sharedParts = false,
    warn = () => undefined,
  }: LinkOptions = {},
): Registry {
  const mistakes: string[] = [];
  const warnings: string[] = [];
  const { lenient = false, dialect = sqlite } = definitions;
  const reports = ({ file, text }: Defined<unknown>): readonly [Report, Report] => [
    reportTo(mistakes, file, text),
    reportTo(lenient ? warnings : mistakes, file, text),
  ];
  const contentTypes = [adminUser, ...definitions.contentTypes].map((defined) =>
    outlineContentType(
      defined,
      { parameters, dialect, documentIds, workingCopies, uniquePerLocale, sharedParts },
      ...reports(defined),
    ),
  );
  const components = definitions.components.map((defined) => outlineComponent(defined, ...reports(defined)));
  checkNames(contentTypes, components, lenient);

  const typesByUid = new Map(contentTypes.map(({ schema }) => [schema.uid, schema]));
  const linkage: Linkage = {
    outlines: new Map([...contentTypes, ...components].map((outline) => [outline.schema.uid, outline])),
    contentTypes: typesByUid,
    morphTargets: new Map([...typesByUid].filter(([uid]) => !isInternal(uid))),
    components: new Map(components.map(({ schema }) => [schema.uid, schema])),
    customFields: { ...wellKnownCustomFields, ...customFields },
    otherSideOf: findOtherSides(contentTypes),
    dialect,
    lenient,
  };
  const add = (name: string, definition: AttributeDefinition, outline: Outline): void => {
    const attribute = linkAttribute(name, definition, outline, linkage);
    if (attribute !== undefined) outline.linked.set(name, attribute);
  };
  for (const outline of [...contentTypes, ...components]) {
    const { schema, attributes, warn: warnOf } = outline;
    const replaced = replacedNames(schema);
    for (const [name, definition] of attributes) {
      if (!replaced.has(name)) add(name, definition, outline);
      // Otherwise the name is refused.
      else if (lenient) warnOf(`attributes.${name}`, 'is replaced by that of every entry, as in Strapi v4');
    }
  }
  for (const outline of contentTypes) {
    const { schema } = outline;
    const added = { ...systemAttributes(schema), ...additions.get(schema.uid) };
    for (const [name, definition] of Object.entries(added)) add(name, definition, outline);
    checkIndexes(outline);
    addDocumentId(outline);
  }
  checkComponentCycles(linkage);

  for (const line of warnings) warn(line);
  if (mistakes.length > 0) throw new StartError(mistakes.join('\n'));
  return { contentTypes: linkage.contentTypes, components: linkage.components, dialect };
}

/** Nothing beside the attributes of a type may have their names. */
function addDocumentId({ schema, linked, report }: ContentTypeOutline): void {
  const { documentId } = schema;
  if (documentId === undefined) return;
  if (linked.has(DOCUMENT_ID))
    report(`attributes.${DOCUMENT_ID}`, 'has the name of the id that a plugin gives all entries; rename it');
  const documentAttributes = new Map([...linked, [DOCUMENT_ID, documentId]]);
  const { updatedAt, publishedAt } = Object.fromEntries(linked);
  if (publishedAt === undefined && updatedAt?.kind === 'scalar')
    documentAttributes.set('publishedAt', { ...updatedAt, alias: { of: updatedAt, name: 'publishedAt' } });
  // What Strapi v4 does not have at all is null in a format that has it.
  for (const [name, attribute] of linked)
    if (attribute.kind === 'scalar' && attribute.omitsNull === true) documentAttributes.set(name, withNull(attribute));
  // What no other service has, such as what the editor keeps of a user, is no column to code.
  const columns = [...documentAttributes].filter(([, attribute]) => !isOfService(attribute));
  const documentColumns = new Map(
    linked.has('locale') ? columns : [...columns, ['locale', { ...documentId, name: 'locale' }]],
  );
  Object.assign(schema, { documentAttributes, documentColumns });
}

function withNull(attribute: ScalarAttribute): ScalarAttribute {
  const { omitsNull: _, ...shown } = attribute;
  return { ...shown, alias: { of: attribute, name: attribute.name } };
}

/** System fields that an index may include. */
const indexable = ['id', 'locale'];

function checkIndexes({ schema, attributes, linked, report }: ContentTypeOutline): void {
  const indexableNames = new Set([...attributes.keys(), ...linked.keys(), ...indexable]);
  for (const [position, keys] of schema.indexes.entries()) {
    for (const name of Object.keys(keys)) {
      if (!indexableNames.has(name))
        report(`options.indexes[${position}].${name}`, `is not an attribute${suggestion(name, indexableNames)}`);
    }
  }
}

/** Reports components that contain themselves, at any depth. Strapi v4 crashes at its start (strapi/strapi#16089). */
function checkComponentCycles({ components, outlines }: Linkage): void {
  const finished = new Set<Component>();

  const visit = (component: Component, trail: readonly Component[]): void => {
    if (finished.has(component)) return;
    for (const attribute of component.attributes.values())
      for (const next of allowedComponents(attribute)) {
        if (!trail.includes(next)) visit(next, [...trail, next]);
        else {
          const path = [...trail.slice(trail.indexOf(next)), next].map(({ uid }) => uid).join(' > ');
          outlines
            .get(component.uid)
            ?.report(`attributes.${attribute.name}`, `makes a component contain itself: ${path}`);
        }
      }
    finished.add(component);
  };

  for (const component of components.values()) visit(component, [component]);
}
