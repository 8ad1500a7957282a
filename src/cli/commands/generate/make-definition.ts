import type { AttributeDefinition } from '../../../content-types/model/definition.js';
import { StartError } from '../../../errors/start-error.js';

/** The arguments of the command line, or the answers to prompts. */
export interface DefinitionRequest {
  readonly kind: 'type' | 'component';
  /** For a type `blog-post`, for a component `shared.seo`. */
  readonly name: string;
  readonly attributes: readonly (readonly [string, AttributeDefinition])[];
  readonly plural?: string | undefined;
  readonly single?: boolean | undefined;
  readonly drafts?: boolean | undefined;
}

const kebab = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/;

/**
 * The definition file of a content type or component, with its path in their folder.
 * @throws StartError if its name is invalid
 */
export function makeDefinition(request: DefinitionRequest): { readonly path: string; readonly content: object } {
  const { kind, name } = request;
  const uidParts = name.split('.');
  const count = kind === 'type' ? 1 : 2;
  if (uidParts.length !== count || !uidParts.every((part) => kebab.test(part))) {
    const allowed = kind === 'type' ? 'e.g. article or blog-post' : 'a category and a name, e.g. shared.seo';
    throw new StartError(`"${name}" is not a valid name; allowed: ${allowed}`);
  }
  return kind === 'type' ? contentType(request) : component(request, uidParts[0] ?? '', uidParts[1] ?? '');
}

/** The display name. */
const title = (name: string): string => (name.charAt(0).toUpperCase() + name.slice(1)).replaceAll('-', ' ');

/** The plural of most English nouns; `--plural` overrides it. */
function pluralOf(noun: string): string {
  if (/[^aeiou]y$/.test(noun)) return `${noun.slice(0, -1)}ies`;
  return /(?:s|x|z|ch|sh)$/.test(noun) ? `${noun}es` : `${noun}s`;
}

function contentType({ name, attributes, plural, single, drafts }: DefinitionRequest) {
  const pluralName = plural ?? pluralOf(name);
  if (!kebab.test(pluralName) || pluralName === name)
    throw new StartError(`"${pluralName}" cannot be the plural of "${name}": set it with --plural`);
  return {
    path: `${name}.json`,
    content: {
      kind: single === true ? 'singleType' : 'collectionType',
      collectionName: pluralName.replaceAll('-', '_'),
      info: { singularName: name, pluralName, displayName: title(name) },
      options: { draftAndPublish: drafts === true },
      attributes: Object.fromEntries(attributes),
    },
  };
}

function component({ attributes }: DefinitionRequest, category: string, name: string) {
  return {
    path: `components/${category}/${name}.json`,
    content: {
      collectionName: `components_${category}_${pluralOf(name)}`.replaceAll('-', '_'),
      info: { displayName: title(name) },
      options: {},
      attributes: Object.fromEntries(attributes),
    },
  };
}
