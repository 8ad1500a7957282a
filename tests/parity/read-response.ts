import type { ScalarAttribute, ScalarType, ZoneAttribute } from '../../src/content-types/model/types.js';
import { componentNames } from '../../src/plugins/contract/graphql/names.js';
import { aliasOf } from './as-graphql.js';
import type { Nested, Values } from './random-request.js';

type Data = Readonly<Record<string, unknown>>;
interface Entry {
  readonly id: unknown;
  readonly attributes: Data;
}

/**
 * The requested values from the response of either transport, in one form, since the transports format some values
 * differently. In zones GraphQL has fields of other names, see `aliasOf`.
 */
export const readEntries = (entries: readonly Entry[], values: Values, transport: Transport): readonly unknown[] =>
  entries.map(({ id, attributes }) => ({ id: Number(id), ...readValues(attributes, values, transport) }));

export type Transport = 'rest' | 'graphql';

const readValues = (data: Data, { scalars, nested }: Values, transport: Transport, alias = ''): Data => ({
  ...Object.fromEntries(scalars.map((scalar) => [scalar.name, readScalar(data[alias + scalar.name], scalar)])),
  ...Object.fromEntries(
    nested.map((one) => [one.attribute.name, readNested(data[alias + one.attribute.name], one, transport)]),
  ),
});

/** GraphQL has numbers for strings of REST, names for the values of enumerations, and another format of timestamps. */
const forms: Partial<Record<ScalarType, (value: unknown) => unknown>> = {
  biginteger: String,
  enumeration: (value) => String(value).replaceAll('-', '_'),
  timestamp: (value) => (Number.isNaN(Number(value)) ? new Date(String(value)).getTime() : Number(value)),
};

const readScalar = (value: unknown, { type }: ScalarAttribute): unknown =>
  value === null ? null : (forms[type]?.(value) ?? value);

function readNested(value: unknown, nested: Nested, transport: Transport): unknown {
  if ('on' in nested) {
    return (value as readonly Data[]).map((component) => {
      const uid = uidOf(component, nested.attribute);
      const values = nested.on.get(uid) ?? { scalars: [], nested: [] };
      return { uid, ...readValues(component, values, transport, transport === 'graphql' ? aliasOf(uid) : '') };
    });
  }
  const { attribute, values } = nested;
  const one = (data: Data): unknown => readValues(data, values, transport);
  if (attribute.kind === 'component') {
    if (value === null) return null;
    return attribute.repeatable ? (value as readonly Data[]).map(one) : one(value as Data);
  }
  const { data } = value as { readonly data: Entry | readonly Entry[] | null };
  // As recorded: without files a media field is null over REST.
  if (data === null) return attribute.many ? [] : null;
  const entries = readEntries([data].flat() as readonly Entry[], values, transport);
  return attribute.many ? entries : entries[0];
}

/** REST has the uid, GraphQL the name of the type. */
const uidOf = ({ __component, __typename }: Data, { components }: ZoneAttribute): string =>
  String(__component ?? [...components.values()].find((one) => componentNames(one).type === __typename)?.uid);
