import { editorOptionsOf } from './editor-options.js';
import { isLocalized, targetsOf, type AttributeDefinition, type DefinedModel, type Definition } from './models.js';
import { withTypeOptions, type TypeOptions } from './type-options.js';

type Models = readonly DefinedModel[];

/** Each side of a relation, by what the other is. */
export const otherSides = {
  manyToOne: 'oneToMany',
  oneToMany: 'manyToOne',
  manyToMany: 'manyToMany',
  oneToOne: 'oneToOne',
} as const;

export type RelationKind = keyof typeof otherSides;

const replace = (models: Models, uid: string, change: (definition: Definition) => Definition): Models =>
  models.map((model) => (model.uid === uid ? { ...model, definition: change(model.definition) } : model));

/** Adds an attribute, or replaces the options of one, which keeps its place. */
export const setAttribute = (models: Models, uid: string, name: string, attribute: AttributeDefinition): Models =>
  replace(models, uid, (definition) => ({
    ...definition,
    attributes: { ...definition.attributes, [name]: attribute },
  }));

/** The attributes of a model in another order. */
export const orderAttributes = (models: Models, uid: string, names: readonly string[]): Models =>
  replace(models, uid, (definition) => ({
    ...definition,
    attributes: Object.fromEntries(names.map((name) => [name, definition.attributes[name] as AttributeDefinition])),
  }));

/**
 * Puts an attribute in the place of one that has no stored values yet, under the same name or another, which conditions
 * and uids follow.
 * @param add adds it to models without the former one
 */
export function replaceAttribute(
  models: Models,
  uid: string,
  former: string,
  name: string,
  add: (models: Models) => Models,
): Models {
  const names = (list: Models): readonly string[] =>
    Object.keys(list.find((model) => model.uid === uid)?.definition.attributes ?? {});
  const followed = replace(models, uid, (definition) => asking(definition, former, name));
  const added = add(removeAttribute(followed, uid, former));
  const position = names(models).indexOf(former);
  const others = names(added).filter((other) => other !== name);
  return orderAttributes(added, uid, others.toSpliced(position, 0, name));
}

/** A definition whose conditions and uids ask for another attribute instead; undefined: for none. */
function asking(definition: Definition, former: string, name: string | undefined): Definition {
  const changed = Object.entries(definition.attributes).map(([own, attribute]) => {
    const { condition } = editorOptionsOf(attribute['pluginOptions']);
    const options = attribute['pluginOptions'] as { readonly editor: { readonly condition: object } };
    const followed =
      attribute['targetField'] === former && name !== undefined ? { ...attribute, targetField: name } : attribute;
    if (condition.attribute !== former) return [own, followed] as const;
    const { condition: asked, ...editor } = options.editor;
    const next = name === undefined ? editor : { ...editor, condition: { ...asked, attribute: name } };
    return [own, { ...followed, pluginOptions: { ...options, editor: next } }] as const;
  });
  return { ...definition, attributes: Object.fromEntries(changed) };
}

/** A definition without an attribute, and without the compound indexes and conditions that ask for it. */
function without(complete: Definition, name: string): Definition {
  const definition = asking(complete, name, undefined);
  const { attributes, options } = definition;
  const indexes = options?.['indexes'] as readonly object[] | undefined;
  return {
    ...definition,
    ...(indexes && { options: { ...options, indexes: indexes.filter((index) => !Object.hasOwn(index, name)) } }),
    attributes: Object.fromEntries(Object.entries(attributes).filter(([other]) => other !== name)),
  };
}

/** Removes an attribute, and the other side of a relation; that of a morph belongs to other types too, and stays. */
export function removeAttribute(models: Models, uid: string, name: string): Models {
  const attribute = models.find((model) => model.uid === uid)?.definition.attributes[name];
  const removed = replace(models, uid, (definition) => without(definition, name));
  if (attribute?.type !== 'relation' || attribute['morphBy'] !== undefined) return removed;
  const { uids, otherSide } = targetsOf(attribute);
  const [target] = uids;
  if (target === undefined || otherSide === undefined) return removed;
  return replace(removed, target, (definition) => without(definition, otherSide));
}

/** Removes a model, with the attributes of others that lead to it; dynamic zones keep their other components. */
export const removeModel = (models: Models, uid: string): Models =>
  models.map((model) => {
    if (model.uid === uid) return { ...model, isRemoved: true };
    let { definition } = model;
    for (const [name, attribute] of Object.entries(definition.attributes)) {
      const { uids } = targetsOf(attribute);
      if (!uids.includes(uid)) continue;
      const components = uids.filter((component) => component !== uid);
      definition =
        attribute.type === 'dynamiczone'
          ? { ...definition, attributes: { ...definition.attributes, [name]: { ...attribute, components } } }
          : without(definition, name);
    }
    return { ...model, definition };
  });

