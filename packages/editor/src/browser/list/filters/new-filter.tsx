import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState, type SyntheticEvent } from 'react';
import { readCounts, type Counts } from '../../api/entries.js';
import { useSession } from '../../api/session.js';
import { Choice } from '../../inputs/choice.js';
import { useTexts } from '../../language/language.js';
import { scalarTypes } from '../../model/attribute-types.js';
import { countsQuery } from '../../model/lists/list-query.js';
import { namesEntries, operatorsOf, type Filter, type ListState } from '../../model/lists/list-state.js';
import { dateKindOf } from '../../model/scalars.js';
import { isScalar, typeOf, type Attribute, type Content, type ContentType } from '../../model/schema.js';
import { EntryOperand } from './entry-operand.js';

/** Most lists are read without a filter by a date. */
const DateInput = lazy(async () => ({ default: (await import('../../inputs/dates/date-input.js')).DateInput }));

interface Props {
  readonly content: Content;
  readonly type: ContentType;
  /** The list to which it is added. */
  readonly state: ListState;
  readonly attributes: readonly Attribute[];
  readonly locale: string | undefined;
  readonly onAdd: (filter: Filter) => void;
  readonly onClose: () => void;
}

/** The line for another filter; Escape closes it. */
export function NewFilter({ content, type, state, attributes, locale, onAdd, onClose }: Props) {
  const texts = useTexts();
  const [name, setName] = useState(attributes[0]?.name ?? '');
  const attribute = attributes.find((other) => other.name === name);
  const target = attribute && targetOf(content, attribute);
  const operators = attribute === undefined ? [] : operatorsOf(attribute).filter(isPossible(attribute, target));
  const [chosen, setChosen] = useState('');
  const operator = operators.find((other) => other.name === chosen) ?? operators[0];
  const counts = useCounts({ content, type, state }, target === undefined ? undefined : attribute);
  const submit = (event: SyntheticEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const operand = new FormData(event.currentTarget).get('operand');
    const isMissing = operand === '' && operator !== undefined && namesEntries(operator);
    if (isMissing) event.currentTarget.querySelector<HTMLElement>('[role=combobox]')?.focus();
    else
      onAdd({ attribute: name, operator: operator?.name ?? '', operand: typeof operand === 'string' ? operand : '' });
  };
  return (
    <form
      className="new-filter"
      onSubmit={submit}
      onKeyDown={({ key, currentTarget, target: pressed }) => {
        // Lists that open over the page close by themselves.
        if (key === 'Escape' && pressed instanceof Node && currentTarget.contains(pressed)) onClose();
      }}
    >
      <Choice
        label={texts.filters.attribute}
        value={name}
        onChange={setName}
        options={attributes.map((other) => ({ value: other.name, label: other.label }))}
      />
      <Choice
        label={texts.filters.condition}
        value={operator?.name ?? ''}
        onChange={setChosen}
        options={operators.map((other) => ({ value: other.name, label: texts.operators[other.label] }))}
      />
      {attribute !== undefined &&
        operator?.unary !== true &&
        (target !== undefined && operator !== undefined && namesEntries(operator) ? (
          <EntryOperand
            key={attribute.name + operator.name}
            content={content}
            type={target}
            locale={locale}
            isList={operator.label === 'relatedToOne'}
            counts={counts}
          />
        ) : (
          <Operand key={attribute.name} {...{ content, type, state, attribute }} />
        ))}
      <button type="submit" className="primary">
        {texts.filters.apply}
      </button>
    </form>
  );
}

const targetOf = (content: Content, attribute: Attribute): ContentType | undefined =>
  attribute.type === 'relation' ? typeOf(content, attribute.targets[0] ?? '') : undefined;

/** Entries that the user may not list cannot be chosen, or found by their titles. */
const isPossible =
  (attribute: Attribute, target: ContentType | undefined) =>
  ({ unary }: { readonly unary: boolean }): boolean =>
    attribute.type !== 'relation' || unary || target?.actions.includes('find') === true;

const isTypedNumber = (attribute: Attribute): boolean =>
  isScalar(attribute) && ['number', 'digits'].includes(scalarTypes[attribute.type].value);

function Operand({
  attribute,
  ...list
}: Pick<Props, 'content' | 'type' | 'state'> & { readonly attribute: Attribute }) {
  const texts = useTexts();
  const label = texts.filters.value;
  const options =
    attribute.type === 'boolean'
      ? [
          { value: 'true', label: texts.common.yes },
          { value: 'false', label: texts.common.no },
        ]
      : 'values' in attribute
        ? attribute.values?.map((value) => ({ value, label: value }))
        : undefined;
  const counts = useCounts(list, options === undefined ? undefined : attribute);
  if (options !== undefined) {
    const counted = options.map((option) => ({ ...option, count: counts?.(option.value) }));
    return <Choice label={label} name="operand" defaultValue={options[0]?.value ?? ''} options={counted} />;
  }
  const kind = dateKindOf(attribute);
  if (kind !== undefined)
    return (
      <Suspense fallback={<div className="date" aria-busy />}>
        <DateInput kind={kind} granularity="minute" label={label} name="operand" required />
      </Suspense>
    );
  return (
    <label>
      {label}
      <input name="operand" required inputMode={isTypedNumber(attribute) ? 'decimal' : undefined} dir="auto" />
    </label>
  );
}

/**
 * How many entries of the list there are of each value; undefined until they are counted, and where code of the project
 * answers lists.
 */
function useCounts(
  { content, type, state }: Pick<Props, 'content' | 'type' | 'state'>,
  attribute: Attribute | undefined,
): Counts | undefined {
  const { api } = useSession();
  const query = attribute && countsQuery(content, type, state, attribute);
  const { data } = useQuery({
    queryKey: ['list', type.path, 'counts', query],
    enabled: query !== undefined && !type.plain,
    queryFn: ({ signal }) => (query === undefined ? undefined : readCounts(api, type, query, signal)),
    retry: false,
  });
  return data;
}
