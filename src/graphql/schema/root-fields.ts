import type { ContentType, Registry } from '../../content-types/model/types.js';
import type { ShadowAction } from '../../plugins/contract/graphql/parts.js';
import { namesOf } from '../../plugins/contract/graphql/names.js';
import type { Shadow } from './rules.js';

/** A generated field of Query or Mutation. */
export interface RootField {
  readonly operation:
    'find' | 'findOne' | 'findSingle' | 'create' | 'update' | 'delete' | 'updateSingle' | 'deleteSingle';
  readonly type: ContentType;
  /** The required action. */
  readonly action: string;
}

/** The generated fields of a root type, by name. */
export type RootFields = ReadonlyMap<string, RootField>;

type Row = readonly [RootField['operation'], ShadowAction, 'find' | 'findOne' | 'create' | 'update' | 'delete'];

/** The operation, its action, and the kind of the field's name. */
const rows: Readonly<Record<'query' | 'mutation', Readonly<Record<ContentType['kind'], readonly Row[]>>>> = {
  query: {
    collectionType: [
      ['findOne', 'findOne', 'findOne'],
      ['find', 'find', 'find'],
    ],
    singleType: [['findSingle', 'find', 'findOne']],
  },
  mutation: {
    collectionType: [
      ['create', 'create', 'create'],
      ['update', 'update', 'update'],
      ['delete', 'delete', 'delete'],
    ],
    singleType: [
      ['updateSingle', 'update', 'update'],
      ['deleteSingle', 'delete', 'delete'],
    ],
  },
};

/** The generated fields of Query or Mutation, in the order of the content types. */
export function rootFields(root: keyof typeof rows, { contentTypes }: Registry, shadow: Shadow): RootFields {
  const fields = [...contentTypes.values()].flatMap((type) =>
    rows[root][type.kind].flatMap(([operation, action, name]): (readonly [string, RootField])[] =>
      shadow.hasAction(type.uid, action)
        ? [[namesOf(type)[name], { operation, type, action: `${type.uid}.${action}` }]]
        : [],
    ),
  );
  return new Map(fields);
}
