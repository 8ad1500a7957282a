import type { Data } from '../../config/record.js';
import { generatedNames } from '../../content-types/model/system-attributes.js';
import type { Component, ContentType, Registry } from '../../content-types/model/types.js';
import type { Caller } from '../../documents/caller.js';
import { AppError } from '../../errors/app-error.js';
import { describeContent } from '../contract/describe-content.js';
import type { PluginContext } from '../contract/plugin.js';
import { exampleData, explain } from './examples.js';
import { findType } from './plan.js';

/** A content type or a component, as it is described. */
interface Described extends Data {
  readonly uid: string;
  readonly plain?: boolean;
  readonly attributes: readonly DescribedAttribute[];
}

interface DescribedAttribute extends Data {
  readonly name: string;
  readonly create: boolean;
}

interface Content extends Data {
  readonly contentTypes: readonly Described[];
  readonly components: readonly Described[];
}

/** Lists the content types that the caller may read or write, or describes one of them with examples. @throws AppError badRequest, forbidden */
export function describe({ registry, settings, auth, http }: PluginContext, caller: Caller, name?: string): Data {
  const read = (contentTypes: Registry['contentTypes']): Content =>
    describeContent({ ...registry, contentTypes }, caller, {
      offered: auth.actions,
      drafts: settings.drafts,
      fileLimit: http.fileLimit,
    }) as Content;
  if (name === undefined) {
    const { contentTypes, files } = read(registry.contentTypes);
    return { contentTypes: contentTypes.filter(({ plain }) => plain !== true).map(summaryOf), files };
  }
  const type = findType(registry, name);
  const { contentTypes, components } = read(new Map([[type.uid, type]]));
  const [described] = contentTypes;
  if (described === undefined) throw new AppError('forbidden');
  const isGiven = ({ name: one, create }: DescribedAttribute): boolean => create && !generatedNames.has(one);
  const given = new Set(described.attributes.filter(isGiven).map((attribute) => attribute.name));
  const example = {
    ...exampleData(type, (attribute) => given.has(attribute.name)),
    ...(type.draftAndPublish && { publishedAt: null }),
  };
  return {
    ...withExamples(described, type),
    ...(given.size > 0 && { example }),
    components: components.map((one) => withExamples(one, registry.components.get(one.uid))),
  };
}

/** What no definition file declares, of entries. */
const generated: ReadonlyMap<string, Data> = new Map([
  ['locale', { description: 'A locale code; absent: the default locale' }],
  ['publishedAt', { description: 'When it was published; null for a draft' }],
]);

function summaryOf(described: Described): Data {
  const { attributes: _, plain: __, ...summary } = described;
  return summary;
}

/** A description with explanations of the attributes. */
const withExamples = (described: Described, model?: ContentType | Component): Data => ({
  ...summaryOf(described),
  attributes: described.attributes.map((one) => {
    const attribute = model?.attributes.get(one.name);
    const ofEntry = model?.kind === 'component' ? undefined : generated.get(one.name);
    return { ...one, ...(ofEntry ?? (attribute && explain(attribute))) };
  }),
});
