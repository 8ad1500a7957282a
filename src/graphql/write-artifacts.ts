import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import {
  lexicographicSortSchema,
  printSchema,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
  isScalarType,
  isUnionType,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLType,
} from 'graphql';
import type { Settings } from './settings.js';

/** Writes the schema and its types to the files that the settings name. A file that would not change is left alone. */
export async function writeArtifacts(
  schema: GraphQLSchema,
  artifacts: Settings['artifacts'],
  projectFolder: string,
): Promise<void> {
  const prints = [
    [artifacts.schema, (sorted: GraphQLSchema) => `${printSchema(sorted)}\n`],
    [artifacts.typegen, printTypes],
  ] as const;
  for (const [name, print] of prints) {
    if (name === undefined) continue;
    const file = path.resolve(projectFolder, name);
    const text = print(lexicographicSortSchema(schema));
    if ((await readFile(file, 'utf8').catch(() => undefined)) === text) continue;
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
  }
}

/** The TypeScript types of built-in scalars in JSON; custom scalars are `unknown`. */
const scalars: Readonly<Record<string, string>> = {
  ID: 'string',
  Int: 'number',
  Float: 'number',
  String: 'string',
  Boolean: 'boolean',
  Date: 'string',
  Time: 'string',
  DateTime: 'string',
  Long: 'string | number',
  I18NLocaleCode: 'string',
};

/** The types of a schema for TypeScript: a type by each name, and `<Type><Field>Args` for arguments. */
export function printTypes(schema: GraphQLSchema): string {
  const types = Object.values(schema.getTypeMap()).filter(({ name }) => !name.startsWith('__'));
  return `// Generated from the GraphQL schema: changes are lost.\n\n${types.map(printType).join('\n\n')}\n`;
}

function printType(type: GraphQLNamedType): string {
  const { name } = type;
  if (isScalarType(type)) return `export type ${name}Scalar = ${scalars[name] ?? 'unknown'};`;
  if (isUnionType(type)) return `export type ${name} = ${names(type.getTypes())};`;
  if (isEnumType(type))
    return `export type ${name} = ${type
      .getValues()
      .map((value) => `'${value.name}'`)
      .join(' | ')};`;
  const fields = Object.values(type.getFields());
  if (isInputObjectType(type)) return printInterface(name, fields.map(printInput));
  const typename = isObjectType(type) ? [`__typename?: '${name}';`] : [];
  const lines = fields.map((field) => `${field.name}: ${reference(field.type)};`);
  const withArguments = isObjectType(type) || isInterfaceType(type) ? Object.values(type.getFields()) : [];
  const argumentsOf = withArguments.filter(({ args }) => args.length > 0).map((field) => printArguments(name, field));
  return [printInterface(name, [...typename, ...lines]), ...argumentsOf].join('\n\n');
}

const printArguments = (type: string, { name, args }: GraphQLField<unknown, unknown>): string =>
  printInterface(`${type}${name.charAt(0).toUpperCase()}${name.slice(1)}Args`, args.map(printInput));

const printInput = ({ name, type }: { readonly name: string; readonly type: GraphQLType }): string =>
  `${name}${isNonNullType(type) ? '' : '?'}: ${reference(type)};`;

const printInterface = (name: string, lines: readonly string[]): string =>
  `export interface ${name} {\n${lines.map((line) => `  ${line}\n`).join('')}}`;

const names = (types: readonly GraphQLNamedType[]): string => types.map(({ name }) => name).join(' | ') || 'never';

function reference(type: GraphQLType): string {
  return isNonNullType(type) ? bare(type.ofType) : `${bare(type)} | null`;
}

function bare(type: GraphQLType): string {
  if (isNonNullType(type)) return bare(type.ofType);
  if (isListType(type)) return `readonly (${reference(type.ofType)})[]`;
  const { name } = type as GraphQLNamedType;
  return isScalarType(type) ? `${name}Scalar` : name;
}
