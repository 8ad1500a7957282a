import { isPopulated, type LoggedWrite, type FormContext } from 'content-service/content-api';
import { hasCode, isRecord, system, type Attribute, type Attributes, type Data } from 'content-service/plugin';
import { EVERY_LOCALE } from '../locale.js';
import { flatPresenter } from '../presenters.js';
import { parseList } from '../reads/parse-request.js';
import type { Status } from '../status.js';

/**
 * Reads entries as events have them: all relations, files and components, at each level of components, and nothing
 * behind related entries. Undefined: there is none with this status any more. What takes too much is left out.
 */
export function createReadDocument({ documents, limits }: Pick<FormContext, 'documents' | 'limits'>) {
  // What an event shows does not depend on what a client asks for.
  const parsing = {
    limits: { ...limits, populateLimit: Number.POSITIVE_INFINITY },
    strictParams: false,
    isNative: false,
  };
  const read = async (
    { type, id }: Pick<LoggedWrite, 'type' | 'id'>,
    status: Status,
    form: 'flat' | 'populated',
  ): Promise<object | undefined> => {
    const input = {
      filters: { id },
      status,
      locale: EVERY_LOCALE,
      populate: form === 'flat' ? undefined : populateAll(type),
      pagination: { pageSize: 1, withCount: false },
    };
    const query = parseList(input, type, parsing);
    const request = { action: 'find', query, caller: system, presenter: flatPresenter } as const;
    const entry = await documents.read(request, ({ page: { entries }, presenter }) => entries[0]?.(presenter));
    return isRecord(entry) ? entry : undefined;
  };
  return async (...[write, status, form]: Parameters<typeof read>): Promise<object | undefined> => {
    try {
      return await read(write, status, form);
    } catch (error) {
      // An event must not hold up those after it.
      if (form === 'populated' && hasCode(error, 'tooCostly')) return read(write, status, 'flat');
      throw error;
    }
  };
}

/** `populate` with everything of a content type or component. */
function populateAll({ attributes }: { readonly attributes: Attributes }): Data {
  return Object.fromEntries(
    [...attributes.values()].flatMap((attribute) => {
      const isShown = attribute.kind !== 'scalar' && isPopulated(attribute, 'documents');
      // Each localization has events of its own.
      return isShown && attribute.name !== 'localizations' ? [[attribute.name, populateOf(attribute)] as const] : [];
    }),
  );
}

function populateOf(attribute: Attribute): unknown {
  if (attribute.kind === 'component') return { populate: populateAll(attribute.component) };
  if (attribute.kind !== 'zone') return true;
  const on = [...attribute.components].map(([uid, component]) => [uid, { populate: populateAll(component) }] as const);
  return { on: Object.fromEntries(on) };
}