/**
 * The models after a change of those that are shown: the removed ones stay among them until their files are deleted.
 */
export const withRemoved = (former: Models, shown: Models): Models => [
  ...shown,
  ...former.filter(({ uid, isRemoved }) => isRemoved === true && !shown.some((model) => model.uid === uid)),
];

/** What a new relation is made of. */
export interface NewRelation {
  readonly relation: RelationKind;
  readonly target: string;
  /** The name of the attribute of the target that is its other side; empty: there is none. */
  readonly otherSide: string;
}

/** Adds a relation, with both of its sides. The side of one entry stores the relation, of equal sides this one. */
export function addRelation(
  models: Models,
  uid: string,
  name: string,
  { relation, target, otherSide }: NewRelation,
  options: Readonly<Record<string, unknown>> = {},
): Models {
  const one = { type: 'relation', relation, target };
  if (otherSide === '') return setAttribute(models, uid, name, { ...one, ...options });
  const [own, other] =
    relation === 'oneToMany' ? (['mappedBy', 'inversedBy'] as const) : (['inversedBy', 'mappedBy'] as const);
  const added = setAttribute(models, uid, name, { ...one, [own]: otherSide, ...options });
  return setAttribute(added, target, otherSide, {
    type: 'relation',
    relation: otherSides[relation],
    target: uid,
    [other]: name,
  });
}

/** `Blog post` as `blog-post`. */
export const kebabOf = (name: string): string =>
  name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^[-\d]+|-+$/g, '');

/** The plural of most English nouns. */
export function pluralOf(noun: string): string {
  if (noun === '') return '';
  if (/[^aeiou]y$/.test(noun)) return `${noun.slice(0, -1)}ies`;
  return /(?:s|x|z|ch|sh)$/.test(noun) ? `${noun}es` : `${noun}s`;
}

export interface NewType {
  readonly displayName: string;
  readonly singularName: string;
  readonly pluralName: string;
  readonly kind: 'collectionType' | 'singleType';
  readonly options: TypeOptions;
}

/** A content type without attributes. */
export function newType({ kind, options, ...info }: NewType): DefinedModel {
  const { singularName, pluralName, displayName } = info;
  return {
    uid: `api::${singularName}.${singularName}`,
    definition: {
      kind,
      collectionName: pluralName.replaceAll('-', '_'),
      info: { singularName, pluralName, displayName },
      options: withTypeOptions({}, options),
      pluginOptions: options.localized ? { i18n: { localized: true } } : {},
      attributes: {},
    },
  };
}

/** A component without attributes. */
export const newComponent = (category: string, displayName: string): DefinedModel => ({
  uid: `${category}.${kebabOf(displayName)}`,
  definition: {
    collectionName: `components_${category}_${pluralOf(kebabOf(displayName))}`.replaceAll('-', '_'),
    info: { displayName },
    options: {},
    attributes: {},
  },
});

/** Whether values, or entries, differ from language to language. */
export function localize(pluginOptions: unknown, localized: boolean): Definition['pluginOptions'] {
  const former = pluginOptions as Definition['pluginOptions'];
  if (localized === isLocalized(former)) return former;
  const { i18n, ...others } = former ?? {};
  return localized ? { ...former, i18n: { ...(i18n as object | undefined), localized } } : others;
}

/** Changes a model except for its attributes. */
export const setFrame = (models: Models, uid: string, frame: Omit<Definition, 'attributes'>): Models =>
  replace(models, uid, (definition) => ({ ...definition, ...frame }));

export interface DefinitionChange {
  readonly uid: string;
  readonly version: string | null;
  /** Null: it is deleted. */
  readonly definition: Definition | null;
}

/** The definitions that are new, differ or are to be deleted, for the service. */
export const changesBetween = (stored: Models, edited: Models): readonly DefinitionChange[] =>
  edited.flatMap(({ uid, definition, version, isRemoved }): readonly DefinitionChange[] => {
    if (isRemoved === true) return version === undefined ? [] : [{ uid, version, definition: null }];
    const former = stored.find((model) => model.uid === uid);
    if (former !== undefined && JSON.stringify(former.definition) === JSON.stringify(definition)) return [];
    // The version that was edited: the file may have been read again since, with changes of others.
    return [{ uid, version: version ?? null, definition }];
  });
