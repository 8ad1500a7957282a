import { attributesFor, isPopulated, type Model } from 'content-service/content-api';
import { AppError, isReadable, type Attribute, type Audience } from 'content-service/plugin';

/** The attribute of a model that an audience can name. */
export function readable(model: Model, name: string, audience: Audience = 'documents'): Attribute | undefined {
  const attribute = attributesFor(model, audience).get(name);
  return attribute !== undefined && isReadable(attribute, audience) ? attribute : undefined;
}

/** Every type of Strapi 5 has these, also one without locales. */
const ofEveryType: ReadonlySet<string> = new Set(['locale', 'localizations', 'createdBy', 'updatedBy']);

/** Whether the model has an attribute of this name, also one that nobody reads: a message then has it in the path. */
export const isNamed = (model: Model, name: string, audience: Audience = 'documents'): boolean =>
  attributesFor(model, audience).has(name) || (model.kind !== 'component' && ofEveryType.has(name));

/** What an attribute leads to: entries or a component; undefined for values, zones and morphs. */
export function modelBehind(attribute: Attribute): Model | undefined {
  if (attribute.kind === 'relation' || attribute.kind === 'morphed') return attribute.target;
  return attribute.kind === 'component' ? attribute.component : undefined;
}

/** The attribute of a model that an audience can populate. */
export function populatable(model: Model, name: string, audience: Audience = 'documents'): Attribute | undefined {
  const attribute = readable(model, name, audience);
  return attribute === undefined || attribute.kind === 'scalar' || !isPopulated(attribute, audience)
    ? undefined
    : attribute;
}

/** The names that a text or a list of texts has, which commas separate. @throws AppError invalidParameter */
export function namesIn(input: unknown, param: string): readonly string[] {
  const texts: readonly unknown[] = Array.isArray(input) ? input : [input];
  return texts.flatMap((text) => {
    if (typeof text !== 'string') throw new AppError('invalidParameter', param);
    return text.split(',').map((name) => name.trim());
  });
}
