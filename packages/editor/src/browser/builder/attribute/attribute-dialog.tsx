import { useState, type SyntheticEvent } from 'react';
import { Choice } from '../../inputs/choice.js';
import { useTexts } from '../../language/language.js';
import { addRelation, localize, replaceAttribute, setAttribute, type RelationKind } from '../../model/builder/edit.js';
import { editorOptionsOf, hasPlaceholder, withEditorOptions } from '../../model/builder/editor-options.js';
import {
  isComponent,
  isLocalized,
  isWritten,
  newName,
  type AttributeDefinition,
  type DefinedModel,
} from '../../model/builder/models.js';
import { Dialog, DialogButtons } from '../../shell/dialog.js';
import { Field } from '../../small-forms/field.js';
import { useEditing } from '../edit-context.js';
import { EditorFields } from './editor-fields.js';
import { OptionField } from './option-field.js';
import { attributeFrom, attributeKinds, optionsOf, textsOf, type OptionTexts } from './options.js';
import { RelationFields } from './relation-fields.js';

interface Props {
  readonly model: DefinedModel;
  /** Undefined: a new attribute. */
  readonly name: string | undefined;
  readonly onClose: () => void;
  /** Goes on with another new attribute. */
  readonly onAnother?: () => void;
}

/** The form of an attribute. Once it is written its name and type stay: stored values have them. */
export function AttributeDialog({ model, name, onClose, onAnother }: Props) {
  const texts = useTexts();
  const editing = useEditing();
  const { uid } = model;
  const { [name ?? '']: former, ...others } = model.definition.attributes;
  const [type, setType] = useState(former?.type ?? 'string');
  const [options, setOptions] = useState<OptionTexts>(former === undefined ? {} : textsOf(former));
  const [editor, setEditor] = useState(() => editorOptionsOf(former?.['pluginOptions']));
  const isLocalizedModel = !isComponent(model) && isLocalized(model.definition.pluginOptions);
  // As in Strapi v4, new values differ from language to language.
  const [localized, setLocalized] = useState(
    former === undefined ? isLocalizedModel : isLocalized(former['pluginOptions']),
  );
  const isLocalizable = isLocalizedModel && type !== 'relation';
  const hasRegex = optionsOf(type).includes('regex') && (options.regex ?? '').trim() !== '';
  if (editing === undefined) return null;
  const { models, stored, setModels } = editing;
  const isFixed = name !== undefined && former !== undefined && isWritten(stored, uid, name, former.type);
  const isRelation = type === 'relation' && !isFixed;
  const submit = (event: SyntheticEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const textOf = (field: string): string => {
      const value = form.get(field);
      return typeof value === 'string' ? value.trim() : '';
    };
    // A relation that can still be changed is made again, with its other side.
    const made = attributeFrom(former?.type === type && !isRelation ? former : undefined, type, options);
    const formerOptions = former?.['pluginOptions'] ?? made['pluginOptions'];
    const kept = isLocalizable ? localize(formerOptions, localized) : formerOptions;
    // What its type or its rules have no use for would stop the start.
    const { placeholder = {}, message = {}, ...shown } = editor.texts;
    const fitting = {
      ...shown,
      placeholder: hasPlaceholder(type) ? placeholder : {},
      message: hasRegex ? message : {},
    };
    const pluginOptions = withEditorOptions(kept, { ...editor, texts: fitting }, others);
    const attribute: AttributeDefinition = pluginOptions === undefined ? made : { ...made, pluginOptions };
    const { type: _type, ...rules } = attribute;
    const added = isFixed ? name : textOf('name');
    const ends = {
      relation: textOf('relation') as RelationKind,
      target: textOf('target'),
      otherSide: textOf('otherSide'),
    };
    const add = (list: readonly DefinedModel[]): readonly DefinedModel[] =>
      isRelation ? addRelation(list, uid, added, ends, rules) : setAttribute(list, uid, added, attribute);
    setModels(isFixed || name === undefined ? add(models) : replaceAttribute(models, uid, name, added, add));
    const { submitter } = event.nativeEvent as SubmitEvent;
    if (submitter?.getAttribute('value') === 'another') onAnother?.();
    else onClose();
  };
  return (
    <Dialog title={name === undefined ? texts.builder.newAttribute : texts.builder.attributeOf(name)} onClose={onClose}>
      <form onSubmit={submit}>
        {!isFixed && (
          <>
            <Field
              label={texts.common.name}
              name="name"
              required
              defaultValue={name}
              pattern={newName(model, name)}
              wrong={texts.builder.attributeName}
              autoComplete="off"
            />
            <Choice
              label={texts.common.type}
              value={type}
              onChange={setType}
              options={attributeKinds.map((kind) => ({ value: kind, label: texts.builder.attributeTypes[kind] }))}
            />
            {isRelation && <RelationFields former={former} model={model} models={models} />}
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
        {isLocalizable && (
          <label className="check">
            <input type="checkbox" checked={localized} onChange={({ target }) => setLocalized(target.checked)} />
            {texts.builder.localizedValue}
          </label>
        )}
        <EditorFields type={type} hasRegex={hasRegex} attributes={others} options={editor} onChange={setEditor} />
        <DialogButtons action={texts.builder.apply} onClose={onClose}>
          {name === undefined && onAnother !== undefined && (
            <button type="submit" value="another">
              {texts.builder.applyAndAdd}
            </button>
          )}
        </DialogButtons>
      </form>
    </Dialog>
  );
}
