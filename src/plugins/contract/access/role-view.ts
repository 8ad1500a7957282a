import type { Attribute, Attributes, Component, ContentType, Registry } from '../../../content-types/model/types.js';
import { unknownName } from '../../../errors/nearest-name.js';
import type { Caller } from '../../../documents/caller.js';
import { isOwnType } from '../../../documents/listings.js';
import { isOtherSideWithheld } from '../../../documents/input/permitted-data.js';
import { canReadRelation } from '../../../documents/rights.js';
import { AppError } from '../../../errors/app-error.js';
import { grantDrafts, rulesOfDrafts, type Access, type Permissions, type Rules } from './access.js';

/** The content types as a role sees them, and what it may do. */
interface RoleView {
  readonly registry: Registry;
  readonly may: Caller['may'];
}

/** @param role one that `access.json` declares @throws AppError application */
export function viewOfRole(registry: Registry, access: Access | undefined, role: string): RoleView {
  const { roles = [] } = access ?? {};
  const declared = roles.find(({ type }) => type === role);
  if (declared !== undefined) return viewOf(registry, declared);
  const names = roles.map(({ type }) => type);
  throw new AppError('application', `access.json: ${unknownName(role, 'role', names)}`);
}

/**
 * The content types as one caller finds them: what rules withhold is private, what it may not write is not writable,
 * and relations to types that it may not list are not there. Of its own types those without a permission are left out.
 */
function viewOf(registry: Registry, declared: Permissions): RoleView {
  const held = { ...declared, permissions: new Set(declared.permissions) };
  const { permissions, rules } = grantDrafts(held, rulesOfDrafts(registry.contentTypes.values()));
  const may = (action: string): boolean => permissions.has(action);
  const models = [...registry.contentTypes.values(), ...registry.components.values()];
  const shells = new Map(models.map((model) => [model, { ...model, attributes: new Map<string, Attribute>() }]));
  const shown = <M extends ContentType | Component>(model: M): M => shells.get(model) as unknown as M;
  const caller = { kind: 'user', may } as const;
  for (const [model, shell] of shells) {
    const { attributes } = shell;
    const { isWithheld, isWritable } = limitsOf(model, may, rules);
    for (const attribute of model.attributes.values()) {
      if (!canReadRelation(attribute, caller)) continue;
      const seen = { private: attribute.private || isWithheld(attribute), writable: isWritable(attribute) };
      attributes.set(attribute.name, { ...linked(attribute, shown), ...seen });
    }
    if (model.kind !== 'component' && model.documentAttributes !== undefined)
      Object.assign(shell, { documentAttributes: documentAttributesOf(model, model.documentAttributes, attributes) });
  }
  const isUsed = (type: ContentType): boolean =>
    !isOwnType(type) || [...permissions].some((action) => action.startsWith(`${type.uid}.`));
  return {
    may,
    registry: {
      contentTypes: new Map(
        [...registry.contentTypes].flatMap(([uid, type]) => (isUsed(type) ? [[uid, shown(type)]] : [])),
      ),
      components: new Map([...registry.components].map(([uid, component]) => [uid, shown(component)])),
      dialect: registry.dialect,
    },
  };
}

/** Those of a format with documents: each that is an attribute, too, is as the caller finds that. */
function documentAttributesOf(model: ContentType, all: Attributes, seen: Attributes): Attributes {
  const shown = [...all].flatMap(([name, attribute]): readonly (readonly [string, Attribute])[] => {
    const own = seen.get(name);
    if (own === undefined) return model.attributes.has(name) ? [] : [[name, attribute]];
    if (attribute.kind !== 'scalar') return [[name, own]];
    return [[name, { ...attribute, private: own.private, writable: own.writable }]];
  });
  return new Map(shown);
}

interface Limits {
  readonly isWithheld: (attribute: Attribute) => boolean;
  readonly isWritable: (attribute: Attribute) => boolean;
}

/** The attributes that no permission of the caller shows, and those that one of them writes. */
function limitsOf(model: ContentType | Component, may: Caller['may'], rules: Rules): Limits {
  const { uid } = model;
  if (model.kind === 'component' || !isOwnType(model)) {
    const withheld = rules.get(`${uid}.find`)?.withheld;
    return { isWithheld: (attribute) => withheld?.has(attribute) === true, isWritable: ({ writable }) => writable };
  }
  const granted = (names: readonly string[]): readonly (ReadonlySet<Attribute> | undefined)[] =>
    names.map((name) => `${uid}.${name}`).flatMap((action) => (may(action) ? [rules.get(action)?.withheld] : []));
  const [reads, writes] = [granted(['find', 'findOne']), granted(['create', 'update'])];
  const caller = { withheld: (action: string) => rules.get(action)?.withheld };
  return {
    isWithheld: (attribute) => reads.length > 0 && reads.every((withheld) => withheld?.has(attribute) === true),
    isWritable: (attribute) =>
      attribute.writable &&
      writes.some((withheld) => withheld?.has(attribute) !== true) &&
      !isOtherSideWithheld(attribute, caller),
  };
}

/** An attribute that leads to the content types and components as they are shown. */
function linked(attribute: Attribute, shown: <M extends ContentType | Component>(model: M) => M): Attribute {
  const all = <M extends ContentType | Component>(models: ReadonlyMap<string, M>): ReadonlyMap<string, M> =>
    new Map([...models].map(([uid, model]) => [uid, shown(model)]));
  switch (attribute.kind) {
    case 'relation':
    case 'morphed':
      return { ...attribute, target: shown(attribute.target) };
    case 'component':
      return { ...attribute, component: shown(attribute.component) };
    case 'zone':
      return { ...attribute, components: all(attribute.components) };
    case 'morph':
      return { ...attribute, candidates: all(attribute.candidates) };
    case 'scalar':
      return attribute;
    default:
      return attribute satisfies never;
  }
}
