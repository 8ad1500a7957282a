import { Fragment, useId } from 'react';
import { useTexts } from '../language/language.js';
import { isEmpty } from '../model/body.js';
import { componentOf, isScalar, type Attribute } from '../model/schema.js';
import { isLinks, type Part, type Value } from '../model/values.js';
import { isWritten, LazyWriting } from '../writing/lazy-writing.js';
import { useForm } from './form-context.js';

interface Props {
  readonly attribute: Attribute;
  readonly value: Value;
}

/** A value to compare it with another; a text as it looks. */
export function ShownValue({ attribute, value }: Props) {
  const { common } = useTexts();
  const id = useId();
  if (isEmpty(value)) return common.empty;
  if (typeof value === 'boolean') return value ? common.yes : common.no;
  if (isLinks(value)) return value.items.map(({ title }) => title).join(', ');
  if (typeof value !== 'string')
    return (value as readonly Part[]).map(({ key, ...part }) => <ShownPart key={key} {...part} />);
  if (!isScalar(attribute) || !isWritten(attribute)) return value;
  const input = { id, disabled: true, 'aria-invalid': false, 'aria-labelledby': '', 'aria-describedby': '' };
  return <LazyWriting attribute={attribute} input={input} value={value} onChange={() => undefined} />;
}

function ShownPart({ component, values }: Omit<Part, 'key'>) {
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
                <ShownValue attribute={attribute} value={values[attribute.name] ?? null} />
              </dd>
            </Fragment>
          ))}
      </dl>
    </section>
  );
}
