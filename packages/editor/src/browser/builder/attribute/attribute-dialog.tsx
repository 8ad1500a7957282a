import { useState, type SyntheticEvent } from 'react';
import { useTexts } from '../../language/language.js';
import { addRelation, localize, setAttribute, type RelationKind } from '../../model/builder/edit.js';
import {
  isComponent,
  isLocalized,
  newName,
  type AttributeDefinition,
  type DefinedModel,
} from '../../model/builder/models.js';
import { attributeFrom, attributeKinds, optionsOf, textsOf, type OptionTexts } from './options.js';
import { Choice } from '../../inputs/choice.js';
import { Dialog, DialogButtons } from '../../shell/dialog.js';
import { Field } from '../../small-forms/field.js';
import { useEditing } from '../edit-context.js';
import { OptionField } from './option-field.js';
import { RelationFields } from './relation-fields.js';

interface Props {
  readonly model: DefinedModel;
  /** Undefined: a new attribute. */
  readonly name: string | undefined;
  readonly onClose: () => void;
}

/** The form of an attribute. Its name and type are chosen once: stored values have them. */
export function AttributeDialog({ model, name, onClose }: Props) {
  const texts = useTexts();
  const editing = useEditing();
  const former = name === undefined ? undefined : model.definition.attributes[name];
  const [type, setType] = useState(former?.type ?? 'string');
  const [options, setOptions] = useState<OptionTexts>(former === undefined ? {} : textsOf(former));
  const isLocalizedModel = !isComponent(model) && isLocalized(model.definition.pluginOptions);
  // As in Strapi v4, new values differ from language to language.
  const [localized, setLocalized] = useState(
    former === undefined ? isLocalizedModel : isLocalized(former['pluginOptions']),
  );
  const isOffered = isLocalizedModel && type !== 'relation';
  if (editing === undefined) return null;
  const { models, setModels } = editing;
  const submit = (event: SyntheticEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const textOf = (field: string): string => {
      const value = form.get(field);
      return typeof value === 'string' ? value.trim() : '';
    };
    const added = name ?? textOf('name');
    const made = attributeFrom(former, type, options);
    const pluginOptions = isOffered ? localize(made['pluginOptions'], localized) : undefined;
    const attribute: AttributeDefinition = pluginOptions === undefined ? made : { ...made, pluginOptions };
    if (type === 'relation' && former === undefined) {
      const { type: _type, ...rules } = attribute;
      const relation = textOf('relation') as RelationKind;
      const ends = { relation, target: textOf('target'), otherSide: textOf('otherSide') };
      setModels(addRelation(models, model.uid, added, ends, rules));
    } else setModels(setAttribute(models, model.uid, added, attribute));
    onClose();
  };
  return (
    <Dialog title={name === undefined ? texts.builder.newAttribute : texts.builder.attributeOf(name)} onClose={onClose}>
      <form onSubmit={submit}>
        {name === undefined && (
          <>
            <Field
              label={texts.common.name}
              name="name"
              required
              pattern={newName(model)}
              wrong={texts.builder.attributeName}
              autoComplete="off"
            />
            <Choice
              label={texts.common.type}
              value={type}
              onChange={setType}
              options={attributeKinds.map((kind) => ({ value: kind, label: texts.builder.attributeTypes[kind] }))}
            />
            {type === 'relation' && <RelationFields model={model} models={models} />}
          </>
        )}
        {optionsOf(type).map((option) => (
          <OptionField
            key={`${type} ${option}`}
            option={option}
            type={type}
            value={options[option] ?? ''}
            onChange={(value) => setOptions({ ...options, [option]: value })}
            model={model}
            models={models}
          />
        ))}
        {isOffered && (
          <label className="check">
            <input type="checkbox" checked={localized} onChange={({ target }) => setLocalized(target.checked)} />
            {texts.builder.localizedValue}
          </label>
        )}
        <DialogButtons action={texts.builder.apply} onClose={onClose} />
      </form>
    </Dialog>
  );
}
