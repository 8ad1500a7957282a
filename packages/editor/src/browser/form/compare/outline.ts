import { isEmpty } from '../../model/body.js';
import { componentOf, isParts, isScalar, type Attribute, type Content } from '../../model/schema.js';
import { isLinks, type Part, type Value } from '../../model/values.js';

interface Words {
  readonly yes: string;
  readonly no: string;
}

/**
 * A value as a text whose words can be compared: related entries and files by their names, components by their values.
 */
export function outlineOf(content: Content, attribute: Attribute, value: Value, words: Words): string {
  if (isEmpty(value)) return '';
  if (typeof value === 'boolean') return value ? words.yes : words.no;
  if (isLinks(value)) return value.items.map(({ title }) => title).join('\n');
  if (typeof value === 'string')
    return isScalar(attribute) && attribute.type === 'blocks' ? textOfBlocks(value) : value;
  if (!isParts(attribute)) return '';
  return (value as readonly Part[]).map((part) => outlineOfPart(content, part, words)).join('\n\n');
}

function outlineOfPart(content: Content, { component, values }: Part, words: Words): string {
  const { displayName, attributes } = componentOf(content, component);
  const lines = attributes.flatMap((attribute) => {
    const text = outlineOf(content, attribute, values[attribute.name] ?? null, words);
    if (text === '') return [];
    const { label } = attribute;
    return [text.includes('\n') ? `${label}:\n${text}` : `${label}: ${text}`];
  });
  return [displayName, ...lines].join('\n');
}

/** The texts of a value of blocks, a line for each block; what is no such value stays as it is. */
function textOfBlocks(value: string): string {
  try {
    return (JSON.parse(value) as readonly Node[]).map((block) => textOf(block)).join('\n');
  } catch {
    return value;
  }
}

interface Node {
  readonly type?: string;
  readonly text?: string;
  readonly children?: readonly Node[];
}

function textOf({ type, text = '', children = [] }: Node): string {
  const inner = children.map((child) => textOf(child));
  return text + inner.join(type === 'list' ? '\n' : '');
}
