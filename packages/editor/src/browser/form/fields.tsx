import { ChevronDown } from 'lucide-react';
import { useId, useState, type ReactNode } from 'react';
import { keep, readKept } from '../api/kept.js';
import { scalarTypes } from '../model/attribute-types.js';
import { isReadInForm, isScalar, ROLE, type Attribute, type ScalarAttribute, type Section } from '../model/schema.js';
import { isLinks, noLinks, type Part, type Value, type Values } from '../model/values.js';
import { focusInside } from '../inputs/focus-field.js';
import { BooleanInput } from '../inputs/boolean-input.js';
import { ListInput } from '../inputs/list-input.js';
import { MediaInput } from '../inputs/media-input.js';
import { PartsInput } from '../inputs/parts-input.js';
import { RoleInput } from '../inputs/role-input.js';
import { RelationInput } from '../inputs/relation-input.js';
import { TextInput } from '../inputs/text-input.js';
import { UidInput } from '../inputs/uid-input.js';
import { useTexts } from '../language/language.js';
import { isWritten, LazyWriting } from '../writing/lazy-writing.js';
import { Hint } from './help/hint.js';
import { FormContext, useForm, type FieldsProps, type InputState } from './form-context.js';
import { PublishedValue } from './compare/published-value.js';
import { ShownValue } from './shown-value.js';

interface SectionsProps extends Omit<FieldsProps, 'attributes'> {
  /** What a screen reader calls them together. */
  readonly label: string;
  readonly sections: readonly Section[];
}

/** The fields of one panel of the form, in groups. */
export function Sections({ label, sections, ...fields }: SectionsProps) {
  const { isLocked } = useForm();
  if (sections.length === 0) return undefined;
  return (
    <fieldset className="sections" disabled={isLocked}>
      <legend className="hidden">{label}</legend>
      {sections.map(({ heading, attributes }) => {
        const inner = <Fields {...fields} attributes={attributes} />;
        return heading === undefined ? (
          <section key="" className="card">
            {inner}
          </section>
        ) : (
          <HeadedSection key={heading} heading={heading}>
            {inner}
          </HeadedSection>
        );
      })}
    </fieldset>
  );
}

/** Fields below a heading, which closes them; the browser keeps that for all forms. */
function HeadedSection({ heading, children }: { readonly heading: string; readonly children: ReactNode }) {
  const key = `content-service.closed.${heading}`;
  const [isOpen] = useState(() => readKept('localStorage', key) === undefined);
  return (
    <details
      className="card"
      open={isOpen}
      onToggle={({ currentTarget }) => keep('localStorage', key, currentTarget.open ? undefined : 'closed')}
    >
      <summary>
        <h2>{heading}</h2>
        <ChevronDown size={18} aria-hidden="true" />
      </summary>
      {children}
    </details>
  );
}

/** The fields of an entry or a component. */
export function Fields({ attributes, values, path, onChange }: FieldsProps) {
  const { beside } = useForm();
  return (
    <div className="fields">
      {attributes.map((attribute) => {
        const { name } = attribute;
        const field = (
          <Field
            key={name}
            attribute={attribute}
            value={values[name] ?? null}
            siblings={values}
            path={`${path}${name}`}
            onChange={(value) => onChange(name, value)}
          />
        );
        // What all localizations share is the same there.
        if (beside === undefined || path !== '' || attribute.shared === true || !isReadInForm(attribute)) return field;
        return (
          <div key={name} className="pair">
            {field}
            <div className="beside">
              <h3>{beside.label}</h3>
              <div lang={beside.locale}>
                <ShownValue attribute={attribute} value={beside.values[name] ?? null} />
              </div>
            </div>
          </div>
        );
      })}
    </div>
  );
}

interface FieldProps {
  readonly attribute: Attribute;
  readonly value: Value;
  readonly siblings: Values;
  readonly path: string;
  readonly onChange: (value: Value) => void;
}

