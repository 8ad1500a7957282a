import { unknownName } from '../../../errors/nearest-name.js';
import type { Report } from '../../../content-types/load/report.js';
import type { Attribute, Attributes } from '../../../content-types/model/types.js';
import { isReadable } from '../../../query/visibility.js';

/**
 * Parses the `fields` of a rule: the attributes that may be read or written, or with a `-` those that may not. Returns
 * what the rule withholds. The locale of a new entry is not withheld: a request can also name it outside of the data.
 */
export function parseFieldList(
  input: unknown,
  attributes: Attributes,
  path: string,
  { use, report }: { readonly use: Use; readonly report: Report },
): ReadonlySet<Attribute> {
  if (!Array.isArray(input) || input.length === 0) {
    report(path, 'must be a list of at least one attribute');
    return new Set();
  }
  const excludes = new Set(input.map((entry) => String(entry).startsWith('-')));
  if (excludes.size > 1) {
    report(path, 'must either name what is allowed, or exclude with "-" what is not');
  }
  const usable = [...attributes.values()].filter((attribute) => isUsable(attribute, use));
  const parse = (entry: unknown, index: number): readonly string[] => {
    const name = String(entry).replace(/^-/, '');
    const mistake =
      typeof entry === 'string' ? findMistake(name, attributes, usable, use) : 'must be the name of an attribute';
    if (mistake === undefined) return [name];
    report(`${path}[${index}]`, mistake);
    return [];
  };
  const names = new Set(input.flatMap(parse));
  const isExcluding = excludes.has(true);
  return new Set(usable.filter(({ name }) => names.has(name) === isExcluding));
}

/** How an action uses attributes. */
export type Use = 'find' | 'create' | 'update';

/** Private attributes are never read. */
function isUsable(attribute: Attribute, use: Use): boolean {
  if (use === 'find') return isReadable(attribute, 'client');
  return attribute.writable && !(use === 'create' && attribute.name === 'locale');
}

function findMistake(name: string, attributes: Attributes, usable: readonly Attribute[], use: Use): string | undefined {
  if (name === 'id') return 'names the id, which every entry has';
  const [first = '', ...inner] = name.split('.');
  if (inner.length > 0 && attributes.has(first)) return `names a part of "${first}", which is one field`;
  if (usable.some((attribute) => attribute.name === name)) return undefined;
  if (attributes.has(name)) return `names an attribute that is never ${use === 'find' ? 'read' : 'written'}`;
  const names = usable.map((attribute) => attribute.name);
  return `names an ${unknownName(name, 'attribute', names)}`;
}
