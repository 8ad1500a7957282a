import type { Db } from 'mongodb';
import type { Attribute, Component, ContentType } from '../../../content-types/model/types.js';
import { fieldsOfTrash } from '../../stored/trash.js';
import { entryFields, localeFields, type Scan } from '../check/scan-entry.js';
import { isFields, isNothing } from '../check/stored-kinds.js';
import { formExpected } from '../check/value-rules.js';
import { translated } from '../../errors.js';

/** The mismatch of a stored entry with a definition that changed later; the same message for all such entries. */
export type Unfit = string;

/** The names are as in definitions; `around` is the uid of a component, followed by a dot. */
const lacksValue = (name: string, around = ''): Unfit => `${around}${name}${LACKING}`;
const LACKING = ' is required, and has no value';
const isUnexpected = (name: string, around = ''): Unfit => `${around}${name}${UNEXPECTED}`;
const UNEXPECTED = ' has a value, and is not an attribute';

/** The name with `around` of a value without an attribute; undefined for other mismatches. */
export const unexpectedName = (unfit: Unfit): string | undefined =>
  unfit.endsWith(UNEXPECTED) ? unfit.slice(0, -UNEXPECTED.length) : undefined;

/** The name with `around` of a required attribute without a value; undefined for other mismatches. */
export const lackingName = (unfit: Unfit): string | undefined =>
  unfit.endsWith(LACKING) ? unfit.slice(0, -LACKING.length) : undefined;

/**
 * Whether a published entry needs a value. An entry may have lost a required relation together with its target, and
 * users who log in by a provider have no password.
 */
export const isDemanded = (attribute: Attribute): boolean =>
  attribute.required &&
  (attribute.kind === 'component' ||
    attribute.kind === 'zone' ||
    (attribute.kind === 'scalar' && attribute.type !== 'password'));

/** `migrate` removes locales from types that are no longer localized. */
const fieldsBesideAttributes: readonly string[] = [...entryFields, ...localeFields, ...fieldsOfTrash];

/** The fields of an entry itself or of one of its components. */
interface Part {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly schema: ContentType | Component;
  /** Fields beside the attributes. */
  readonly allowedFields: readonly string[];
  readonly around?: string;
}

const partsOf = ({ type, document, components }: Scan): readonly Part[] => [
  { fields: document, schema: type, allowedFields: fieldsBesideAttributes },
  ...components.flatMap(({ component, value }): readonly Part[] =>
    component !== undefined && isFields(value)
      ? [{ fields: value, schema: component, allowedFields: ['id', '__component'], around: `${component.uid}.` }]
      : [],
  ),
];

/** Missing required values; drafts may lack any. */
export function findLacking(scan: Scan): readonly Unfit[] {
  const { type, document } = scan;
  if (type.draftAndPublish && isNothing(document['publishedAt'])) return [];
  const lacking = partsOf(scan).flatMap(({ fields, schema, around }) =>
    [...schema.attributes.values()]
      .filter((attribute) => isDemanded(attribute) && isNothing(fields[attribute.name]))
      .map(({ name }) => lacksValue(name, around)),
  );
  return [...new Set(lacking)];
}

/**
 * Values of another form than their attributes have now, e.g. texts of a number, or components that a zone has no
 * longer.
 */
function findMisformed({ scalars, relations, morphs, embedded, components }: Scan): readonly Unfit[] {
  const misformed = [...scalars, ...relations, ...morphs, ...embedded].flatMap(({ attribute, value, around }) => {
    const form = formExpected({ attribute, value });
    return form === undefined ? [] : [`${around === undefined ? '' : `${around}.`}${attribute.name} must be ${form}`];
  });
  const strangers = components.flatMap(({ attribute, component }) =>
    component === undefined ? [`${attribute.name} contains components that it does not allow`] : [],
  );
  return [...new Set([...misformed, ...strangers])];
}

/**
 * The mismatches of an entry with its content type: missing required values, values without an attribute or of another
 * form.
 */
export function findUnfit(scan: Scan): readonly Unfit[] {
  const unfit = partsOf(scan).flatMap(({ fields, schema, allowedFields, around }) =>
    Object.keys(fields)
      .filter((name) => !schema.attributes.has(name) && !allowedFields.includes(name))
      .map((name) => isUnexpected(name, around)),
  );
  return [...findLacking(scan), ...new Set(unfit), ...findMisformed(scan)];
}

/**
 * The number of entries of a content type per mismatch. Components are not checked: the database counts, and no entries
 * are transferred.
 * @param timeout milliseconds
 */
export async function countUnfit(
  db: Db,
  type: ContentType,
  timeout: number,
): Promise<readonly { readonly unfit: Unfit; readonly entries: number }[]> {
  const collection = db.collection(type.collectionName);
  const options = { maxTimeMS: timeout, allowDiskUse: false };
  const demanded = [...type.attributes.values()].filter(isDemanded).map(({ name }) => name);
  const fields = [...type.attributes.keys(), ...fieldsBesideAttributes];
  return translated(async () => {
    const [sums = {}] =
      demanded.length === 0
        ? []
        : await collection
            .aggregate<Record<string, number>>(
              [
                { $match: type.draftAndPublish ? { _live: 1 } : {} },
                {
                  $group: Object.fromEntries([
                    ['_id', null],
                    ...demanded.map((name, at) => [`n${at}`, { $sum: { $cond: [{ $gt: [`$${name}`, null] }, 0, 1] } }]),
                  ]),
                },
              ],
              options,
            )
            .toArray();
    const names = await collection
      .aggregate<{ readonly _id: string; readonly entries: number }>(
        [
          { $project: { _id: 0, names: { $map: { input: { $objectToArray: '$$ROOT' }, in: '$$this.k' } } } },
          { $project: { names: { $setDifference: ['$names', fields] } } },
          { $unwind: '$names' },
          { $group: { _id: '$names', entries: { $sum: 1 } } },
          { $sort: { _id: 1 } },
        ],
        options,
      )
      .toArray();
    const missing = demanded.map((name, at) => ({ unfit: lacksValue(name), entries: sums[`n${at}`] ?? 0 }));
    return [...missing, ...names.map(({ _id, entries }) => ({ unfit: isUnexpected(_id), entries }))].filter(
      ({ entries }) => entries > 0,
    );
  });
}
