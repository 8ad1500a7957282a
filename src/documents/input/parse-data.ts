import { isRecord, type Data } from '../../config/record.js';
import type { ContentType } from '../../content-types/model/types.js';
import { AppError } from '../../errors/app-error.js';
import type { Issue } from '../../errors/codes.js';
import { system, type Caller } from '../caller.js';
import type { DocumentsContext } from '../context.js';
import { isDraft } from '../read.js';
import { hashPasswords } from '../write/passwords.js';
import { findTaken } from '../write/taken-values.js';
import { dataOf, forEachAttribute, relationTargets, withDefaults, type EntryInput } from './entry-input.js';
import { castData, parseEntry } from './parse-entry.js';
import { dropUnreadableTargets } from './permitted-data.js';
import { refuseRelations } from './relation-input.js';
import { findHiddenAnchor, findHiddenTargets, withoutHidden } from './hidden-targets.js';
import { orderOfIssues } from './validate/issue-order.js';
import type { Scope } from './validate/schema.js';
import type { Targets } from '../../mongo/read/missing-targets.js';
import { unknownAnchor } from '../../query/list-order.js';

/**
 * Parses the data of a new entry, or of an update of the one with this id; data that is not raw is checked.
 * @param checkedAs of an existing entry: it is saved in a working copy, and checked as a draft; or published, and
 * checked as that. Default: as it is
 * @throws AppError notFound, validation, invalidValue
 */
export const parseData = (
  context: DocumentsContext,
  type: ContentType,
  id: number | undefined,
  { data, hidden }: { readonly data: Data; readonly hidden?: Targets | undefined },
  raw: boolean,
  checkedAs?: CheckedAs,
): Promise<EntryInput> =>
  raw
    ? parseAsIs(context, type, data, id === undefined, hidden)
    : parseWritten(context, type, id, data, hidden, checkedAs);

type CheckedAs = 'draft' | 'published' | undefined;

/**
 * Checks and parses the data of a new entry, or of an update of the one with this id. Data that is valid for a
 * published entry is valid for a draft, so an existing entry is read only when it is not.
 * @param hidden entries that do not exist for the caller
 * @throws AppError notFound, validation with all issues
 */
async function parseWritten(
  context: DocumentsContext,
  type: ContentType,
  id: number | undefined,
  data: Data,
  hidden?: Targets,
  checkedAs?: CheckedAs,
): Promise<EntryInput> {
  const isNew = id === undefined;
  const cast = castData(data, type.attributes, stampsOf(isNew));
  const validate = (isDraft: boolean) => context.validator.check(type, { isNew, isDraft }, cast);
  const written = validate(isNew && type.draftAndPublish && data['publishedAt'] === null);
  const issues = checkedAs === 'published' ? [...written, ...issuesOfNewComponents(context, type, cast)] : written;
  const parsed = await parse(context, type, cast, { isNew, hidden });
  const isValid = issues.length === 0 && parsed.relationIssue === undefined;
  const isWhole = isNew || isValid || checkedAs === 'published';
  const isChecked = isWhole || !(checkedAs === 'draft' || (await isDraft(context, type, id)));
  return acceptOrThrow(context, type, id, parsed, isChecked ? issues : validate(true));
}

/**
 * What the new components in the data of an update lack. An update checks only what it contains, but nothing of these
 * is stored yet.
 */
const issuesOfNewComponents = (
  { validator }: Pick<DocumentsContext, 'validator'>,
  type: ContentType,
  cast: Data,
): readonly Issue[] =>
  validator
    .check(type, { isNew: true, isDraft: false }, cast)
    .filter(({ path, rule }) => rule === 'required' && isInNewComponent(cast, path));

/** Whether the path leads to an attribute of a component without an id, through others without one. */
function isInNewComponent(data: Data, path: readonly string[]): boolean {
  let value: unknown = data;
  for (const name of path.slice(0, -1)) {
    value = isRecord(value)
      ? value[name]
      : Array.isArray(value)
        ? (value as readonly unknown[])[Number(name)]
        : undefined;
    if (isRecord(value) && value['id'] !== undefined) return false;
  }
  return path.length > 1;
}

/**
 * Checked and cast data: of a new entry, or of a change of the one with an id, with defaults and hashed passwords, as
 * writes with `raw` take it; or data that the service does not write, with passwords as they are.
 * @throws AppError notFound, validation, invalidValue, missingRelations
 */
export async function validateData(
  context: DocumentsContext,
  type: ContentType,
  written: unknown,
  validation: { readonly id: number | undefined } | Validation,
): Promise<Data> {
  const isOnlyChecked = 'isNew' in validation;
  const client = isOnlyChecked ? validation.client : undefined;
  const permitted = dropUnreadableTargets(written, type, client ?? system);
  const hidden = client && (await findHiddenTargets(context, type, permitted, client));
  const { isNew } = isOnlyChecked ? validation : { isNew: validation.id === undefined };
  const parsed = await (isOnlyChecked
    ? parseAs(context, type, permitted, { ...validation, hidden })
    : parseWritten(context, type, validation.id, permitted));
  const entry = isNew ? withDefaults(parsed, type.attributes, true) : parsed;
  return dataOf(isOnlyChecked ? entry : await hashPasswords(entry, context.passwords));
}

