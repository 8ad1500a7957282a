import type { ContentType, Registry } from '../content-types/model/types.js';
import { pathNameOf } from '../documents/changes/listings.js';
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

/**
 * The content type of this name in a path, which is not case-sensitive. Other characters than those of names are compared with nothing: in
 * lower case, the sign for kelvin would be a `k`.
 */
export const findResource = (resources: ReadonlyMap<string, Resource>, name: string): Resource | undefined =>
  /^[a-z\d-]+$/i.test(name) ? resources.get(name.toLowerCase()) : undefined;

/** Content types of the project by the lower-case name in their path. */
export function resourcesOf({ contentTypes }: Registry): ReadonlyMap<string, Resource> {
  const own = [...contentTypes.values()].filter(({ uid }) => uid.startsWith('api::'));
  return new Map(
    own.map((type): [string, Resource] => [
      pathNameOf(type).toLowerCase(),
      type.kind === 'singleType'
        ? { type, actions: singleActions, entry: undefined }
        : { type, actions: collectionActions, entry: entryActions },
    ]),
  );
}
