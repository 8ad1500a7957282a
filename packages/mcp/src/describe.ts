import lodash from 'lodash';
import {
  allowedComponents,
  AppError,
  type Attribute,
  attributeTypes,
  type Caller,
  type Component,
  type ContentType,
  describeContent,
  type DescribedModel,
  generatedNames,
  holdsComponents,
  type PluginContext,
  defined,
  type Data,
} from 'content-service/plugin';
import { findType } from './plan.js';

/**
 * Lists the content types that the caller may read or write, or describes one of them with examples.
 * @throws AppError badRequest, forbidden
 */
export function describe(context: PluginContext, caller: Caller, name?: string): Data {
  const { registry } = context;
  if (name === undefined) {
    const { contentTypes, files } = describeContent(context, caller);
    return { contentTypes: contentTypes.filter(({ plain }) => !plain).map(summaryOf), files };
  }
  const type = findType(registry, name);
  const contentTypes = new Map([[type.uid, type]]);
  const content = describeContent({ ...context, registry: { ...registry, contentTypes } }, caller);
  const [described] = content.contentTypes;
  if (described === undefined) throw new AppError('forbidden');
  const attributes = described.attributes.filter((one) => one.create && !generatedNames.has(one.name));
  const given = attributes.map((attribute) => attribute.name);
  const example = { ...lodash.pick(exampleData(type), given), ...(type.draftAndPublish && { publishedAt: null }) };
  return {
    ...withExamples(described, type),
    ...(given.length > 0 && { example }),
    components: content.components.map((one) => withExamples(one, registry.components.get(one.uid))),
  };
}

/** What no definition file declares, of entries. */
const generated: ReadonlyMap<string, Data> = new Map([
  ['locale', { description: 'A locale code; absent: the default locale' }],
  ['publishedAt', { description: 'When it was published; null for a draft' }],
]);

function summaryOf(described: DescribedModel): Data {
  const { attributes: _, plain: __, ...summary } = described;
  return summary;
}

/** A description with explanations of the attributes. */
const withExamples = (described: DescribedModel, model?: ContentType | Component): Data => ({
  ...summaryOf(described),
  attributes: described.attributes.map((one) => {
    const attribute = model?.attributes.get(one.name);
    const ofEntry = model?.kind === 'component' ? undefined : generated.get(one.name);
    return { ...one, ...(ofEntry ?? (attribute && explain(attribute))) };
  }),
});

/** What the values of an attribute are, and one that can be written; none where a pattern decides. */
interface Explanation {
  readonly description: string;
  readonly example?: unknown;
}

/** Explains the values of an attribute. Components are explained by their own attributes. */
function explain(attribute: Attribute): Explanation {
  switch (attribute.kind) {
    case 'scalar': {
      const { description, example } = attributeTypes[attribute.type];
      return { description, example: attribute.default ?? example(attribute) };
    }
    case 'relation':
    case 'morphed':
      return attribute.many
        ? { description: 'A list of ids; {"connect": [3], "disconnect": [4]} changes it', example: [1] }
        : { description: 'An id, or null', example: 1 };
    case 'morph': {
      const link = { __type: 'api::article.article', id: 1 };
      return attribute.many
        ? { description: 'A list of links to entries of any type', example: [link] }
        : { description: 'A link to an entry of any type, or null', example: link };
    }
    case 'component':
      return { description: attribute.repeatable ? 'A list of components' : 'A component, or null' };
    case 'zone':
      return { description: 'A list of components, each with its uid as "__component"' };
    default:
      return attribute satisfies never;
  }
}

/** Values for a new entry, without links: which entries and files there are differs. */
export function exampleData({ attributes }: ContentType | Component): Data {
  const valueOf = (attribute: Attribute): unknown => {
    if (attribute.kind === 'scalar') return explain(attribute).example;
    if (!holdsComponents(attribute)) return undefined;
    if (attribute.kind === 'component' && !attribute.repeatable) return exampleData(attribute.component);
    const values = allowedComponents(attribute).map((component) => ({
      ...(attribute.kind === 'zone' && { __component: component.uid }),
      ...exampleData(component),
    }));
    const { min = 1, max = Infinity } = attribute;
    const count = Math.min(Math.max(values.length, min), max);
    return Array.from({ length: count }, (_, index) => values[index % values.length]);
  };
  const written = [...attributes.values()].filter(({ writable }) => writable);
  return defined(Object.fromEntries(written.map((attribute) => [attribute.name, valueOf(attribute)])));
}
