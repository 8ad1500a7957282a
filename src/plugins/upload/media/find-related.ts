import { isRecord, type Data } from '../../../config/record.js';
import type { Component, ContentType } from '../../../content-types/model/types.js';
import { componentsIn } from '../../../content-types/model/walk.js';
import { emptyQuery } from '../../../documents/context.js';
import { presentList } from '../../../documents/read-operation.js';
import type { RequestContext } from '../../../documents/request-context.js';
import { unbounded, isScalar, type PopulateNode, type Query, type Selection } from '../../../query/ast.js';
import { anyValues } from '../../../query/plugin-parameters.js';
import { isReadable } from '../../../query/visibility.js';
import { plainEntry, type EntryPresenter } from '../../../query/entry-presenter.js';
import { graphqlPresenter } from '../../contract/graphql/presenter.js';
import type { BuiltInContext } from '../../contract/built-in.js';
import { fileTypeOf } from '../definitions.js';

/** An entry or component with a file in a media field, and its selection. */
export type RelatedEntry = { readonly __type: string; readonly id: number } & Data;

/** The selection of a content type or component; undefined if it is not shown. */
export interface RelatedRequest extends RequestContext {
  readonly select: (of: ContentType | Component) => Selection | undefined;
  /** The form of entries that the selection populates. */
  readonly form: keyof typeof forms;
}

interface Form {
  readonly presenter: EntryPresenter;
  readonly relatedOf: (value: unknown) => unknown;
}

const forms = {
  graphql: {
    presenter: graphqlPresenter,
    relatedOf: (value) => (isRecord(value) ? (value['nodes'] ?? value['value']) : undefined),
  },
  plain: { presenter: plainEntry, relatedOf: (value) => value },
} as const satisfies Record<string, Form>;

/** The key of a media field while it is searched, which differs from that of a field that the selection populates. */
const searched = (name: string): string => `:${name}`;

/** More entries than one search returns. */
const MOST_RELATED = 10_000;

/**
 * The visible entries with these files in their media fields, by file id: one query per content type
 * that has such fields. In the order of Strapi v4: by the position in the field, then by the time of the write.
 */
export async function findRelated(
  context: BuiltInContext,
  ids: readonly number[],
  request: RelatedRequest,
): Promise<ReadonlyMap<number, readonly RelatedEntry[]>> {
  const requestedIds = new Set(ids);
  const uses: Use[] = [];
  for (const type of ids.length === 0 ? [] : context.registry.contentTypes.values()) {
    const selection = selectMedia(type, request);
    if (selection === undefined) continue;
    for (const entry of await findReferring(context, type, ids, selection, request)) {
      const { createdAt, ...others } = entry;
      const shown = selection.fields.some(({ name }) => name === 'createdAt') ? entry : others;
      uses.push(...usesIn(shown, type, timeOf(createdAt), forms[request.form]));
    }
  }
  const related = new Map(ids.map((id): [number, RelatedEntry[]] => [id, []]));
  for (const { file, entry, of } of uses.toSorted(inOrder)) {
    if (requestedIds.has(file) && request.caller.may(`${of.uid}.find`) && request.select(of) !== undefined) {
      related.get(file)?.push(entry);
    }
  }
  return related;
}

async function findReferring(
  { registry, documents }: BuiltInContext,
  type: ContentType,
  ids: readonly number[],
  { fields, populate }: Selection,
  request: RelatedRequest,
): Promise<readonly Data[]> {
  const { presenter } = forms[request.form];
  const { caller, signal, bytesRead } = request;
  const createdAt = type.attributes.get('createdAt');
  const query: Query = {
    ...emptyQuery(type),
    fields: [...new Set([...fields, ...(createdAt && isScalar(createdAt) ? [createdAt] : [])])],
    populate,
    filter: { kind: 'refers', to: fileTypeOf(registry), ids },
    pagination: { form: 'offset', start: 0, limit: MOST_RELATED, withCount: false },
    publicationState: 'stored',
    parameters: anyValues(type),
  };
  const { entries } = await documents.read(
    { action: 'find', query, caller, signal, bytesRead, presenter },
    presentList,
  );
  return entries as readonly Data[];
}

const onlyIds = { ...unbounded, fields: [], populate: [], publicationState: 'stored', count: false } as const;

/** The selection of a type, and all media fields that clients may read, also in components; undefined without any. */
function selectMedia(of: ContentType | Component, request: RelatedRequest): Selection | undefined {
  const media = [...of.attributes.values()].flatMap((attribute): readonly PopulateNode[] => {
    const key = searched(attribute.name);
    if (!isReadable(attribute, 'client')) return [];
    if (attribute.kind === 'relation' && attribute.media) return [{ kind: 'relation', key, attribute, query: onlyIds }];
    if (attribute.kind === 'component') {
      const inner = selectMedia(attribute.component, request);
      return inner === undefined ? [] : [{ kind: 'component', key, attribute, selection: { ...unbounded, ...inner } }];
    }
    if (attribute.kind !== 'zone') return [];
    const on = [...attribute.components].flatMap(([uid, component]) => {
      const inner = selectMedia(component, request);
      return inner === undefined ? [] : [[uid, { ...unbounded, ...inner }] as const];
    });
    return on.length === 0 ? [] : [{ kind: 'zone', key, attribute, on: new Map(on) }];
  });
  if (media.length === 0) return undefined;
  const { fields = [], populate = [] } = request.select(of) ?? {};
  return { fields, populate: [...media, ...populate] };
}

/** A file in a media field, with its owner and position. */
interface Use {
  readonly file: number;
  readonly position: number;
  /** The time of the entry's last write, in milliseconds. */
  readonly createdAt: number;
  readonly of: ContentType | Component;
  readonly entry: RelatedEntry;
}

const inOrder = (a: Use, b: Use): number => a.position - b.position || a.createdAt - b.createdAt;

const timeOf = (value: unknown): number => Date.parse(String(value)) || 0;

/** The files in an entry or component, those of its components first: Strapi v4 writes them first. */
function usesIn(data: Data, of: ContentType | Component, createdAt: number, form: Form): readonly Use[] {
  const fields = [...of.attributes.values()];
  const inner = fields.flatMap((attribute): readonly Use[] => {
    return componentsIn(data[searched(attribute.name)], attribute).flatMap(({ data: part, component }) =>
      component === undefined ? [] : usesIn(part, component, createdAt, form),
    );
  });
  const entry = { __type: of.uid, ...selectedOf(data) } as RelatedEntry;
  const own = fields.flatMap((attribute): readonly Use[] => {
    if (attribute.kind !== 'relation' || !attribute.media) return [];
    const files = [form.relatedOf(data[searched(attribute.name)])].flat().filter(isRecord);
    return files.map(({ id }, position) => ({ file: Number(id), position, createdAt, of, entry }));
  });
  return [...inner, ...own];
}

/** Without the values that were read only to find the files. */
const selectedOf = (data: Data): Data =>
  Object.fromEntries(Object.entries(data).filter(([key]) => key !== '__component' && !key.startsWith(searched(''))));
