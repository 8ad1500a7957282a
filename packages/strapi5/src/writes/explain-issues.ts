import { labelOf, textOf, type FormContext } from 'content-service/content-api';
import {
  AppError,
  attributeTypes,
  componentOf,
  hasCode,
  holdsComponents,
  isComponentList,
  isRecord,
  type Attribute,
  type Attributes,
  type Caller,
  type ContentType,
  type Issue,
  type Rule,
} from 'content-service/plugin';
import { completeData, type Written } from './complete-data.js';
import type { DocumentWrite } from './write-documents.js';

/**
 * A write whose errors are those of Strapi 5: each with the value that it refuses, and of a write that publishes only
 * those of the draft, if that has any: it is saved first there (recorded: 20-writes/32).
 */
export async function explained<T>(
  context: FormContext,
  { type, status, request: { caller } }: Pick<DocumentWrite, 'type' | 'status' | 'request'>,
  written: Written,
  write: () => Promise<T>,
): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!hasCode(error, 'validation')) throw error;
    const isPublished = status === 'published' && type.draftAndPublish;
    const { issues } = error;
    if (!isRecord(written.data))
      throw new AppError(
        'validation',
        issues.map((issue) => ({ ...issue, value: null })),
      );
    const ofDraft = isPublished ? await issuesOfDraft(context, type, written, caller) : [];
    const shown = ofDraft.length > 0 ? ofDraft : isPublished ? issues.map((issue) => ofStored(issue, type)) : issues;
    throw new AppError(
      'validation',
      shown.map((issue) => withValue(issue, type, written)),
    );
  }
}

/** What Strapi 5 does not ask of drafts: length, form and uniqueness (recorded: 25-extra). */
const ofPublished: ReadonlySet<Rule> = new Set([
  'unique',
  'minLength',
  'min',
  'email',
  'regex',
  'minItems',
  'maxItems',
]);

/** The issues of the data as a draft, which may have what others have. */
async function issuesOfDraft(
  { documents }: FormContext,
  type: ContentType,
  { data, id }: Written,
  caller: Caller,
): Promise<readonly Issue[]> {
  try {
    await documents.validate(type, data, { isNew: id === undefined, isDraft: true, id, client: caller });
    return [];
  } catch (error) {
    if (!hasCode(error, 'validation')) return [];
    return error.issues.filter(({ rule }) => rule === undefined || !ofPublished.has(rule));
  }
}

/** An issue of a draft that is published: what it lacks is null there. */
function ofStored(issue: Issue, type: ContentType): Issue {
  const attribute = attributeAt(type.attributes, issue.path);
  const word = attribute && wordFor(attribute);
  if (word === undefined || issue.rule !== 'required') return issue;
  return {
    ...issue,
    message: `${labelOf(issue.path)} must be a \`${word}\` type, but the final value was: \`null\`.`,
    value: null,
  };
}

/** What Strapi's messages call the values of an attribute. */
function wordFor(attribute: Attribute): string | undefined {
  if (holdsComponents(attribute)) return isComponentList(attribute) ? 'array' : 'object';
  if (attribute.kind !== 'scalar') return undefined;
  if (attribute.type === 'boolean') return 'boolean';
  const { kind } = attributeTypes[attribute.type];
  if (kind === 'number') return 'number';
  return kind === 'text' ? 'string' : undefined;
}

/** The attribute at the path of an issue, which has places in lists. */
function attributeAt(attributes: Attributes, [name = '', ...rest]: readonly string[]): Attribute | undefined {
  const attribute = attributes.get(name);
  if (rest.length === 0 || attribute?.kind !== 'component') return rest.length === 0 ? attribute : undefined;
  const [first = ''] = rest;
  return attributeAt(attribute.component.attributes, /^\d+$/.test(first) ? rest.slice(1) : rest);
}

/** An issue with the value that it refuses, as Strapi has cast it; without one if the data has none. */
function withValue(issue: Issue, type: ContentType, written: Written): Issue {
  if ('value' in issue) return issue;
  const { path } = issue;
  const value = path.length === 0 ? completeData(type, written) : castAt(written.data, type.attributes, path);
  return value === undefined ? issue : { ...issue, value };
}

function castAt(data: unknown, attributes: Attributes | undefined, [name = '', ...rest]: readonly string[]): unknown {
  const isList = Array.isArray(data);
  const inner = isList ? (data[Number(name)] as unknown) : isRecord(data) ? data[name] : undefined;
  const attribute = isList ? undefined : attributes?.get(name);
  if (rest.length > 0) return castAt(inner, isList ? attributes : innerAttributes(attribute, inner), rest);
  if (attribute?.kind !== 'scalar' || attributeTypes[attribute.type].kind !== 'number') return inner;
  const number = Number(typeof inner === 'object' ? textOf(inner) : inner);
  return inner === undefined || inner === null || !Number.isNaN(number) ? inner : null;
}

function innerAttributes(attribute: Attribute | undefined, value: unknown): Attributes | undefined {
  if (!holdsComponents(attribute)) return undefined;
  if (attribute.kind === 'component') return attribute.component.attributes;
  return isRecord(value) ? componentOf(attribute, value)?.attributes : undefined;
}
