import { type Model } from 'content-service/content-api';
import { AppError, isRecord } from 'content-service/plugin';
import { below, invalidKey, type Place } from './invalid-key.js';
import { isNamed, modelBehind, readable } from './names.js';

const directions: ReadonlySet<unknown> = new Set(['asc', 'desc', 'ASC', 'DESC']);
const DIRECTIONS = 'Invalid order. order can only be one of asc|desc|ASC|DESC';

/** Checks `sort` in all of its forms: texts, lists, and objects. @throws AppError invalidInput, invalidValue */
export function checkSort(input: unknown, model: Model, place: Place): void {
  if (Array.isArray(input)) for (const part of input as readonly unknown[]) checkSort(part, model, place);
  else if (typeof input === 'string') {
    for (const word of input.split(',').map((part) => part.trim())) {
      const [path = '', direction] = word.split(':');
      if (path !== '') checkKey(path.split('.'), direction, model, place);
    }
  } else if (isRecord(input)) checkTree(input, [], model, place);
}

function checkTree(tree: object, above: readonly string[], model: Model, place: Place): void {
  for (const [name, value] of Object.entries(tree) as readonly (readonly [string, unknown])[]) {
    const path = [...above, ...name.split('.')];
    if (isRecord(value)) checkTree(value, path, model, place);
    else checkKey(path, value, model, place);
  }
}

function checkKey(
  path: readonly string[],
  direction: unknown,
  model: Model,
  { param, path: above, audience }: Place,
): void {
  let [level, at]: [Model | undefined, string | null] = [model, above];
  for (const [index, name] of path.entries()) {
    const isLast = index === path.length - 1;
    if (level === undefined) throw invalidKey(name, { param, path: at });
    if (isLast && name === 'id') break;
    const attribute = readable(level, name, audience);
    const named = isNamed(level, name, audience) ? below(at, name) : at;
    // Lists have no order of their own to sort by: the core sorts through relations to one and single components.
    if (attribute === undefined || isLast !== (attribute.kind === 'scalar')) {
      // As an attribute of what it leads to, which Strapi 5 takes it for.
      const isNext = attribute !== undefined && isLast && modelBehind(attribute) !== undefined;
      throw invalidKey(isNext && typeof direction === 'string' && direction !== '' ? direction : name, {
        param,
        path: named,
      });
    }
    at = named;
    level = modelBehind(attribute);
  }
  if (direction !== undefined && direction !== '' && !directions.has(direction))
    throw new AppError('invalidValue', DIRECTIONS);
}
