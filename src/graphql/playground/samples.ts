import { getNamedType, isLeafType, isObjectType, type GraphQLSchema } from 'graphql';
import type { GeneratedSchema } from '../schema/generate.js';

/** A tab of the Playground. */
export interface Sample {
  readonly query: string;
  readonly variables?: string;
  readonly headers?: string;
}

/** Attributes that a sample shows. */
const ATTRIBUTES = 3;

/** Sample queries for the schema: entries of the first content type, the login, the current user. */
export function samplesOf(schema: GraphQLSchema, generated: GeneratedSchema): readonly Sample[] {
  const has = (root: 'Query' | 'Mutation', field: string): boolean => {
    const type = schema.getType(root);
    return isObjectType(type) && type.getFields()[field] !== undefined;
  };
  const first = [...generated.query].find(
    ([, { operation, type }]) => operation === 'find' && type.uid.startsWith('api::'),
  );
  return [
    ...(first === undefined ? [] : [{ query: listQuery(first[0], attributesOf(schema, first[0])) }]),
    ...(has('Mutation', 'login') ? [logIn] : []),
    ...(has('Query', 'me') ? [me] : []),
  ];
}

/** The names of a few attributes of a list's entries. */
function attributesOf(schema: GraphQLSchema, field: string): readonly string[] {
  let type = schema.getQueryType()?.getFields()[field]?.type;
  for (const step of ['data', 'attributes']) {
    const named = type && getNamedType(type);
    type = isObjectType(named) ? named.getFields()[step]?.type : undefined;
  }
  const attributes = type && getNamedType(type);
  if (!isObjectType(attributes)) return [];
  const values = Object.values(attributes.getFields()).filter((field) => isLeafType(getNamedType(field.type)));
  return values.slice(0, ATTRIBUTES).map(({ name }) => name);
}

const listQuery = (field: string, attributes: readonly string[]): string =>
  `# Ctrl+Enter runs this query, Ctrl+Space completes names.
# The book on the left shows the documentation.
query Entries {
  ${field}(pagination: { pageSize: 5 }) {
    data {
      id${attributes.length === 0 ? '' : `\n      attributes {${attributes.map((name) => `\n        ${name}`).join('')}\n      }`}
    }
    meta {
      pagination {
        total
      }
    }
  }
}
`;

const logIn: Sample = {
  query: `# Log in, and put the jwt of the response into the headers:
# { "Authorization": "Bearer <jwt>" }
mutation LogIn($input: UsersPermissionsLoginInput!) {
  login(input: $input) {
    jwt
    user {
      id
      username
    }
  }
}
`,
  variables: '{ "input": { "identifier": "", "password": "" } }',
};

const me: Sample = {
  query: `# The current user, according to the headers.
query Me {
  me {
    id
    username
    email
  }
}
`,
  headers: '{ "Authorization": "Bearer " }',
};