function Field({ attribute, value, siblings, path, onChange }: FieldProps) {
  const { form: texts, publication } = useTexts();
  const form = useForm();
  const { issues, isNew, fieldId, isLocked, changed, published } = form;
  const labelId = useId();
  const hintId = useId();
  const descriptionId = useId();
  const issue = issues.find((other) => other.path === path);
  const input: InputState = {
    id: fieldId(path),
    disabled: isLocked || !(isNew ? attribute.create : attribute.update),
    'aria-invalid': issue !== undefined,
    'aria-labelledby': labelId,
    'aria-describedby': attribute.description === undefined ? hintId : `${descriptionId} ${hintId}`,
  };
  const label = (
    <>
      {attribute.label}
      {attribute.required && (
        <span className="required" title={texts.required}>
          {' '}
          *
        </span>
      )}
      {attribute.shared === true && <span className="tag">{texts.allLocales}</span>}
      {changed?.has(path) === true && <span className="tag modified">{publication.changed}</span>}
    </>
  );
  const description = attribute.description !== undefined && (
    <p id={descriptionId} className="description">
      {attribute.description}
    </p>
  );
  const hint = (
    <div id={hintId}>
      {isScalar(attribute) && <Hint {...{ attribute, value, isNew }} isWrong={issue !== undefined} />}
      {issue !== undefined && <p className="issue">{issue.message}</p>}
    </div>
  );
  const former = published !== undefined && changed?.has(path) === true && isReadInForm(attribute) && (
    <PublishedValue
      attribute={attribute}
      value={published[path] ?? null}
      now={value}
      onTake={input.disabled ? undefined : onChange}
    />
  );
  if (!isScalar(attribute)) {
    return (
      <fieldset
        className={`group ${attribute.width ?? ''}`}
        id={input.id}
        tabIndex={-1}
        disabled={input.disabled}
        aria-describedby={input['aria-describedby']}
      >
        <legend>{label}</legend>
        {description}
        {attribute.type === 'relation' && !attribute.multiple && attribute.targets[0] === ROLE ? (
          <RoleInput label={attribute.label} value={isLinks(value) ? value : noLinks} onChange={onChange} />
        ) : attribute.type === 'relation' ? (
          <RelationInput attribute={attribute} value={isLinks(value) ? value : noLinks} onChange={onChange} />
        ) : attribute.type === 'media' ? (
          <MediaInput attribute={attribute} value={isLinks(value) ? value : noLinks} onChange={onChange} />
        ) : (
          <FormContext value={{ ...form, isLocked: input.disabled }}>
            <PartsInput
              attribute={attribute}
              value={(value ?? []) as readonly Part[]}
              path={path}
              onChange={onChange}
              fields={(inner) => <Fields {...inner} />}
            />
          </FormContext>
        )}
        {hint}
        {former}
      </fieldset>
    );
  }
  return (
    <div className={`field ${attribute.width ?? (isShort(attribute) ? 'half' : '')}`}>
      <label id={labelId} htmlFor={input.id} onClick={() => focusInside(document.getElementById(input.id))}>
        {label}
      </label>
      {description}
      <ScalarInput attribute={attribute} value={value} siblings={siblings} input={input} onChange={onChange} />
      {hint}
      {former}
    </div>
  );
}

/** Numbers, dates and choices leave room beside them for another one. */
const isShort = ({ type }: ScalarAttribute): boolean =>
  type === 'enumeration' || !['text', 'json'].includes(scalarTypes[type].value);

interface ScalarProps {
  readonly attribute: ScalarAttribute;
  readonly value: Value;
  readonly siblings: Values;
  readonly input: InputState;
  readonly onChange: (value: Value) => void;
}

function ScalarInput({ attribute, value, siblings, input, onChange }: ScalarProps) {
  const text = typeof value === 'string' ? value : '';
  if (attribute.type === 'boolean')
    return (
      <BooleanInput
        input={input}
        value={typeof value === 'boolean' ? value : null}
        required={attribute.required}
        onChange={onChange}
      />
    );
  if (isWritten(attribute)) return <LazyWriting attribute={attribute} input={input} value={text} onChange={onChange} />;
  if (attribute.type === 'array')
    return <ListInput attribute={attribute} input={input} label={attribute.label} value={text} onChange={onChange} />;
  if (attribute.type === 'uid') {
    const source = siblings[attribute.targetField ?? ''];
    return (
      <UidInput
        input={input}
        placeholder={attribute.placeholder}
        value={text}
        source={typeof source === 'string' ? source : ''}
        onChange={onChange}
      />
    );
  }
  return <TextInput attribute={attribute} input={input} value={text} onChange={onChange} />;
}
