import { system } from '../../documents/caller.js';
import { isRecord } from '../../config/record.js';
import type { Selection } from '../../query/ast.js';
import { isNothing } from '../../query/parse/input.js';
import { FILE } from '../../plugins/upload/definitions.js';
import { findRelated, type RelatedRequest } from '../../plugins/upload/media/find-related.js';
import { readRelatedField } from '../../plugins/upload/media/related-field.js';
import type { Named, Runtime } from '../strapi.js';
import { parseLevel, present, shownFields, type Presented } from './parse-database-query.js';

/** `related` of files: the entries and components with a file in a media field, computed from their references. */
export const RELATED = { uid: FILE, name: 'related' } as const;

/**
 * Separates the parameters of a query for files from those of `related` in its populate; undefined: it is not
 * populated.
 * @throws Error for filters by it, as in Strapi v4
 */
export function takeRelated(uid: string, params: Named = {}): { rest: Named; related: Named | undefined } {
  if (uid !== RELATED.uid) return { rest: params, related: undefined };
  if ([params['where'], params['filters']].some((filters) => isRecord(filters) && RELATED.name in filters)) {
    throw new Error('You cannot filter on relation types');
  }
  return params['populate'] === true ? { rest: params, related: {} } : readRelatedField(params);
}

/** @throws Error for data of files with related entries, which are written with the media field of the entry */
export function refuseRelated(uid: string, data: unknown): void {
  if (uid !== RELATED.uid || isNothing((data as Named | null | undefined)?.[RELATED.name])) return;
  throw new Error('related of a file cannot be written: write the media field of the entry');
}

/** Adds the parameters that `takeRelated` separated to the converted ones. @param convert converts those of one type */
export function restoreRelated(converted: Named, related: Named | undefined, convert: (params: Named) => Named): Named {
  if (related === undefined) return converted;
  const { populate = [] } = converted;
  if (populate === true) return converted;
  const { on, ...common } = related;
  const types = Object.entries((on ?? {}) as Named<Named>).map(([type, params]) => [type, convert(params)] as const);
  const own = { ...convert(common), ...(!isNothing(on) && { on: Object.fromEntries(types) }) };
  const named = Array.isArray(populate)
    ? Object.fromEntries((populate as readonly string[]).map((name) => [name, true] as const))
    : (populate as Named);
  return { ...converted, populate: { ...named, [RELATED.name]: own } };
}

/** Parameters that would need a read of each type by itself. */
const refused = ['where', 'orderBy', 'limit', 'offset'] as const;

/**
 * Adds the related entries to files: one read for each content type with media fields.
 * @param related `select` and `populate`, or `on` with them by type
 * @throws Error for other parameters
 */
export async function addRelated(
  { plugins }: Runtime,
  files: readonly Named[],
  related: Named,
): Promise<readonly Named[]> {
  const { on, ...common } = related;
  const byType = isNothing(on) ? undefined : new Map(Object.entries(on as Named<Named>));
  for (const params of [common, ...(byType?.values() ?? [])]) {
    const name = refused.find((key) => !isNothing(params[key]));
    if (name !== undefined)
      throw new Error(`${name} of related entries of files is not supported: query their content type`);
  }
  const levels = new Map<string, { readonly selection: Selection; readonly presented: Presented }>();
  const select: RelatedRequest['select'] = ({ uid, attributes }) => {
    const params = byType === undefined ? common : byType.get(uid);
    const parsed = levels.get(uid);
    if (params === undefined || parsed !== undefined) return parsed?.selection;
    const names = isNothing(params['select']) ? undefined : [params['select']].flat();
    const { selection, presented } = parseLevel({ populate: params['populate'] }, attributes, {
      withId: true,
      audience: 'code',
    });
    const fields = shownFields(attributes).filter(({ name }) => names?.includes(name) ?? true);
    const level = { selection: { fields, populate: selection.populate }, presented };
    levels.set(uid, level);
    return level.selection;
  };
  const ids = files.map(({ id }) => Number(id));
  const entries = await findRelated(plugins, ids, { caller: system, form: 'plain', select });
  const shown = ({ __type, ...entry }: Named): Named => {
    const level = levels.get(String(__type));
    return { __type: __type as unknown, ...((level ? present(entry, level.presented) : entry) as Named) };
  };
  return files.map((file) => ({ ...file, [RELATED.name]: (entries.get(Number(file['id'])) ?? []).map(shown) }));
}
