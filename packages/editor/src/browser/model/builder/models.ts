/** The options of an attribute, as its definition has them. */
export interface AttributeDefinition {
  readonly type: string;
  readonly [option: string]: unknown;
}

/** A definition as its file has it; keys that the editor does not know stay in it. */
export interface Definition {
  readonly kind?: 'collectionType' | 'singleType';
  readonly collectionName?: string;
  readonly info: {
    readonly singularName?: string;
    readonly pluralName?: string;
    readonly displayName?: string;
    readonly description?: string;
    readonly icon?: string;
  };
  readonly options?: {
    readonly draftAndPublish?: boolean;
    readonly workingCopies?: boolean;
    readonly trash?: number;
    readonly [option: string]: unknown;
  };
  readonly pluginOptions?: Readonly<Record<string, unknown>>;
  readonly attributes: Readonly<Record<string, AttributeDefinition>>;
}

/** A content type or a component of the project. */
export interface DefinedModel {
  /** `api::article.article`, or for components `shared.seo`. */
  readonly uid: string;
  readonly definition: Definition;
  /** Of its file, where that can be changed; null: it has none yet. */
  readonly version?: string | null;
  /** It is to be deleted, and nothing shows it any more. */
  readonly isRemoved?: true;
}

export const isComponent = ({ uid }: Pick<DefinedModel, 'uid'>): boolean => !uid.includes('::');

export const nameOf = ({ uid, definition: { info } }: DefinedModel): string =>
  info.displayName ?? info.singularName ?? uid;

/** The group that a component belongs to: `shared` of `shared.seo`. */
export const categoryOf = ({ uid }: Pick<DefinedModel, 'uid'>): string => uid.slice(0, Math.max(0, uid.indexOf('.')));

/** Components by their categories, in the order of the names of both. */
export const byCategory = (components: readonly DefinedModel[]): readonly DefinedModel[] =>
  byName(components).toSorted((left, right) => categoryOf(left).localeCompare(categoryOf(right)));

/**
 * What names of new attributes match, as a pattern of a field.
 * @param own the name that it has already
 */
export function newName(model: DefinedModel | undefined, own?: string): string {
  const taken = Object.keys(model?.definition.attributes ?? {}).filter((name) => name !== own);
  return `(?!(?:${taken.join('|')})$)[A-Za-z][A-Za-z0-9_]*`;
}

/** Whether files have an attribute as it is, but for its rules: its values may be stored. */
export function isWritten(stored: readonly DefinedModel[], uid: string, name: string, type: string): boolean {
  return stored.find((model) => model.uid === uid)?.definition.attributes[name]?.type === type;
}

export const byName = (models: readonly DefinedModel[]): readonly DefinedModel[] =>
  models.toSorted((left, right) => nameOf(left).localeCompare(nameOf(right)));

/** Whether entries, or the values of an attribute, differ from language to language. */
export function isLocalized(pluginOptions: unknown): boolean {
  const i18n = (pluginOptions as { readonly i18n?: { readonly localized?: boolean } } | undefined)?.i18n;
  return i18n?.localized === true;
}

/** What the table of attributes shows as rules, in this order. */
const rules = ['required', 'unique', 'private', 'minLength', 'maxLength', 'min', 'max', 'regex', 'default', 'enum', 'targetField', 'repeatable', 'multiple', 'allowedTypes'] as const; // prettier-ignore

export type Rule = (typeof rules)[number];

/** The rules that are set; those with nothing but their name have no value. */
export const rulesOf = (attribute: AttributeDefinition): readonly (readonly [rule: Rule, value: string])[] =>
  rules.flatMap((rule) => {
    const value = attribute[rule];
    if (value === undefined || value === null || (value === false && rule !== 'default')) return [];
    if (value === true && rule !== 'default') return [[rule, ''] as const];
    const shown = Array.isArray(value) ? value.join(', ') : typeof value === 'string' ? value : JSON.stringify(value);
    return [[rule, shown] as const];
  });

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/**
 * Where an attribute leads: the uids of types or components, and for a relation the attribute that is its other side.
 */
export function targetsOf(attribute: AttributeDefinition): {
  readonly uids: readonly string[];
  readonly otherSide: string | undefined;
} {
  const { target, component, components, inversedBy, mappedBy, morphBy } = attribute;
  const uids = [text(target), text(component), ...(Array.isArray(components) ? components.map(text) : [])];
  return { uids: uids.flatMap((uid) => uid ?? []), otherSide: text(inversedBy) ?? text(mappedBy) ?? text(morphBy) };
}

/** The attributes of all models that lead to one, e.g. those that use a component. */
export const usesOf = (
  models: readonly DefinedModel[],
  uid: string,
): readonly { readonly model: DefinedModel; readonly name: string }[] =>
  models.flatMap((model) =>
    Object.entries(model.definition.attributes)
      .filter(([, attribute]) => targetsOf(attribute).uids.includes(uid))
      .map(([name]) => ({ model, name })),
  );
