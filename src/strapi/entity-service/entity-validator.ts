import type { Model, Named, StrapiContext } from '../strapi.js';
import { checkData, unknownIn } from './entity-service.js';

type Validate = (
  model: Model,
  data: Named,
  options?: { readonly isDraft?: boolean },
  /** The entry that is updated. */
  entity?: Named | null,
) => Promise<Named>;

/** `strapi.entityValidator`: validates like the entity service, and returns the data with casts and defaults. */
export function createEntityValidator({ runtime }: StrapiContext): Named<Validate> {
  const validate =
    (action: 'creation' | 'update'): Validate =>
    async (model, data, { isDraft = false } = {}, entity) => {
      const { documents, registry } = runtime('strapi.entityValidator');
      const type = registry.contentTypes.get(model.uid);
      if (type === undefined)
        throw new Error(
          `strapi.entityValidator: "${model.uid}" is no content type; components are validated with their entry`,
        );
      checkData(data, action, model);
      const id = entity?.['id'] === undefined ? undefined : Number(entity['id']);
      const valid = await documents.validate(type, data, { isNew: action === 'creation', isDraft, id });
      return { ...unknownIn(data, type), ...valid };
    };
  return { validateEntityCreation: validate('creation'), validateEntityUpdate: validate('update') };
}
