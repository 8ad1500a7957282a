import {
  componentOf,
  isParts,
  titleAttribute,
  typeOf,
  type Attribute,
  type Content,
  type ContentType,
  type Model,
} from './schema.js';
import { LINKS_LIMIT } from './values.js';

type Populate = Readonly<Record<string, object | true>>;

/** The query of a form: an entry with its components, files and related entries, but nothing behind those. */
export function entryQuery(content: Content, type: ContentType): { readonly populate: object } {
  const own = populateOf(content, type);
  return { populate: type.localized ? { ...own, localizations: { fields: ['locale'] } } : own };
}

function populateOf(content: Content, { attributes }: Model): Populate {
  return Object.fromEntries(
    attributes.flatMap((attribute) => {
      const populated = attribute.read ? populateAttribute(content, attribute) : undefined;
      return populated === undefined ? [] : [[attribute.name, populated]];
    }),
  );
}

function populateAttribute(content: Content, attribute: Attribute): object | true | undefined {
  if (isParts(attribute)) {
    if (attribute.type === 'component') return below(content, attribute.components[0] ?? '');
    return { on: Object.fromEntries(attribute.components.map((uid) => [uid, below(content, uid)])) };
  }
  if (attribute.type === 'media') return true;
  if (attribute.type !== 'relation' || attribute.name === 'createdBy' || attribute.name === 'updatedBy')
    return undefined;
  if (attribute.morph) {
    return { on: Object.fromEntries(attribute.targets.map((uid) => [uid, linkFields(typeOf(content, uid))])) };
  }
  // Drafts are related entries too; one more than the limit shows that there are more.
  const page = attribute.multiple ? { limit: LINKS_LIMIT + 1 } : {};
  return { ...linkFields(typeOf(content, attribute.targets[0] ?? '')), ...page, publicationState: 'preview' };
}

/** A component with everything in it. */
function below(content: Content, uid: string): object | true {
  const populate = populateOf(content, componentOf(content, uid));
  return Object.keys(populate).length === 0 ? true : { populate };
}

/** The fields that name a related entry. */
export function linkFields(type: ContentType | undefined): { readonly fields: readonly string[] } {
  const title = type === undefined ? undefined : titleAttribute(type);
  return {
    fields: [
      'id',
      ...(title === undefined ? [] : [title.name]),
      ...(type?.draftAndPublish === true ? ['publishedAt'] : []),
    ],
  };
}

/** The fields of a file that its thumbnail needs. */
export const thumbnailFields = ['name', 'url', 'mime', 'formats', 'alternativeText', 'updatedAt'] as const;
