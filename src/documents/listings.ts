import type { ContentType } from '../content-types/model/types.js';

/** How clients list the entries of a content type. */
export interface Listing {
  /** Its name in paths. */
  readonly name: string;
  readonly path: string;
  /** The action that the caller must be allowed. */
  readonly action: string;
  /**
   * Whether the fields of an entry are below `attributes`; those of files and users are beside its `id` (corpus:
   * 70-upload/01-files).
   */
  readonly hasEnvelope: boolean;
  /** The action that reads one of them; default: that of a content type of the project. */
  readonly readOne?: string;
  /** The attributes of a type of a plugin that clients can change in a batch, as by this route. */
  readonly changes?: { readonly path: string; readonly action: string; readonly attributes: readonly string[] };
  /** The route by which clients delete them. */
  readonly deletes?: { readonly path: string; readonly action: string };
}

/** Types of plugins that clients can list. */
const ofPlugins: Readonly<Record<string, Listing>> = {
  'plugin::upload.file': {
    name: 'files',
    path: '/upload/files',
    action: 'plugin::upload.content-api.find',
    hasEnvelope: false,
    readOne: 'plugin::upload.content-api.findOne',
    changes: {
      path: '/upload',
      action: 'plugin::upload.content-api.upload',
      attributes: ['name', 'alternativeText', 'caption'],
    },
    deletes: { path: '/upload/files/:id', action: 'plugin::upload.content-api.destroy' },
  },
  'plugin::users-permissions.user': {
    name: 'users',
    path: '/users',
    action: 'plugin::users-permissions.user.find',
    hasEnvelope: false,
  },
};

/** A content type of the project, as opposed to one of a plugin. */
export const isOwnType = ({ uid }: Pick<ContentType, 'uid'>): boolean => uid.startsWith('api::');

/** The name of a content type of the project in paths. */
export const pathNameOf = ({ kind, singularName, pluralName }: ContentType): string =>
  kind === 'singleType' ? singularName : pluralName;

/** Undefined for types that clients cannot list. */
export function listingOf(type: ContentType): Listing | undefined {
  if (!isOwnType(type)) return ofPlugins[type.uid];
  const name = pathNameOf(type);
  return { name, path: `/${name}`, action: `${type.uid}.find`, hasEnvelope: true };
}
