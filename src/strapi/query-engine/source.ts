import { pathsTo, type ComponentPath } from '../../content-types/model/component-paths.js';
import type { Component, ContentType, Registry } from '../../content-types/model/types.js';

/** The source of `strapi.db.query`: entries of a content type or, with `places`, components at these paths. */
interface Source {
  readonly type: ContentType;
  readonly places?: readonly ComponentPath[];
}

/** @throws Error for an unknown uid */
export function sourceOf(uid: string, registry: Registry): Source {
  const type = registry.contentTypes.get(uid);
  if (type !== undefined) return { type };
  const component = registry.components.get(uid);
  if (component === undefined) throw new Error(`unknown content type "${uid}"`);
  return { type: asContentType(component, registry), places: pathsTo(component, registry) };
}

/** A component has no collection. */
const asContentType = ({ uid, displayName, attributes }: Component, { dialect }: Registry): ContentType => ({
  kind: 'collectionType',
  uid,
  displayName,
  attributes,
  dialect,
  collectionName: uid,
  singularName: uid,
  pluralName: uid,
  draftAndPublish: false,
  populateCreatorFields: false,
  indexes: [],
  pluginOptions: {},
  parameters: [],
});

/** The writes of `strapi.db.query` that components do not have. */
export const componentWrites = ['create', 'createMany', 'update', 'updateMany', 'delete', 'deleteMany'];

/** The writes of `strapi.db.query` for a component, which are not supported. */
export const refusedWrites = (uid: string): Readonly<Record<string, () => Promise<never>>> =>
  Object.fromEntries(
    componentWrites.map((name) => {
      const problem = `strapi.db.query('${uid}').${name}: components are stored within their entries; write the entry, e.g. with strapi.entityService.update`;
      return [name, async () => Promise.reject(new Error(problem))];
    }),
  );
