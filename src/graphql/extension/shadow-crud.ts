import type { Registry } from '../../content-types/model/types.js';
import { StartError } from '../../errors/start-error.js';
import type { ShadowAction, ShadowRule } from '../../plugins/contract/graphql/parts.js';

/** Which parts of a content type or component are generated: Strapi v4's `shadowCRUD(uid)`. All parts are enabled by default. */
export interface ShadowedType {
  isEnabled(): boolean;
  isDisabled(): boolean;
  areQueriesEnabled(): boolean;
  areQueriesDisabled(): boolean;
  areMutationsEnabled(): boolean;
  areMutationsDisabled(): boolean;
  isActionEnabled(action: ShadowAction): boolean;
  isActionDisabled(action: ShadowAction): boolean;
  /** Removes the type and all references to it from the API. */
  disable(): ShadowedType;
  disableQueries(): ShadowedType;
  disableMutations(): ShadowedType;
  /** `*` stands for all of them. */
  disableAction(action: ShadowAction | '*'): ShadowedType;
  disableActions(actions: readonly (ShadowAction | '*')[]): ShadowedType;
  field(name: string): ShadowedField;
}

/** The parts of the API that are generated for an attribute. */
export interface ShadowedField {
  isEnabled(): boolean;
  hasInputEnabled(): boolean;
  hasOutputEnabled(): boolean;
  hasFiltersEnabled(): boolean;
  /** The spelling of Strapi v4, which has no other. */
  hasFiltersEnabeld(): boolean;
  disable(): ShadowedField;
  disableInput(): ShadowedField;
  disableOutput(): ShadowedField;
  disableFilters(): ShadowedField;
}

type FieldPart = 'input' | 'output' | 'filters';
type TypePart = 'type' | 'queries' | 'mutations' | ShadowAction;

const every = ['find', 'findOne', 'create', 'update', 'delete'] as const satisfies readonly ShadowAction[];
const fieldParts = ['input', 'output', 'filters'] as const satisfies readonly FieldPart[];

interface Disabled {
  readonly parts: Set<TypePart>;
  readonly fields: Map<string, Set<FieldPart>>;
}

/** The disabled parts. */
export function createShadowCrud() {
  const disabled = new Map<string, Disabled>();
  return {
    isUsed: (): boolean => disabled.size > 0,
    typeOf: (uid: string): ShadowedType => {
      const parts = disabled.get(uid) ?? { parts: new Set(), fields: new Map() };
      disabled.set(uid, parts);
      return shadowOf(parts);
    },
    /** @throws StartError naming unknown types, attributes and actions */
    rules: ({ contentTypes, components }: Registry): readonly ShadowRule[] =>
      [...disabled].flatMap(([uid, { parts: disabledParts, fields }]): readonly ShadowRule[] => {
        const type = contentTypes.get(uid) ?? components.get(uid);
        if (type === undefined) throw new StartError(`shadowCRUD('${uid}'): unknown content type or component`);
        for (const [field, off] of fields) {
          // Code asks for all attributes that Strapi has, e.g. createdBy.
          if (off.size > 0 && field !== 'id' && !type.attributes.has(field))
            throw new StartError(`shadowCRUD('${uid}').field('${field}'): unknown attribute`);
        }
        return [
          ...[...disabledParts].map((part): ShadowRule => ({ uid, without: part })),
          ...[...fields].flatMap(([field, off]) => [...off].map((part): ShadowRule => ({ uid, field, without: part }))),
        ];
      }),
  };
}

function shadowOf({ parts: off, fields }: Disabled): ShadowedType {
  const disable = (part: TypePart): ShadowedType => {
    off.add(part);
    return type;
  };
  const type: ShadowedType = {
    isEnabled: () => !off.has('type'),
    isDisabled: () => off.has('type'),
    areQueriesEnabled: () => !off.has('queries'),
    areQueriesDisabled: () => off.has('queries'),
    areMutationsEnabled: () => !off.has('mutations'),
    areMutationsDisabled: () => off.has('mutations'),
    isActionEnabled: (action) => !off.has(action),
    isActionDisabled: (action) => off.has(action),
    disable: () => disable('type'),
    disableQueries: () => disable('queries'),
    disableMutations: () => disable('mutations'),
    disableAction: (action) => type.disableActions([action]),
    disableActions: (actions) => {
      for (const action of actions.includes('*') ? every : actions) if (action !== '*') disable(action);
      return type;
    },
    field: (name) => {
      const disabledParts = fields.get(name) ?? new Set();
      fields.set(name, disabledParts);
      return fieldOf(disabledParts);
    },
  };
  return type;
}

function fieldOf(off: Set<FieldPart>): ShadowedField {
  const disable = (...added: readonly FieldPart[]): ShadowedField => {
    for (const part of added) off.add(part);
    return field;
  };
  const field: ShadowedField = {
    isEnabled: () => off.size < fieldParts.length,
    hasInputEnabled: () => !off.has('input'),
    hasOutputEnabled: () => !off.has('output'),
    hasFiltersEnabled: () => !off.has('filters'),
    hasFiltersEnabeld: () => !off.has('filters'),
    disable: () => disable(...fieldParts),
    disableInput: () => disable('input'),
    disableOutput: () => disable('output'),
    disableFilters: () => disable('filters'),
  };
  return field;
}
