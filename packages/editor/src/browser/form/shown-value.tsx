import { Fragment, useId } from 'react';
import { useTexts } from '../language/language.js';
import type { Texts } from '../language/texts.js';
import { isEmpty } from '../model/body.js';
import { componentOf, isScalar, type Attribute } from '../model/schema.js';
import { isLinks, type Part, type Value, type Values } from '../model/values.js';
import { isWritten, LazyWriting } from '../writing/lazy-writing.js';
import { Marked, type Mark } from './compare/marked.js';
import { useForm } from './form-context.js';

interface Props {
  readonly attribute: Attribute;
  readonly value: Value;
  /** What it is compared with: its own words are marked. */
  readonly compared?: { readonly value: Value; readonly mark: Mark } | undefined;
}

/** A value to compare it with another; a text as it looks. */
export function ShownValue({ attribute, value, compared }: Props) {
  const { common } = useTexts();
  const id = useId();
  const plain = plainOf(value, common);
  if (isEmpty(value)) return common.empty;
  if (plain === undefined)
    return (value as readonly Part[]).map((part) => (
      <ShownPart
        key={part.key}
        part={part}
        compared={compared && { ...compared, value: partIn(compared.value, part) }}
      />
    ));
  const marks = compared && { value: plainOf(compared.value, common) ?? '', mark: compared.mark };
  if (!isScalar(attribute) || !isWritten(attribute))
    return marks === undefined ? plain : <Marked text={plain} other={marks.value} mark={marks.mark} />;
  const input = { id, disabled: true, 'aria-invalid': false, 'aria-labelledby': '', 'aria-describedby': '' };
  return <LazyWriting attribute={attribute} input={input} value={plain} compared={marks} onChange={() => undefined} />;
}

/** A value in words; undefined: it has components, whose values are shown one by one. */
function plainOf(value: Value, { yes, no }: Texts['common']): string | undefined {
  if (value === null) return '';
  if (typeof value === 'boolean') return value ? yes : no;
  if (isLinks(value)) return value.items.map(({ title }) => title).join(', ');
  return typeof value === 'string' ? value : undefined;
}

/** The same component in another version. */
const partIn = (value: Value, { key }: Part): Values | undefined =>
  isLinks(value) || !Array.isArray(value)
    ? undefined
    : (value as readonly Part[]).find((other) => other.key === key)?.values;

function ShownPart(props: {
  readonly part: Part;
  readonly compared: { readonly value: Values | undefined; readonly mark: Mark } | undefined;
}) {
  const { compared, part } = props;
  const { component, values } = part;
  const { content } = useForm();
  const { displayName, attributes } = componentOf(content, component);
  return (
    <section>
      <p className="quiet-text">{displayName}</p>
      <dl>
        {attributes
          .filter(({ name }) => !isEmpty(values[name]))
          .map((attribute) => (
            <Fragment key={attribute.name}>
              <dt>{attribute.label}</dt>
              <dd>
                <ShownValue
                  attribute={attribute}
                  value={values[attribute.name] ?? null}
                  compared={compared && { ...compared, value: compared.value?.[attribute.name] ?? null }}
                />
              </dd>
            </Fragment>
          ))}
      </dl>
    </section>
  );
}
