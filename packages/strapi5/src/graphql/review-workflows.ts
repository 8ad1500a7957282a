import type { Attribute, ContentType, Registry } from 'content-service/plugin';

const attribute = (name: string, required = false) =>
  ({ name, required, private: false, writable: true, pluginOptions: {} }) as const;

type Dialect = Registry['dialect'];

const scalarOf =
  (dialect: Dialect) =>
  (name: string, type: 'string' | 'json' | 'datetime', required = false, writable = true): Attribute => ({
    ...attribute(name, required),
    writable,
    kind: 'scalar',
    type,
    dialect,
    unique: false,
    searchable: false,
  });

const contentType = (singularName: string, dialect: Dialect): Omit<ContentType, 'attributes'> => ({
  kind: 'collectionType',
  uid: `plugin::review-workflows.${singularName}`,
  displayName: singularName,
  collectionName: singularName,
  dialect,
  singularName,
  pluralName: `${singularName}s`,
  draftAndPublish: false,
  populateCreatorFields: false,
  indexes: [],
  pluginOptions: {},
  parameters: [],
});

/**
 * The types of Strapi 5's review workflows, which its schema always has. They have no entries here, and nobody has a
 * permission for them.
 */
export function reviewWorkflows(dialect: Dialect): readonly ContentType[] {
  const scalar = scalarOf(dialect);
  const dates = [scalar('createdAt', 'datetime', false, false), scalar('updatedAt', 'datetime', false, false)];
  const stageAttributes = new Map<string, Attribute>();
  const stage: ContentType = { ...contentType('workflow-stage', dialect), attributes: stageAttributes };
  const toStage = { kind: 'relation', target: stage, media: false } as const;
  const workflow: ContentType = {
    ...contentType('workflow', dialect),
    attributes: byName([
      scalar('name', 'string', true),
      { ...attribute('stages'), ...toStage, relation: 'oneToMany', many: true, side: 'inverse', inverse: 'workflow' },
      { ...attribute('stageRequiredToPublish'), ...toStage, relation: 'oneToOne', many: false, side: 'owner' },
      scalar('contentTypes', 'json', true),
      ...dates,
    ]),
  };
  const toWorkflow: Attribute = {
    ...attribute('workflow'),
    kind: 'relation',
    relation: 'manyToOne',
    target: workflow,
    many: false,
    side: 'owner',
    inverse: 'stages',
    media: false,
  };
  for (const each of [scalar('name', 'string'), scalar('color', 'string'), toWorkflow, ...dates])
    stageAttributes.set(each.name, each);
  return [workflow, stage];
}

const byName = (attributes: readonly Attribute[]): ContentType['attributes'] =>
  new Map(attributes.map((each) => [each.name, each]));
