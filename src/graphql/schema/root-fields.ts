import type { ContentType, Registry } from '../../content-types/model/types.js';
import type { RootRow, SchemaForm } from '../../plugins/contract/graphql/form.js';
import { groupsField, hasGroups } from './group-types.js';
import type { Shadow } from './rules.js';

/** A generated field of Query or Mutation. */
export interface RootField extends Omit<RootRow, 'name' | 'action'> {
  readonly type: ContentType;
  /** The required action. */
  readonly action: string;
}

/** The generated fields of a root type, by name. */
export type RootFields = ReadonlyMap<string, RootField>;

/** The generated fields of Query or Mutation, in the order of the content types. */
export function rootFields(
  root: 'query' | 'mutation',
  { contentTypes }: Registry,
  shadow: Shadow,
  form: SchemaForm,
): RootFields {
  const fields = [...contentTypes.values()].flatMap((type) => {
    const rows = [
      ...form.rootFields(type)[root].filter(({ action }) => shadow.hasAction(type.uid, action)),
      ...(root === 'query' && hasGroups(type, shadow) ? [groupsField(type, shadow, form.groups)] : []),
    ];
    return rows.map(({ name, action, ...row }): readonly [string, RootField] => [
      name,
      { ...row, type, action: `${type.uid}.${action}` },
    ]);
  });
  return new Map(fields);
}
