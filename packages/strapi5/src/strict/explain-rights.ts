import { type Model } from 'content-service/content-api';
import { canReadRelation, isRecord, type Caller, type Data } from 'content-service/plugin';
import { below, invalidKey } from './invalid-key.js';
import { modelBehind, readable } from './names.js';

/**
 * Refuses the first name in filters and sorts that leads to entries which the caller may not list, with its place: the
 * documents service has refused it by its name only.
 * @throws AppError invalidInput
 */
export function explainRights(input: Data, type: Model, caller: Caller): void {
  for (const param of ['filters', 'sort'] as const)
    for (const path of namedPaths(input[param])) explainPath(path, type, caller, param);
  explainPopulate(input['populate'], type, caller, null);
}

function explainPath(
  path: readonly string[],
  model: Model,
  caller: Caller,
  param: string,
  above: string | null = null,
): void {
  let [level, at]: [Model | undefined, string | null] = [model, above];
  for (const name of path) {
    const attribute = level && readable(level, name);
    if (attribute === undefined) continue;
    at = below(at, name);
    const isWithheld = level?.kind !== 'component' && caller.withheld?.(`${level?.uid}.find`)?.has(attribute) === true;
    if (isWithheld || !canReadRelation(attribute, caller)) throw invalidKey(name, { param, path: at });
    level = modelBehind(attribute);
  }
}

/** The names on each way through filters or a sort; operators and indexes are no attributes. */
function namedPaths(input: unknown, above: readonly string[] = []): readonly (readonly string[])[] {
  if (typeof input === 'string') {
    const keys = input.split(',').map((word) => (word.split(':')[0] ?? '').trim().split('.'));
    return above.length > 0 ? [above] : keys;
  }
  if (typeof input !== 'object' || input === null) return [above];
  return Object.entries(input).flatMap(([name, value]) =>
    namedPaths(value, /^(?:\$|\d+$)/.test(name) ? above : [...above, ...name.split('.')]),
  );
}

function explainPopulate(input: unknown, model: Model, caller: Caller, path: string | null): void {
  if (!isRecord(input)) return;
  for (const [name, request] of Object.entries(input)) {
    const attribute = readable(model, name);
    const target = attribute && modelBehind(attribute);
    if (target === undefined || !isRecord(request)) continue;
    const at = below(path, name);
    for (const part of ['filters', 'sort'] as const)
      for (const names of namedPaths(request[part])) explainPath(names, target, caller, 'populate', at);
    explainPopulate(request['populate'], target, caller, at);
  }
}
