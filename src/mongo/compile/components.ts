import type { Document } from 'mongodb';
import type { ComponentWrite, KeptComponent, ValueChange } from '../../query/mutation.js';
import { compileInnerLinks } from './write/links.js';

/** The new value at `path`: existing components that are kept are merged in the database. */
export function compileValue(path: string, change: ValueChange): unknown {
  switch (change.kind) {
    case 'value':
      return change.value === undefined ? '$$REMOVE' : { $literal: change.value };
    case 'links':
      return compileInnerLinks(path, change.many, change.change);
    case 'component':
      return compileComponent(path, change.component);
    case 'components':
      if (change.components.length === 0) return '$$REMOVE';
      return change.components.map((component) => {
        if (component.kind === 'new') return { $literal: component.value };
        const held = { $first: { $filter: { input: path, as: 'one', cond: isComponent('$$one', component) } } };
        return { $let: { vars: { component: held }, in: compileComponent('$$component', component) } };
      });
    case 'someComponents': {
      const branches = change.components.map((component) => ({
        case: isComponent('$$held', component),
        then: compileComponent('$$held', component),
      }));
      return { $map: { input: path, as: 'held', in: { $switch: { branches, default: '$$held' } } } };
    }
    default:
      return change satisfies never;
  }
}

/** In a zone, components of different types can have the same id. */
function isComponent(component: string, { id, uid }: KeptComponent): Document {
  const hasId = { $eq: [`${component}.id`, { $literal: id }] };
  return uid === undefined ? hasId : { $and: [hasId, { $eq: [`${component}.__component`, uid] }] };
}

function compileComponent(path: string, component: ComponentWrite): unknown {
  if (component.kind === 'new') return { $literal: component.value };
  let merged: unknown = path;
  for (const [name, change] of component.changes) {
    merged = { $setField: { field: name, input: merged, value: compileValue(`${path}.${name}`, change) } };
  }
  return merged;
}

/** The condition that an entry has the components that a change keeps; undefined if it keeps none. */
export function componentsHeld(path: string, change: ValueChange): Document | undefined {
  switch (change.kind) {
    case 'value':
    case 'links':
      return undefined;
    case 'component':
      return change.component.kind === 'new' ? undefined : prefixed(path, held(change.component));
    case 'components':
    case 'someComponents': {
      const kept = change.components.flatMap((write: ComponentWrite) =>
        write.kind === 'new' ? [] : [{ $elemMatch: held(write) }],
      );
      return kept.length === 0 ? undefined : { [path]: { $all: kept } };
    }
    default:
      return change satisfies never;
  }
}

/** The condition for a component that is kept and for its nested components. */
function held({ id, uid, changes }: KeptComponent): Document {
  const inner = [...changes].flatMap(([name, change]) => componentsHeld(name, change) ?? []);
  return { id, ...(uid !== undefined && { __component: uid }), ...(Object.assign({}, ...inner) as Document) };
}

/** Lifts a condition on a component to the value around it. */
export const prefixed = (path: string, condition: Document): Document =>
  Object.fromEntries(Object.entries(condition).map(([name, value]) => [`${path}.${name}`, value]));
