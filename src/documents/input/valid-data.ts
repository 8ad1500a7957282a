import type { ContentType } from '../../content-types/model/types.js';
import { AppError } from '../../errors/app-error.js';
import type { Issue } from '../../errors/codes.js';
import type { Mode } from './validate/schema.js';
import { findRelationIssue } from './check-relations.js';
import type { Data, DocumentsContext } from '../context.js';
import { isDraft } from '../read.js';
import { castData } from './validate/cast.js';
import { findTaken } from '../write/taken-values.js';

/**
 * Checks data for a new entry; gives it cast.
 * @throws AppError validation, with all that is wrong
 */
export async function validForCreate(context: DocumentsContext, type: ContentType, data: Data): Promise<Data> {
  const draft = type.draftAndPublish && data['publishedAt'] === null;
  return orThrow(await check(context, type, draft ? 'draft' : 'create', data), context, type, undefined);
}

/**
 * Checks data for the entry with this id; gives it cast. What is good for a published entry is good for a draft, so
 * the entry is looked at only when it is not.
 * @throws AppError notFound, validation with all that is wrong
 */
export async function validForUpdate(
  context: DocumentsContext,
  type: ContentType,
  id: number,
  data: Data,
): Promise<Data> {
  const checked = await check(context, type, 'update', data);
  if (checked.issues.length === 0) return checked.data;
  const again = (await isDraft(context, type, id)) ? await check(context, type, 'draft', data) : checked;
  return orThrow(again, context, type, id);
}

/**
 * Casts data that is not validated. What its relations lead to must be there all the same.
 * @throws AppError validation
 */
export async function castAsIs(context: DocumentsContext, type: ContentType, input: Data): Promise<Data> {
  const data = castData(input, type.attributes);
  const related = await findRelationIssue(context, type, data);
  if (related !== undefined) throw new AppError('validation', [related]);
  return data;
}

interface Checked {
  readonly data: Data;
  readonly issues: readonly Issue[];
}

async function check(context: DocumentsContext, type: ContentType, mode: Mode, input: Data): Promise<Checked> {
  const { data, issues } = context.validator.check(type, mode, input);
  const related = await findRelationIssue(context, type, data);
  return { data, issues: related === undefined ? issues : [...issues, related] };
}

/** Once something is wrong, values that are taken are told as well; else the database refuses them. */
async function orThrow(
  { data, issues }: Checked,
  context: DocumentsContext,
  type: ContentType,
  id: number | undefined,
): Promise<Data> {
  if (issues.length === 0) return data;
  const wrong = new Set(issues.map(({ path }) => path.join('.')));
  const taken = (await findTaken(context, type, data, id)).filter(({ path }) => !wrong.has(path.join('.')));
  throw new AppError('validation', inOrder([...issues, ...taken], type));
}

/** In the order of the definition; what is wrong with the whole comes last. */
function inOrder(issues: readonly Issue[], { attributes }: ContentType): readonly Issue[] {
  const names = [...attributes.keys()];
  const placeOf = ({ path: [name] }: Issue): number => (name === undefined ? names.length : names.indexOf(name));
  return issues.toSorted((a, b) => placeOf(a) - placeOf(b));
}
