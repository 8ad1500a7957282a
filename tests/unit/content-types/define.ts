import type {
  AttributeDefinition,
  ComponentDefinition,
  ContentTypeDefinition,
  Defined,
  Definitions,
} from '../../../src/content-types/model/definition.js';
import { link } from '../../../src/content-types/link/link.js';

type Attributes = Readonly<Record<string, AttributeDefinition>>;

/** A content type `api::<name>.<name>`; `rest` is laid over its definition. */
export const contentType = (
  name: string,
  attributes: Attributes,
  rest: object = {},
): Defined<ContentTypeDefinition> => ({
  uid: `api::${name}.${name}`,
  file: `content-types/${name}.json`,
  definition: { info: { singularName: name, pluralName: `${name}s` }, attributes, ...rest },
});

/** A component, by its uid. */
export const component = (uid: string, attributes: Attributes, rest: object = {}): Defined<ComponentDefinition> => ({
  uid,
  file: `content-types/components/${uid.replace('.', '/')}.json`,
  definition: { attributes, ...rest },
});

const plugin = (uid: string, plural: string, attributes: Attributes): Defined<ContentTypeDefinition> => ({
  uid: `plugin::${uid}`,
  file: `plugin::${uid}`,
  definition: { info: { singularName: uid.replace(/^.*\./, ''), pluralName: plural }, attributes },
});

/** The content types of plugins that definitions refer to. */
export const file = plugin('upload.file', 'files', { name: { type: 'string' } });
export const user = plugin('users-permissions.user', 'users', { username: { type: 'string' } });

export const define = (...defined: readonly Defined<ContentTypeDefinition | ComponentDefinition>[]): Definitions => ({
  contentTypes: defined.filter((one): one is Defined<ContentTypeDefinition> => one.uid.includes('::')),
  components: defined.filter((one): one is Defined<ComponentDefinition> => !one.uid.includes('::')),
});

/** The lines of the error that linking ends in; none when it succeeds. */
export function mistakesIn(definitions: Definitions): readonly string[] {
  try {
    link(definitions);
    return [];
  } catch (error) {
    return error instanceof Error ? error.message.split('\n') : [String(error)];
  }
}
