import type { ContentType } from './schema.js';

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
