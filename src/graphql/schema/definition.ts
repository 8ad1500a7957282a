/** Fields in SDL, one a line. Without any there is no body: such a type can be named, but is pruned. */
const body = (fields: readonly string[]): string => (fields.length === 0 ? '' : ` {\n  ${fields.join('\n  ')}\n}`);

export const objectType = (name: string, fields: readonly string[]): string => `type ${name}${body(fields)}`;
export const inputType = (name: string, fields: readonly string[]): string => `input ${name}${body(fields)}`;
export const enumType = (name: string, values: readonly string[]): string => `enum ${name}${body(values)}`;
export const unionType = (name: string, members: readonly string[]): string => `union ${name} = ${members.join(' | ')}`;
