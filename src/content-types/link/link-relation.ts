import type { Linkage, Linker, DeclaredAttribute } from './linkage.js';
import { type OtherSide, UNLINKED } from './other-sides.js';
import { wrongName } from '../../errors/nearest-name.js';
import type { ContentType, MorphAttribute, MorphedAttribute, RelationAttribute } from '../model/types.js';
import type { AttributeDefinition } from '../model/definition.js';

const FILE = 'plugin::upload.file';

const linkPlain =
  (relation: RelationAttribute['relation']): Linker<RelationAttribute> =>
  (declared, linkage) => {
    const { base, owner } = declared;
    const target = findTarget(declared, linkage);
    if (target === undefined) return undefined;
    checkOtherSide(relation, declared, linkage);
    const { side, inverse } = linkage.otherSideOf(owner.schema.uid, base.name);
    return {
      ...base,
      kind: 'relation',
      relation,
      target,
      many: relation === 'oneToMany' || relation === 'manyToMany',
      side,
      ...(inverse !== undefined && { inverse }),
      media: false,
    };
  };

const linkMorph =
  (many: boolean): Linker<MorphAttribute> =>
  (declared, linkage) => ({
    ...declared.base,
    kind: 'morph',
    many,
    candidates: linkage.morphTargets,
  });

const linkMorphed =
  (many: boolean): Linker<MorphedAttribute> =>
  (declared, linkage) => {
    const { base, options, owner, report } = declared;
    const target = findTarget(declared, linkage);
    if (target === undefined) return undefined;
    const morphs = morphsOf(target, linkage);
    const { morphBy = '' } = options;
    if (owner.schema.kind === 'component')
      report('relation', 'cannot be in a component: a morph relation refers to entries');
    else if (!morphs.includes(morphBy)) {
      report('morphBy', wrongName(options.morphBy, `morphToOne or morphToMany of "${target.uid}"`, morphs));
    }
    return { ...base, kind: 'morphed', many, target, morphBy, owner: owner.schema.uid };
  };

const linkers: ReadonlyMap<string, Linker> = new Map<string, Linker>([
  ['oneToOne', linkPlain('oneToOne')],
  ['oneToMany', linkPlain('oneToMany')],
  ['manyToOne', linkPlain('manyToOne')],
  ['manyToMany', linkPlain('manyToMany')],
  ['morphToOne', linkMorph(false)],
  ['morphToMany', linkMorph(true)],
  ['morphOne', linkMorphed(false)],
  ['morphMany', linkMorphed(true)],
]);

/** Links a relation of any of Strapi v4's eight kinds, and checks it against its other side. */
export const linkRelation: Linker = (declared, linkage) => {
  const { relation } = declared.options;
  const linker = relation === undefined ? undefined : linkers.get(relation);
  if (linker !== undefined) return linker(declared, linkage);
  declared.report('relation', wrongName(relation, 'kind of relation', linkers.keys()));
  return undefined;
};

/** Links a media field: a one-way relation to files. */
export const linkMedia: Linker<RelationAttribute> = ({ base, options, report }, { contentTypes }) => {
  const target = contentTypes.get(FILE);
  const { multiple: many = false, allowedTypes } = options;
  if (target === undefined) {
    report('type', `"media" needs the content type "${FILE}", which the upload plugin provides`);
    return undefined;
  }
  return {
    ...base,
    kind: 'relation',
    relation: many ? 'oneToMany' : 'oneToOne',
    target,
    many,
    side: 'owner',
    media: true,
    ...(allowedTypes !== undefined && { allowedTypes }),
  };
};

function findTarget({ options, report }: DeclaredAttribute, { contentTypes }: Linkage): ContentType | undefined {
  const { target } = options;
  const type = target === undefined ? undefined : contentTypes.get(target);
  if (type === undefined) report('target', wrongName(target, 'content type', contentTypes.keys()));
  return type;
}

/** The names of a type's morph relations. */
function morphsOf({ uid }: ContentType, { outlines }: Linkage): readonly string[] {
  return [...(outlines.get(uid)?.attributes ?? [])].flatMap(([name, { relation }]) =>
    relation === 'morphToOne' || relation === 'morphToMany' ? [name] : [],
  );
}

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
 * Reports a relation with `inversedBy` or `mappedBy` whose other side is missing or does not lead back. In a Strapi v4
 * project it is only a warning if Strapi itself would start: see `findOtherSides`.
 */
function checkOtherSide(relation: Relation, declared: DeclaredAttribute, linkage: Linkage): void {
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
    if (other === undefined) {
      const fitting = [...attributes].flatMap(([name, attribute]) =>
        attribute.type === 'relation' && attribute['target'] === uid && attribute['relation'] === expected
          ? [name]
          : [],
      );
      if (fitting.length > 0) return wrongName(otherName, `attribute of "${target}"`, fitting);
      const missing = { type: 'relation', relation: expected, target: uid, [otherSide]: base.name };
      return `names "${otherName}", which "${target}" does not have; add it there: "${otherName}": ${JSON.stringify(missing)}`;
    }
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
