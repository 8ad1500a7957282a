import type { Document } from 'mongodb';
import type { ComponentPath } from '../../../content-types/model/component-paths.js';

/** The stage that adds the components at one path of the entries of a type, each as a document like an entry. */
export function takeOut({ type, steps }: ComponentPath): Document {
  const pipeline = steps.flatMap(({ attribute, component }) => [
    { $unwind: `$${attribute.name}` },
    { $replaceWith: `$${attribute.name}` },
    ...(attribute.kind === 'zone' ? [{ $match: { __component: component.uid } }] : []),
  ]);
  return { $unionWith: { coll: type.collectionName, pipeline: [...pipeline, { $set: { _id: '$id' } }] } };
}
