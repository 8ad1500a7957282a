import { checkOtherSide } from './check-other-side.js';
import type { Linkage, Linker, DeclaredAttribute } from './linkage.js';
import type { OtherSide } from './other-sides.js';
import { wrongName } from '../model/nearest-name.js';
import type { ContentType, MorphAttribute, MorphedAttribute, RelationAttribute } from '../model/types.js';

const FILE = 'plugin::upload.file';

const linkPlain =
  (relation: RelationAttribute['relation']): Linker<RelationAttribute> =>
  (declared, linkage) => {
    const { base, options, owner } = declared;
    const target = findTarget(declared, linkage);
    if (target === undefined) return undefined;
    checkOtherSide(relation, declared, linkage);
    const { side, inverse }: OtherSide = linkage.lenient
      ? linkage.otherSideOf(owner.schema.uid, base.name)
      : declaredSide(options);
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

function declaredSide({ mappedBy, inversedBy }: DeclaredAttribute['options']): OtherSide {
  const inverse = mappedBy ?? inversedBy;
  return { side: mappedBy === undefined ? 'owner' : 'inverse', ...(inverse !== undefined && { inverse }) };
}

const linkMorph =
  (many: boolean): Linker<MorphAttribute> =>
  (declared, linkage) => ({
    ...declared.base,
    kind: 'morph',
    many,
    candidates: linkage.contentTypes,
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
