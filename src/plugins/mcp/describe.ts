import type { Data } from '../../config/record.js';
import { generatedNames } from '../../content-types/model/system-attributes.js';
import type { Component, ContentType } from '../../content-types/model/types.js';
import type { Caller } from '../../documents/caller.js';
import { AppError } from '../../errors/app-error.js';
import { describeContent, type DescribedModel } from '../contract/describe-content.js';
import type { PluginContext } from '../contract/plugin.js';
import { exampleData, explain } from './examples.js';
import { findType } from './plan.js';

/** Lists the content types that the caller may read or write, or describes one of them with examples. @throws AppError badRequest, forbidden */
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
  const given = new Set(attributes.map((attribute) => attribute.name));
  const example = {
    ...exampleData(type, (attribute) => given.has(attribute.name)),
    ...(type.draftAndPublish && { publishedAt: null }),
  };
  return {
    ...withExamples(described, type),
    ...(given.size > 0 && { example }),
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
