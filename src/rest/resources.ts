import type { ContentType, Registry } from '../content-types/model/types.js';
import type { RestAction } from './controller.js';

/** By method; other methods on the same path return 405. */
export type Methods = Readonly<Partial<Record<string, RestAction>>>;

const collectionActions: Methods = { GET: 'find', POST: 'create' };
const entryActions: Methods = { GET: 'findOne', PUT: 'update', DELETE: 'delete' };
const singleActions: Methods = { GET: 'findSingle', PUT: 'updateSingle', DELETE: 'deleteSingle' };

/** A content type as clients see it. */
export interface Resource {
  readonly type: ContentType;
  readonly actions: Methods;
  /** For one entry; undefined for single types. */
  readonly entry: Methods | undefined;
}

/** Content types of the project by the lower-case name in their path: paths are not case-sensitive. */
export function resourcesOf({ contentTypes }: Registry): ReadonlyMap<string, Resource> {
  const own = [...contentTypes.values()].filter(({ uid }) => uid.startsWith('api::'));
  return new Map(
    own.map((type): [string, Resource] =>
      type.kind === 'singleType'
        ? [type.singularName.toLowerCase(), { type, actions: singleActions, entry: undefined }]
        : [type.pluralName.toLowerCase(), { type, actions: collectionActions, entry: entryActions }],
    ),
  );
}
