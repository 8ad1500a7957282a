import type { Models, Named } from '../strapi.js';

/** The metadata of a model in Strapi v4's query engine, without join tables, because there are none. */
interface Metadata {
  readonly uid: string;
  readonly singularName: string;
  readonly tableName: string;
  readonly attributes: Named<Named>;
}

const file = 'plugin::upload.file';

/** The form of attributes that Strapi v4's query engine stores as relations. */
const relations: Readonly<Record<string, (attribute: Named) => Named>> = {
  component: ({ repeatable, component }) => ({
    type: 'relation',
    relation: repeatable === true ? 'oneToMany' : 'oneToOne',
    target: component as unknown,
  }),
  dynamiczone: () => ({ type: 'relation', relation: 'morphToMany' }),
  media: ({ multiple }) => ({
    type: 'relation',
    relation: multiple === true ? 'morphMany' : 'morphOne',
    target: file,
    morphBy: 'related',
  }),
};

/** `strapi.db.metadata`: the content types and components by uid. */
export function createMetadata({ contentTypes, components }: Models): ReadonlyMap<string, Metadata> {
  const models = [...Object.values(contentTypes), ...Object.values(components)];
  return new Map(
    models.map(({ uid, modelName, collectionName, attributes }) => {
      const own = Object.entries(attributes).map(([name, attribute]) => [
        name,
        relations[String(attribute['type'])]?.(attribute) ?? attribute,
      ]);
      const described = { id: { type: 'increments' }, ...(Object.fromEntries(own) as Named<Named>) };
      return [uid, { uid, singularName: modelName, tableName: collectionName, attributes: described }];
    }),
  );
}
