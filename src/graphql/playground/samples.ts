import type { GraphQLSchema } from 'graphql';
import type { ContentType } from '../../content-types/model/types.js';
import type { GeneratedSchema } from '../schema/generate.js';
import { shownAttributes } from '../schema/output-fields.js';

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
  const lists = [...generated.query].filter(
    ([, { operation, type }]) => operation === 'find' && type.uid.startsWith('api::'),
  );
  return [
    ...lists.slice(0, 1).map(([field, { type }]) => ({ query: listQuery(field, attributesOf(type, generated)) })),
    ...(schema.getMutationType()?.getFields()['login'] ? [logIn] : []),
    ...(schema.getQueryType()?.getFields()['me'] ? [me] : []),
  ];
}

/** The names of a few attributes of a list's entries. */
const attributesOf = (type: ContentType, { shadow }: GeneratedSchema): readonly string[] => {
  const values = shownAttributes(type, shadow).filter(({ kind }) => kind === 'scalar');
  return values.slice(0, ATTRIBUTES).map(({ name }) => name);
};

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
