import { ListFilter } from 'lucide-react';
import { lazy, Suspense, useState, type SyntheticEvent } from 'react';
import type { Texts } from '../language/texts.js';
import { useTexts } from '../language/language.js';
import { filterable, operatorsOf, type Filter } from '../model/lists/list-state.js';
import { Choice } from '../inputs/choice.js';
import { scalarTypes } from '../model/attribute-types.js';
import { dateKindOf } from '../model/scalars.js';
import { isScalar, labelOf, type Attribute, type ContentType } from '../model/schema.js';

/** Most lists are read without a filter by a date. */
const DateInput = lazy(async () => ({ default: (await import('../inputs/dates/date-input.js')).DateInput }));

interface Props {
  readonly type: ContentType;
  readonly filters: readonly Filter[];
  readonly onChange: (filters: readonly Filter[]) => void;
}

/** The conditions of a list, and a form that adds one. */
export function Filters({ type, filters, onChange }: Props) {
  const texts = useTexts();
  const [isOpen, setOpen] = useState(false);
  const attributes = filterable(type);
  if (attributes.length === 0) return undefined;
  return (
    <>
      {filters.length > 0 && (
        <ul className="filters" aria-label={texts.filters.filters}>
          {filters.map((filter, index) => {
            const text = describe(texts, attributes, filter);
            return (
              <li key={`${filter.attribute}${filter.operator}${filter.operand}`}>
                {text}
                <button
                  type="button"
                  className="quiet"
                  aria-label={texts.filters.remove(text)}
                  onClick={() => onChange(filters.toSpliced(index, 1))}
                >
                  ×
                </button>
              </li>
            );
          })}
        </ul>
      )}
      <button type="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <ListFilter size={16} aria-hidden="true" />
        {texts.filters.add}
      </button>
      {isOpen && (
        <NewFilter
          attributes={attributes}
          onAdd={(filter) => {
            setOpen(false);
            onChange([...filters, filter]);
          }}
        />
      )}
    </>
  );
}

function describe(
  texts: Texts,
  attributes: readonly Attribute[],
  { attribute: name, operator, operand }: Filter,
): string {
  const attribute = attributes.find((other) => other.name === name);
  const label = attribute && operatorsOf(attribute).find((other) => other.name === operator)?.label;
  return label === undefined
    ? texts.filters.unusable(name)
    : `${labelOf(name)} ${texts.operators[label]} ${operand}`.trim();
}

function NewFilter(props: { readonly attributes: readonly Attribute[]; readonly onAdd: (filter: Filter) => void }) {
  const texts = useTexts();
  const [name, setName] = useState(props.attributes[0]?.name ?? '');
  const attribute = props.attributes.find((other) => other.name === name);
  const operators = attribute === undefined ? [] : operatorsOf(attribute);
  const [chosen, setChosen] = useState('');
  const operator = operators.find((other) => other.name === chosen) ?? operators[0];
  const submit = (event: SyntheticEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const operand = new FormData(event.currentTarget).get('operand');
    props.onAdd({
      attribute: name,
      operator: operator?.name ?? '',
      operand: typeof operand === 'string' ? operand : '',
    });
  };
  return (
    <form className="new-filter" onSubmit={submit}>
      <Choice
        label={texts.filters.attribute}
        value={name}
        onChange={setName}
        options={props.attributes.map((other) => ({ value: other.name, label: labelOf(other.name) }))}
      />
      <Choice
        label={texts.filters.condition}
        value={operator?.name ?? ''}
        onChange={setChosen}
        options={operators.map((other) => ({ value: other.name, label: texts.operators[other.label] }))}
      />
      {attribute !== undefined && operator?.unary !== true && <Operand key={attribute.name} attribute={attribute} />}
      <button type="submit" className="primary">
        {texts.filters.apply}
      </button>
    </form>
  );
}

const isTypedNumber = (attribute: Attribute): boolean =>
  isScalar(attribute) && ['number', 'digits'].includes(scalarTypes[attribute.type].value);

function Operand({ attribute }: { readonly attribute: Attribute }) {
  const texts = useTexts();
  const { type } = attribute;
  const label = texts.filters.value;
  const options =
    type === 'boolean'
      ? [
          { value: 'true', label: texts.common.yes },
          { value: 'false', label: texts.common.no },
        ]
      : 'values' in attribute
        ? attribute.values?.map((value) => ({ value, label: value }))
        : undefined;
  if (options !== undefined)
    return <Choice label={label} name="operand" defaultValue={options[0]?.value ?? ''} options={options} />;
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
      <input name="operand" required inputMode={isTypedNumber(attribute) ? 'decimal' : undefined} />
    </label>
  );
}
