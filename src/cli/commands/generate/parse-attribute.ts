import { attributeTypes } from '../../../content-types/model/attribute-types.js';
import type { AttributeDefinition } from '../../../content-types/model/definition.js';
import { suggestion } from '../../../errors/nearest-name.js';
import { StartError } from '../../../errors/start-error.js';

type Reader = (option: string | undefined, text: string) => AttributeDefinition;

const plain =
  (type: string): Reader =>
  (option, text) => {
    if (option !== undefined) throw new StartError(`${text}: ${type} takes no option`);
    return { type };
  };

const taking =
  (what: string, read: (option: string) => AttributeDefinition): Reader =>
  (option, text) => {
    if (option === undefined || option === '') throw new StartError(`${text}: ${what} is missing after the type`);
    return read(option);
  };

const uidOf = (target: string): string => (target.includes('::') ? target : `api::${target}.${target}`);
const relation = (relation: string): Reader =>
  taking('the content type', (target) => ({ type: 'relation', relation, target: uidOf(target) }));
const names = (option: string): readonly string[] => option.split(',').map((name) => name.trim());

/** Types with a form of their own below, and those that Strapi does not offer for new attributes. */
const notPlain: ReadonlySet<string> = new Set(['uid', 'enumeration', 'timestamp', 'array']);
const plainTypes = Object.keys(attributeTypes).filter((type) => !notPlain.has(type));

/** The types on the command line, with their options. */
const readers: Readonly<Record<string, Reader>> = {
  ...Object.fromEntries(plainTypes.map((type) => [type, plain(type)])),
  uid: (option) => ({ type: 'uid', ...(option !== undefined && { targetField: option, generate: true }) }),
  enumeration: taking('a list such as essay,note', (option) => ({ type: 'enumeration', enum: names(option) })),
  media: (option) => ({ type: 'media', multiple: option === 'multiple' }),
  oneToOne: relation('oneToOne'),
  oneToMany: relation('oneToMany'),
  manyToOne: relation('manyToOne'),
  manyToMany: relation('manyToMany'),
  component: taking('the component', (component) => ({ type: 'component', repeatable: false, component })),
  components: taking('the component', (component) => ({ type: 'component', repeatable: true, component })),
  dynamiczone: taking('a list of components', (option) => ({ type: 'dynamiczone', components: names(option) })),
};

export const attributeForms: readonly string[] = Object.keys(readers);

/**
 * Parses an attribute of the command line: `title:string!`, `kind:enumeration:essay,note`,
 * `author:manyToOne:author`, `seo:component:shared.seo`. An exclamation mark at the end: it is required.
 * @throws StartError if it is invalid
 */
export function parseAttribute(text: string): readonly [name: string, AttributeDefinition] {
  const required = text.endsWith('!');
  const [name = '', type = '', ...rest] = text.replace(/!$/, '').split(':');
  if (!/^[A-Za-z]\w*$/.test(name))
    throw new StartError(`${text}: a name must begin with a letter, followed by letters, digits or _`);
  const read = Object.hasOwn(readers, type) ? readers[type] : undefined;
  if (read === undefined) throw new StartError(`${text}: unknown type "${type}"${suggestion(type, attributeForms)}`);
  const definition = read(rest.length === 0 ? undefined : rest.join(':'), text);
  return [name, required ? { ...definition, required } : definition];
}
