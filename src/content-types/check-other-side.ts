import type { AttributeDefinition } from './definition.js';
import type { DeclaredAttribute, Linkage } from './linkage.js';
import { unknownName } from './nearest-name.js';
import type { RelationAttribute } from './types.js';

type Relation = RelationAttribute['relation'];

/** What the other side of a relation must be. Source: Strapi v4's relation metadata. */
const otherRelation: Readonly<Record<Relation, Relation>> = {
  oneToOne: 'oneToOne',
  oneToMany: 'manyToOne',
  manyToOne: 'oneToMany',
  manyToMany: 'manyToMany',
};

/** The side that a kind of relation cannot be on when it has two sides: ids are stored where one id suffices. */
const impossibleSide: Readonly<Partial<Record<Relation, 'inversedBy' | 'mappedBy'>>> = {
  oneToMany: 'inversedBy',
  manyToOne: 'mappedBy',
};

/** Reports a relation with `inversedBy` or `mappedBy` whose other side is missing or does not lead back. */
export function checkOtherSide(relation: Relation, declared: DeclaredAttribute, { outlines }: Linkage): void {
  const { owner, base, options, report } = declared;
  const { uid } = owner.schema;
  const { inversedBy, mappedBy, target = '' } = options;
  const side = mappedBy === undefined ? 'inversedBy' : 'mappedBy';
  const otherSide = side === 'mappedBy' ? 'inversedBy' : 'mappedBy';
  const otherName = mappedBy ?? inversedBy;
  if (otherName === undefined) return;

  const attributes = outlines.get(target)?.attributes ?? new Map<string, AttributeDefinition>();
  const other = attributes.get(otherName);
  const expected = otherRelation[relation];
  const rule = ((): string | undefined => {
    if (owner.schema.kind === 'component') return 'cannot be in a component: its relations are one-way';
    if (inversedBy !== undefined && mappedBy !== undefined) return 'cannot stand beside inversedBy; keep one of them';
    if (side === impossibleSide[relation]) return `cannot be in a ${relation}; use ${otherSide}`;
    if (other === undefined) return unknownName(otherName, `attribute of "${target}"`, attributes.keys());
    if (other.type !== 'relation') return `"${otherName}" of "${target}" is no relation`;
    if (other['target'] !== uid) return `"${otherName}" of "${target}" does not lead back to "${uid}"`;
    if (other['relation'] !== expected) return `"${otherName}" of "${target}" must be a ${expected}`;
    if (other[otherSide] === base.name) return undefined;
    return `"${otherName}" of "${target}" must have "${otherSide}": "${base.name}"`;
  })();
  if (rule !== undefined) report(side, rule);
}
