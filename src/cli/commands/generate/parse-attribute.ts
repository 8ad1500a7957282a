import type { AttributeDefinition } from '../../../content-types/model/definition.js';
import { suggestion } from '../../../content-types/model/nearest-name.js';
import { StartError } from '../../../errors/start-error.js';

type Reader = (option: string | undefined, text: string) => AttributeDefinition;

const plain =
  (type: string): Reader =>
  (option, text) => {
    if (option !== undefined) throw new StartError(`${text}: ${type} takes nothing behind it`);
    return { type };
  };

/** A type with something that must stand behind it. */
const taking =
  (what: string, read: (option: string) => AttributeDefinition): Reader =>
  (option, text) => {
    if (option === undefined || option === '') throw new StartError(`${text}: ${what} is missing behind the type`);
    return read(option);
  };

const uidOf = (target: string): string => (target.includes('::') ? target : `api::${target}.${target}`);
const relation = (relation: string): Reader =>
  taking('the content type', (target) => ({ type: 'relation', relation, target: uidOf(target) }));
const names = (option: string): readonly string[] => option.split(',').map((name) => name.trim());

const plainTypes = [
  'string',
  'text',
  'richtext',
  'blocks',
  'email',
  'password',
  'integer',
  'biginteger',
  'decimal',
  'float',
  'boolean',
  'date',
  'time',
  'datetime',
  'json',
];

/** The types as they are written on the command line, and what each takes behind a colon. */
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

/** What can stand behind an attribute's name. */
export const attributeForms: readonly string[] = Object.keys(readers);

/**
 * Reads an attribute as it is written on the command line: `title:string!`, `kind:enumeration:essay,note`,
 * `author:manyToOne:author`, `seo:component:shared.seo`. An exclamation mark at the end: it is required.
 * @throws StartError saying what is wrong with it
 */
export function parseAttribute(text: string): readonly [name: string, AttributeDefinition] {
  const required = text.endsWith('!');
  const [name = '', type = '', ...rest] = text.replace(/!$/, '').split(':');
  if (!/^[A-Za-z]\w*$/.test(name))
    throw new StartError(`${text}: a name begins with a letter; then letters, digits, _`);
  const read = Object.hasOwn(readers, type) ? readers[type] : undefined;
  if (read === undefined) throw new StartError(`${text}: unknown type "${type}"${suggestion(type, attributeForms)}`);
  const definition = read(rest.length === 0 ? undefined : rest.join(':'), text);
  return [name, required ? { ...definition, required } : definition];
}
