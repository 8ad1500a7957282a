import type { Registry } from '../../content-types/model/types.js';
import { StartError } from '../../errors/start-error.js';
import type { ShadowAction, ShadowRule } from '../../plugins/contract/graphql/parts.js';

type FieldPart = 'input' | 'output' | 'filters';
type TypePart = 'type' | 'queries' | 'mutations' | ShadowAction;

const every = ['find', 'findOne', 'create', 'update', 'delete'] as const satisfies readonly ShadowAction[];
const fieldParts = ['input', 'output', 'filters'] as const satisfies readonly FieldPart[];

/**
 * Which parts of a content type or component are generated: Strapi v4's `shadowCRUD(uid)`. All parts are enabled by
 * default.
 */
export class ShadowedType {
  readonly off = new Set<TypePart>();
  readonly fields = new Map<string, ShadowedField>();

  readonly isEnabled = (): boolean => !this.off.has('type');
  readonly isDisabled = (): boolean => this.off.has('type');
  readonly areQueriesEnabled = (): boolean => !this.off.has('queries');
  readonly areQueriesDisabled = (): boolean => this.off.has('queries');
  readonly areMutationsEnabled = (): boolean => !this.off.has('mutations');
  readonly areMutationsDisabled = (): boolean => this.off.has('mutations');
  readonly isActionEnabled = (action: ShadowAction): boolean => !this.off.has(action);
  readonly isActionDisabled = (action: ShadowAction): boolean => this.off.has(action);
  /** Removes the type and all references to it from the API. */
  readonly disable = (): this => this.#without(['type']);
  readonly disableQueries = (): this => this.#without(['queries']);
  readonly disableMutations = (): this => this.#without(['mutations']);
  readonly disableAction = (action: ShadowAction | '*'): this => this.disableActions([action]);
  /** `*` stands for all of them. */
  readonly disableActions = (actions: readonly (ShadowAction | '*')[]): this =>
    this.#without(actions.flatMap((action) => (action === '*' ? every : action)));
  readonly field = (name: string): ShadowedField => {
    const field = this.fields.get(name) ?? new ShadowedField();
    this.fields.set(name, field);
    return field;
  };

  #without(parts: readonly TypePart[]): this {
    for (const part of parts) this.off.add(part);
    return this;
  }
}

/** The parts of the API that are generated for an attribute. */
class ShadowedField {
  readonly off = new Set<FieldPart>();

  readonly isEnabled = (): boolean => this.off.size < fieldParts.length;
  readonly hasInputEnabled = (): boolean => !this.off.has('input');
  readonly hasOutputEnabled = (): boolean => !this.off.has('output');
  readonly hasFiltersEnabled = (): boolean => !this.off.has('filters');
  /** The spelling of Strapi v4, which has no other. */
  readonly hasFiltersEnabeld = this.hasFiltersEnabled;
  readonly disable = (): this => this.#without(fieldParts);
  readonly disableInput = (): this => this.#without(['input']);
  readonly disableOutput = (): this => this.#without(['output']);
  readonly disableFilters = (): this => this.#without(['filters']);

  #without(parts: readonly FieldPart[]): this {
    for (const part of parts) this.off.add(part);
    return this;
  }
}

/** The disabled parts. */
export function createShadowCrud() {
  const shadowed = new Map<string, ShadowedType>();
  return {
    isUsed: (): boolean => shadowed.size > 0,
    typeOf: (uid: string): ShadowedType => {
      const type = shadowed.get(uid) ?? new ShadowedType();
      shadowed.set(uid, type);
      return type;
    },
    /** @throws StartError naming unknown types, attributes and actions */
    rules: ({ contentTypes, components }: Registry): readonly ShadowRule[] =>
      [...shadowed].flatMap(([uid, { off: parts, fields }]): readonly ShadowRule[] => {
        const type = contentTypes.get(uid) ?? components.get(uid);
        if (type === undefined) throw new StartError(`shadowCRUD('${uid}'): unknown content type or component`);
        for (const [field, { off }] of fields) {
          // Code asks for all attributes that Strapi has, e.g. createdBy.
          if (off.size > 0 && field !== 'id' && !type.attributes.has(field))
            throw new StartError(`shadowCRUD('${uid}').field('${field}'): unknown attribute`);
        }
        return [
          ...[...parts].map((part): ShadowRule => ({ uid, without: part })),
          ...[...fields].flatMap(([field, { off }]) =>
            [...off].map((part): ShadowRule => ({ uid, field, without: part })),
          ),
        ];
      }),
  };
}
