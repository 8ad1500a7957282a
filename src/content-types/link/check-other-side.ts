import type { AttributeDefinition } from '../model/definition.js';
import { UNLINKED, type OtherSide } from './other-sides.js';
import type { DeclaredAttribute, Linkage } from './linkage.js';
import { wrongName } from '../model/nearest-name.js';
import type { RelationAttribute } from '../model/types.js';

type Relation = RelationAttribute['relation'];

/** The valid other side of a relation. Source: Strapi v4's relation metadata. */
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

/**
 * Reports a relation with `inversedBy` or `mappedBy` whose other side is missing or does not lead back. Of a Strapi v4
 * project, that
 * is a warning where Strapi starts: see `findOtherSides`.
 */
export function checkOtherSide(relation: Relation, declared: DeclaredAttribute, linkage: Linkage): void {
  const { outlines } = linkage;
  const { owner, base, options, report, warn } = declared;
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
    if (inversedBy !== undefined && mappedBy !== undefined)
      return 'cannot be combined with inversedBy; keep one of them';
    if (side === impossibleSide[relation]) return `cannot be in a ${relation}; use ${otherSide}`;
    if (other === undefined) return wrongName(otherName, `attribute of "${target}"`, attributes.keys());
    if (other.type !== 'relation') return `"${otherName}" of "${target}" is not a relation`;
    if (other['target'] !== uid) return `"${otherName}" of "${target}" does not refer back to "${uid}"`;
    if (other['relation'] !== expected) return `"${otherName}" of "${target}" must be a ${expected}`;
    if (other[otherSide] === base.name) return undefined;
    return `"${otherName}" of "${target}" must have "${otherSide}": "${base.name}"`;
  })();
  if (rule === undefined) return;
  // Strapi only checks that the attribute of `inversedBy` exists.
  if (linkage.lenient && (side === 'mappedBy' || other?.type === 'relation')) {
    warn(side, `${rule}: ${describe(linkage.otherSideOf(owner.schema.uid, base.name), target)}`);
  } else report(side, rule);
}

/** How a relation is served whose declaration contradicts another one. */
function describe({ side, inverse }: OtherSide, target: string): string {
  if (inverse === UNLINKED) return 'it is empty, as in Strapi v4';
  if (inverse === undefined) return 'it is served as a one-way relation, as in Strapi v4';
  return `it is ${side === 'owner' ? 'paired with' : 'the other side of'} "${inverse}" of "${target}", as in Strapi v4`;
}
