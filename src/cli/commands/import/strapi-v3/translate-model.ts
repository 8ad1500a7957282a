import { isRecord, type Data } from '../../../../config/record.js';
import type { AttributeDefinition } from '../../../../content-types/model/definition.js';
import type { Item } from '../source.js';
import type { Model } from './load-models.js';

/** A relation of a v3 model. */
interface Relation {
  /** Undefined: to entries of any type. */
  readonly target: Model | undefined;
  readonly many: boolean;
  /** The attribute on the other side. */
  readonly via: string | undefined;
  readonly media: boolean;
}

/** The target of a v3 attribute; undefined for plain values and components. */
export function relationOf({ model, collection, via, plugin }: Data, models: readonly Model[]): Relation | undefined {
  const name = String(model ?? collection ?? '').toLowerCase();
  if (name === '') return undefined;
  const targetUid = typeof plugin === 'string' ? `plugin::${plugin}.${name}` : undefined;
  const target = models.find((candidate) =>
    targetUid === undefined ? !candidate.component && candidate.name === name : candidate.uid === targetUid,
  );
  const other = typeof via === 'string' && via !== '' ? via : undefined;
  return { target, many: model === undefined, via: other, media: targetUid === 'plugin::upload.file' };
}

/** A v3 model as Strapi v4 would define it, to be compared with the content types. */
export function translateModel({ uid, component, definition, attributes }: Model, models: readonly Model[]): Item {
  const { kind, options, pluginOptions } = definition;
  const translated = Object.entries(attributes).map(
    ([name, attribute]) => [name, translate(attribute, models)] as const,
  );
  // For plugins, the table of omitted attributes describes the differences.
  const compared = uid.startsWith('plugin::') ? [] : translated;
  return {
    kind: 'schema',
    uid,
    component,
    definition: {
      kind: kind === 'singleType' ? 'singleType' : 'collectionType',
      attributes: Object.fromEntries(compared),
      options: { draftAndPublish: isRecord(options) && options['draftAndPublish'] === true },
      pluginOptions: isRecord(pluginOptions) ? pluginOptions : {},
    },
  };
}

function translate(attribute: Data, models: readonly Model[]): AttributeDefinition {
  const relation = relationOf(attribute, models);
  if (relation === undefined) return { ...attribute, type: String(attribute['type']) };
  const { target, many, via, media } = relation;
  if (media) return { type: 'media', multiple: many };
  if (target === undefined) return { type: 'relation', relation: many ? 'morphToMany' : 'morphToOne' };
  const back = via === undefined ? undefined : target.attributes[via];
  const backToMany = back !== undefined && back['collection'] !== undefined;
  // One-way: one article has one author, who can have several. Strapi v4 calls that one-to-one.
  const from = via === undefined ? !many && 'one' : backToMany && 'many';
  const kind = `${from === false ? 'one' : from}To${many ? 'Many' : 'One'}`;
  return { type: 'relation', relation: kind, target: target.uid };
}
