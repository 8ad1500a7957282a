import lodash from 'lodash';
import { isRecord, type Data } from '../../config/record.js';
import type { Attribute, ContentType } from '../../content-types/model/types.js';
import { holdsComponents, isComponentList, mapComponents, type Model } from '../../content-types/model/walk.js';
import { AppError } from '../../errors/app-error.js';
import { withId } from '../../query/ast.js';
import { plainEntry } from '../../query/entry-presenter.js';
import { parseSelection } from '../../query/parse/parse-selection.js';
import { emptyQuery, type DocumentsContext } from '../context.js';
import type { AttributeInput, ComponentInput, EntryInput } from '../input/entry-input.js';
import { castData } from '../input/parse-entry.js';
import { isRequired } from '../input/validate/schema.js';
import { first } from '../read.js';

/**
 * Checks all of an entry that is published, as it is prepared and with what the write itself sets.
 * @throws AppError validation, naming the attributes
 */
export async function assertPublishable(
  context: DocumentsContext,
  type: ContentType,
  id: number,
  written: EntryInput,
): Promise<void> {
  const complete = withWritten(await preparedData(context, type, id), written);
  const data = castData(withoutNulls(complete, type), type.attributes);
  const issues = context.validator
    .check(type, { isNew: true, isDraft: false }, data)
    .filter(({ path: [name = ''] }) => !isHidden(type.attributes.get(name)));
  if (issues.length > 0) throw new AppError('validation', issues);
}

/** Whether its value is not read: it was checked when it was written. */
const isHidden = (attribute: Attribute | undefined): boolean =>
  attribute?.kind === 'morph' || (attribute?.kind === 'scalar' && attribute.type === 'password');

/** The values of an entry in its latest state, as the data of a new one; of relations only those that are required. */
export async function preparedData(context: DocumentsContext, type: ContentType, id: number): Promise<Data> {
  const complete = parseSelection({ populate: checkedOf(type) }, type, 'internal', {
    populateLimit: Number.MAX_SAFE_INTEGER,
  });
  const [found] = (await context.store.find(first(withId({ ...emptyQuery(type), ...complete, latest: true }, id))))
    .entries;
  return lodash.omit((found?.(plainEntry) ?? {}) as Data, 'id');
}

/** The data of an entry with what a write changes: components that it keeps have their other values. */
const withWritten = (data: Data, written: EntryInput): Data => ({
  ...data,
  ...Object.fromEntries([...written].map(([name, input]) => [name, afterWrite(data[name], input)])),
});

function afterWrite(value: unknown, input: AttributeInput): unknown {
  switch (input.kind) {
    case 'scalar':
      return input.value;
    case 'relation': {
      const { connect, disconnect, replaces } = input.change;
      const left = replaces ? [] : relatedIn(value).filter(({ id }) => !disconnect.includes(Number(id)));
      const related = [...left, ...connect.map(({ id }) => ({ id }))];
      return input.attribute.many ? related : (related.at(-1) ?? null);
    }
    case 'morph':
      return input.written;
    case 'components': {
      const stored = relatedIn(value);
      const changed = (component: ComponentInput): Data => ({
        ...(input.attribute.kind === 'zone' && { __component: component.component.uid }),
        ...withWritten(stored.find((one) => isSame(one, component)) ?? {}, component.values),
      });
      const components =
        input.isPartial === true
          ? stored.map((one) => {
              const kept = input.components.find((component) => isSame(one, component));
              return kept === undefined ? one : changed(kept);
            })
          : input.components.map(changed);
      return isComponentList(input.attribute) ? components : (components[0] ?? null);
    }
    default:
      return input satisfies never;
  }
}

const relatedIn = (value: unknown): readonly Data[] => [value].flat().filter(isRecord);

/** Whether a stored component is the one that a write names; in a zone those of two types can have the same id. */
const isSame = ({ id, __component }: Data, { id: named, component: { uid } }: ComponentInput): boolean =>
  id === named && (__component === undefined || __component === uid);

/** As a request has values: what is empty is absent, in components too. */
const withoutNulls = (values: Data, { attributes }: Pick<Model, 'attributes'>): Data =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => {
      if (value === null) return [];
      const attribute = attributes.get(name);
      if (attribute === undefined || !holdsComponents(attribute)) return [[name, value]];
      return [[name, mapComponents(value, attribute, (inner, component) => withoutNulls(inner, component))]];
    }),
  );

/** The components of a type, at all depths. */
export const componentsOf = (model: Pick<Model, 'attributes'>): Data => populated(model, () => false);

/** With the relations that are required. */
const checkedOf = (model: Pick<Model, 'attributes'>): Data =>
  populated(model, (attribute) => attribute.kind === 'relation' && isRequired(attribute));

/** @param isWanted whether the ids of a relation are read */
const populated = ({ attributes }: Pick<Model, 'attributes'>, isWanted: (attribute: Attribute) => boolean): Data =>
  Object.fromEntries(
    [...attributes.values()].flatMap((attribute): readonly (readonly [string, unknown])[] => {
      const { name } = attribute;
      if (isWanted(attribute)) return [[name, { fields: ['id'] }]];
      if (attribute.kind === 'component') return [[name, { populate: populated(attribute.component, isWanted) }]];
      if (attribute.kind !== 'zone') return [];
      const on = [...attribute.components.values()].map(({ uid, attributes: inner }) => [
        uid,
        { populate: populated({ attributes: inner }, isWanted) },
      ]);
      return [[name, { on: Object.fromEntries(on) as Data }]];
    }),
  );
