import type { Attribute, ContentType } from '../../content-types/model/types.js';
import { AppError, hasCode } from '../../errors/app-error.js';
import type { Issue } from '../../errors/codes.js';
import type { Data, DocumentsContext } from '../context.js';
import { collectTarget } from '../write/encode/encoding.js';
import { parseRelation } from './relation-input.js';

type Targets = Map<ContentType, Set<number>>;

/**
 * The first thing that is wrong with the relations in written data, valid or not: one that cannot be read, or that
 * leads to an entry which is not there. Strapi v4 tells it of the whole, without a path.
 */
export async function findRelationIssue(
  { store }: DocumentsContext,
  { attributes }: ContentType,
  data: Data,
): Promise<Issue | undefined> {
  const targets: Targets = new Map();
  try {
    collect(data, attributes, targets);
  } catch (error) {
    if (hasCode(error, 'validation')) return issue(error.message);
    throw error;
  }
  const [missing] = await store.missing(targets);
  if (missing === undefined) return undefined;
  const [{ uid }, ids] = missing;
  return issue(`${ids.length} relation(s) of type ${uid} associated with this entity do not exist`);
}

const issue = (message: string): Issue => ({ path: [], message });
const refuse = (message: string): AppError => new AppError('validation', [issue(message)]);

const isData = (value: unknown): value is Data => typeof value === 'object' && value !== null && !Array.isArray(value);

/** @throws AppError validation for a relation or zone that cannot be read */
function collect(data: Data, attributes: ReadonlyMap<string, Attribute>, targets: Targets): void {
  for (const [name, value] of Object.entries(data)) {
    const attribute = attributes.get(name);
    switch (attribute?.kind) {
      case 'relation':
      case 'morphed': {
        const change = parseRelation(value);
        if (change !== undefined) collectTarget(targets, attribute.target, change);
        break;
      }
      case 'component':
        for (const one of [value].flat()) if (isData(one)) collect(one, attribute.component.attributes, targets);
        break;
      case 'zone':
        if (value === null || value === undefined) break;
        for (const one of Array.isArray(value) ? (value as readonly unknown[]) : [value]) {
          collectInZone(one, attribute, Array.isArray(value), targets);
        }
        break;
      case 'scalar':
      case 'morph':
      case undefined:
        break;
      default:
        attribute satisfies never;
    }
  }
}

function collectInZone(
  value: unknown,
  { components }: Extract<Attribute, { kind: 'zone' }>,
  inList: boolean,
  targets: Targets,
): void {
  const uid = isData(value) ? value['__component'] : undefined;
  if (!isData(value) && inList) throw refuse('Invalid relations');
  if (!isData(value) || uid === undefined || uid === null || uid === '') {
    throw refuse('Cannot build relations store from dynamiczone, component identifier is undefined');
  }
  const component = components.get(String(uid));
  if (component === undefined) throw refuse('Invalid relations');
  collect(value, component.attributes, targets);
}
