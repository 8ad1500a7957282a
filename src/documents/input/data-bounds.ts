import { bounds } from '../../config/bounds.js';
import { isRecord, valuesIn, type Data } from '../../config/record.js';
import { attributeTypes } from '../../content-types/model/attribute-types.js';
import type { Attribute, Attributes, Component, ContentType, ScalarType } from '../../content-types/model/types.js';
import { componentOf, type EmbeddingAttribute } from '../../content-types/model/walk.js';
import { AppError } from '../../errors/app-error.js';
import type { Issue } from '../../errors/codes.js';

/** The bounds of written data that depend on the configuration; the others are `bounds`. */
export interface DataBounds {
  /** Components in the data of a request, at all levels. */
  readonly components: number;
  /** Entries that one relation or media field names: each can require a separate write. */
  readonly relatedEntries: number;
  /** Names and elements of lists in values of type `json`, at all levels. */
  readonly jsonValues: number;
}

/** What components and the data of entries have beside attributes, or repeat of what they were read from. */
const beside: ReadonlySet<string> = new Set(['id', 'documentId', '__component', 'createdAt', 'updatedAt']);

/**
 * Counts what the data of one request holds, of all its operations together, before anything is made of it; see
 * `bounds`.
 */
export function openDataCount({ components, relatedEntries, jsonValues }: DataBounds) {
  const held = { components: 0, unknownNames: 0, blockNodes: 0, jsonValues: 0 };
  /** @throws AppError validation */
  const count = (name: keyof typeof held, most: number, path: readonly string[], what: string): void => {
    held[name] += 1;
    if (held[name] > most)
      throw new AppError('validation', [{ path, message: `${what}: at most ${most} in a request` }]);
  };
  const visitValue = (value: unknown, attribute: Attribute, path: readonly string[], issues: Issue[]): void => {
    switch (attribute.kind) {
      case 'scalar':
        if (attributeTypes[attribute.type].kind === 'json') visitJson(value, attribute.type, path);
        return;
      case 'relation':
      case 'morphed':
      case 'morph': {
        const named = countNamed(value);
        if (named > relatedEntries)
          issues.push({
            path,
            message: `${path.join('.')} must name at most ${relatedEntries} entries, names ${named}`,
          });
        return;
      }
      case 'component':
      case 'zone':
        visitComponents(value, attribute, path, issues);
        return;
      default:
        attribute satisfies never;
    }
  };
  const visitComponents = (
    value: unknown,
    attribute: EmbeddingAttribute,
    path: readonly string[],
    issues: Issue[],
  ): void => {
    const isList = Array.isArray(value);
    for (const [index, element] of (isList ? (value as readonly unknown[]) : [value]).entries()) {
      if (element === null || element === undefined) continue;
      countComponent(path);
      const component = isRecord(element) ? componentOf(attribute, element) : undefined;
      if (isRecord(element) && component !== undefined)
        visit(element, component.attributes, isList ? [...path, String(index)] : path, issues);
    }
  };
  const countComponent = (path: readonly string[]): void =>
    count('components', components, path, `${path.join('.') || 'The data'} has too many components (COMPONENT_LIMIT)`);
  /**
   * The parts of a value, at all levels, without recursion. Of `blocks` the elements of lists and the objects, as those
   * that are no nodes are refused, each with an error; names are counted too of `json`.
   */
  const visitJson = (value: unknown, type: ScalarType, path: readonly string[]): void => {
    const isBlocks = type === 'blocks';
    const countPart = (): void =>
      isBlocks
        ? count('blockNodes', bounds.blockNodes, path, `${path.join('.')} has too many nodes`)
        : count('jsonValues', jsonValues, path, `${path.join('.')} has too many values (JSON_LIMIT)`);
    for (const pending = [value]; pending.length > 0;) {
      const outer = pending.pop();
      if (typeof outer !== 'object' || outer === null) continue;
      const isList = Array.isArray(outer);
      for (const inner of valuesIn(outer)) {
        if (isList || !isBlocks || isRecord(inner)) countPart();
        if (typeof inner === 'object') pending.push(inner);
      }
    }
  };
  const visit = (data: Data, attributes: Attributes, path: readonly string[], issues: Issue[]): void => {
    for (const [name, value] of Object.entries(data)) {
      const attribute = attributes.get(name);
      if (attribute !== undefined) visitValue(value, attribute, [...path, name], issues);
      else if (!beside.has(name))
        count('unknownNames', bounds.unknownNames, path, 'The data has too many names that no attribute has');
    }
  };
  return {
    /**
     * Counts data for an entry or a component. Data of another form is left to the validation.
     * @throws AppError validation if it is too much by now
     */
    add: ({ kind, attributes }: Pick<ContentType | Component, 'kind' | 'attributes'>, data: unknown): void => {
      if (kind === 'component') countComponent([]);
      if (!isRecord(data)) return;
      const issues: Issue[] = [];
      visit(data, attributes, [], issues);
      if (issues.length > 0) throw new AppError('validation', issues);
    },
  };
}

/** The count of the data of one request. */
export type DataCount = ReturnType<typeof openDataCount>;

/** The number of entries in a written relation of any form. */
function countNamed(value: unknown): number {
  if (Array.isArray(value)) return value.length;
  if (!isRecord(value)) return 1;
  const { set, connect, disconnect } = value;
  return [set, connect, disconnect].reduce<number>((sum, list) => sum + (Array.isArray(list) ? list.length : 0), 0);
}
