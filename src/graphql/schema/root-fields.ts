import type { ContentType, Registry } from '../../content-types/model/types.js';
import type { RootRow, SchemaForm } from '../../plugins/contract/graphql/form.js';
import type { Shadow } from './rules.js';

/** A generated field of Query or Mutation. */
export interface RootField extends Pick<RootRow, 'operation' | 'signature'> {
  readonly type: ContentType;
  /** The required action. */
  readonly action: string;
}

/** The generated fields of a root type, by name. */
export type RootFields = ReadonlyMap<string, RootField>;

/** The generated fields of Query or Mutation, in the order of the content types. */
export const rootFields = (
  root: 'query' | 'mutation',
  { contentTypes }: Registry,
  shadow: Shadow,
  form: SchemaForm,
): RootFields =>
  new Map(
    [...contentTypes.values()].flatMap((type) =>
      form
        .rootFields(type)
        [root].filter(({ action }) => shadow.hasAction(type.uid, action))
        .map(({ name, operation, action, signature }): readonly [string, RootField] => [
          name,
          { operation, type, action: `${type.uid}.${action}`, signature },
        ]),
    ),
  );
