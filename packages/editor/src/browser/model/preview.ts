import { dataOf, type Data } from './body.js';
import { componentOf, formAttributes, isParts, type Attribute, type Content, type ContentType } from './schema.js';
import type { Part, Value, Values } from './values.js';

interface Stored {
  readonly id: number;
  readonly attributes: Readonly<Record<string, unknown>>;
}

/** The address of an entry in the site; undefined without one, and while a value in it is empty or hidden. */
export function previewOf({ preview }: Pick<ContentType, 'preview'>, { id, attributes }: Stored): string | undefined {
  const values = { ...attributes, id } as Readonly<Record<string, string | number | boolean | null | undefined>>;
  const names = [...(preview?.matchAll(/\{(\w+)\}/g) ?? [])].map(([, name = '']) => name);
  if (names.some((name) => (values[name] ?? '') === '')) return undefined;
  return preview?.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values[name])));
}

/** The origin of the frame that shows an address; undefined: its pages are not shown in a frame. */
export function frameOrigin({ frames }: Pick<Content, 'frames'>, address: string): string | undefined {
  const origin = URL.canParse(address) ? new URL(address).origin : '';
  return frames.includes(origin) ? origin : undefined;
}

/**
 * Values of a form as the API has them, for a site to show; without links, of which a form knows only titles, and
 * without what is hidden.
 */
export const typedOf = (content: Content, attributes: readonly Attribute[], values: Values): Data =>
  Object.fromEntries(
    attributes
      .filter(({ type, read }) => read && type !== 'relation' && type !== 'media')
      .flatMap((attribute) => {
        const value = shownValue(content, attribute, values[attribute.name] ?? null);
        return value === undefined ? [] : [[attribute.name, value]];
      }),
  );

/** Undefined: what is typed is no value yet, such as half of a list in JSON. */
function shownValue(content: Content, attribute: Attribute, value: Value): unknown {
  if (isParts(attribute)) {
    const parts = ((value ?? []) as readonly Part[]).map(({ component, id, values }) => ({
      ...(attribute.type === 'dynamiczone' && { __component: component }),
      ...(id !== undefined && { id }),
      ...typedOf(content, formAttributes(componentOf(content, component)), values),
    }));
    return attribute.multiple ? parts : (parts[0] ?? null);
  }
  try {
    return dataOf(content, attribute, value);
  } catch {
    return undefined;
  }
}

/** What the frame sends; undefined: it is no message to the editor. */
export type FromSite = { readonly kind: 'ready' } | { readonly kind: 'field'; readonly path: string };

/**
 * Reads a message of the site's page, which is not trusted: it can only say that it listens, and name a field of the
 * entry in the form.
 * @param entry `api::article.article:12`
 */
export function readMessage(data: unknown, entry: string): FromSite | undefined {
  const { kind, path, entry: of = entry } = Object((Object(data) as Data)['contentService']) as Data;
  if (kind === 'ready') return { kind };
  return kind === 'field' && typeof path === 'string' && of === entry ? { kind, path } : undefined;
}