/** How data is validated that is not written. */
export interface Validation extends Scope {
  /** The entry whose unique values are not taken. */
  readonly id?: number | undefined;
  /** Who would write it: entries that are hidden from it do not exist. */
  readonly client?: Caller;
}

/** Checks and parses data, its unique values too. @throws AppError validation, with all issues */
async function parseAs(
  context: DocumentsContext,
  type: ContentType,
  data: Data,
  { id, ...scope }: Validation & { readonly hidden: Targets | undefined },
): Promise<EntryInput> {
  const cast = castData(data, type.attributes);
  const issues = context.validator.check(type, scope, cast);
  return acceptOrThrow(context, type, id, await parse(context, type, cast, scope), issues, true);
}

/**
 * Casts and parses data of code without validating it. The targets of its relations must exist nevertheless.
 * @param hidden entries that do not exist for the caller
 * @throws AppError validation, invalidValue
 */
export async function parseAsIs(
  context: DocumentsContext,
  type: ContentType,
  data: Data,
  isNew: boolean,
  hidden?: Targets,
): Promise<EntryInput> {
  return entryIn(await parse(context, type, castData(data, type.attributes, stampsOf(isNew)), { isNew, hidden }));
}

/**
 * The times that code and hooks set. That of the last change they set for a new entry only: later it tells one change
 * from another.
 */
const stampsOf = (isNew: boolean): readonly string[] => (isNew ? ['createdAt', 'updatedAt'] : ['createdAt']);

interface Parsed {
  readonly entry: EntryInput;
  /** The first problem of its relations: an invalid relation, or a missing target. */
  readonly relationIssue: string | undefined;
  /** The attributes and ids behind that, which Strapi's message leaves out. */
  readonly relationReason?: string | undefined;
  readonly morphIssue: string | undefined;
  /** A link with a position next to an entry that does not exist for the caller. */
  readonly misplaced: ReturnType<typeof findHiddenAnchor>;
}

async function parse(
  context: DocumentsContext,
  type: ContentType,
  cast: Data,
  { isNew, hidden = new Map() }: { readonly isNew: boolean; readonly hidden?: Targets | undefined },
): Promise<Parsed> {
  const { entry: written, problems } = parseEntry(cast, type.attributes, isNew);
  const entry = withoutHidden(written, hidden);
  const missing = problems.relation === undefined ? await findMissingTarget(context, entry, hidden) : undefined;
  const relationIssue = problems.relation ?? missing?.issue;
  return {
    entry,
    relationIssue,
    relationReason: missing?.reason,
    morphIssue: problems.morph,
    misplaced: findHiddenAnchor(entry, hidden),
  };
}

async function findMissingTarget(
  { store }: DocumentsContext,
  entry: EntryInput,
  hidden: Targets,
): Promise<{ readonly issue: string; readonly reason: string } | undefined> {
  const targets = relationTargets(entry);
  const missing = await store.missing(targets);
  for (const [type, ids] of targets) {
    const absent = [...ids].filter((id) => missing.get(type)?.includes(id) || hidden.get(type)?.has(id));
    if (absent.length === 0) continue;
    const issue = `${absent.length} relation(s) of type ${type.uid} associated with this entity do not exist`;
    return { issue, reason: `${namesOfRelations(entry, type).join(', ')}: there is no ${absent.join(', ')}` };
  }
  return undefined;
}

/** The relations to a type that the data has. */
function namesOfRelations(entry: EntryInput, type: ContentType): readonly string[] {
  const names = new Set<string>();
  forEachAttribute(entry, (input) => {
    if (input.kind === 'relation' && input.attribute.target === type) names.add(input.attribute.name);
  });
  return [...names];
}

/**
 * If there are issues, taken unique values are reported as well; otherwise the database refuses them when the data is
 * written.
 */
async function acceptOrThrow(
  context: DocumentsContext,
  type: ContentType,
  id: number | undefined,
  parsed: Parsed,
  issues: readonly Issue[],
  isOnlyChecked = false,
): Promise<EntryInput> {
  const { entry, relationIssue } = parsed;
  const invalid =
    relationIssue === undefined ? issues : [...issues, { path: [], message: relationIssue, rule: 'target' as const }];
  if (invalid.length > 0 || isOnlyChecked) {
    const paths = new Set(invalid.map(({ path }) => path.join('.')));
    const taken = (await findTaken(context, type, entry, id)).filter(({ path }) => !paths.has(path.join('.')));
    const all = [...invalid, ...taken];
    if (all.length > 0)
      throw withReason(new AppError('validation', all.toSorted(orderOfIssues(type.attributes))), parsed);
  }
  return entryIn(parsed);
}

const withReason = (error: AppError, { relationReason }: Parsed): AppError =>
  relationReason === undefined ? error : error.because(relationReason);

/** @throws AppError validation, invalidValue */
function entryIn(parsed: Parsed): EntryInput {
  const { entry, relationIssue, morphIssue, misplaced } = parsed;
  const issue = relationIssue ?? morphIssue;
  if (issue !== undefined) throw withReason(refuseRelations(issue), parsed);
  if (misplaced !== undefined) throw unknownAnchor(misplaced.id, misplaced.position);
  return entry;
}
