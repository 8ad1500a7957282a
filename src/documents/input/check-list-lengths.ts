import type { Attribute, ContentType } from '../../content-types/model/types.js';
import { AppError } from '../../errors/app-error.js';
import type { Issue } from '../../errors/codes.js';
import type { Data } from '../context.js';
import { componentsIn } from './components-in.js';

/**
 * Refuses data in which one relation or media field names more than so many entries, at any level: each may be a write of its own.
 * @throws AppError validation
 */
export function checkListLengths(data: Data, { attributes }: ContentType, limit: number): void {
  const issues = issuesIn(data, attributes, limit, []);
  if (issues.length > 0) throw new AppError('validation', issues);
}

function issuesIn(
  data: Data,
  attributes: ReadonlyMap<string, Attribute>,
  limit: number,
  around: readonly string[],
): readonly Issue[] {
  return Object.entries(data).flatMap(([name, value]): readonly Issue[] => {
    const attribute = attributes.get(name);
    const path = [...around, name];
    switch (attribute?.kind) {
      case 'relation':
      case 'morph':
      case 'morphed': {
        const count = countNamed(value);
        if (count <= limit) return [];
        return [{ path, message: `${path.join('.')} must name at most ${limit} entries, names ${count}` }];
      }
      case 'component':
      case 'zone':
        return componentsIn(value, attribute).flatMap(({ data: inner, component }, index) => {
          const place = Array.isArray(value) ? [...path, String(index)] : path;
          return component === undefined ? [] : issuesIn(inner, component.attributes, limit, place);
        });
      case 'scalar':
      case undefined:
        return [];
      default:
        return attribute satisfies never;
    }
  });
}

/** How many entries a written relation names, in any of its forms. */
function countNamed(value: unknown): number {
  if (Array.isArray(value)) return value.length;
  if (typeof value !== 'object' || value === null) return 1;
  const { set, connect, disconnect } = value as Data;
  return [set, connect, disconnect].reduce<number>((sum, list) => sum + (Array.isArray(list) ? list.length : 0), 0);
}
