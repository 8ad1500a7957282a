import { useState, type SyntheticEvent } from 'react';
import { useLocation } from 'wouter';
import { useTexts } from '../language/language.js';
import { icons } from '../form/help/icons.js';
import { Choice } from '../inputs/choice.js';
import { componentTexts, editorOptionsOf, typeTexts, withEditorOptions } from '../model/builder/editor-options.js';
import { kebabOf, localize, newComponent, newType, pluralOf, setFrame } from '../model/builder/edit.js';
import { isComponent, nameOf, type DefinedModel } from '../model/builder/models.js';
import { newTypeOptions, typeOptionsOf, withTypeOptions } from '../model/builder/type-options.js';
import { Dialog, DialogButtons } from '../shell/dialog.js';
import { Check } from '../small-forms/check.js';
import { Field } from '../small-forms/field.js';
import { TextFields } from './attribute/text-fields.js';
import { useEditing } from './edit-context.js';
import { TypeOptionFields, typeOptionsIn } from './type-options.js';

interface Props {
  readonly onClose: () => void;
}

const textIn = (form: FormData, name: string): string => {
  const value = form.get(name);
  return typeof value === 'string' ? value.trim() : '';
};

/** Begins a content type. */
export function NewTypeDialog({ onClose }: Props) {
  const texts = useTexts();
  const { add, isTaken } = useAdd();
  const [name, setName] = useState('');
  const submit = (event: SyntheticEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    add(
      newType({
        displayName: name.trim(),
        singularName: textIn(form, 'singularName'),
        pluralName: textIn(form, 'pluralName'),
        kind: form.has('single') ? 'singleType' : 'collectionType',
        options: typeOptionsIn(form),
      }),
    );
  };
  const singular = kebabOf(name);
  return (
    <Dialog title={texts.builder.newType} onClose={onClose}>
      <form onSubmit={submit}>
        <Field label={texts.common.name} name="name" value={name} onChange={setName} required autoComplete="off" />
        <KebabField key={`one ${singular}`} name="singularName" label={texts.builder.singularName} value={singular} />
        <KebabField
          key={`many ${singular}`}
          name="pluralName"
          label={texts.builder.pluralName}
          value={pluralOf(singular)}
        />
        <Check name="single" label={texts.builder.isSingle} />
        <TypeOptionFields {...newTypeOptions} />
        {isTaken && <Taken />}
        <DialogButtons action={texts.builder.begin} onClose={onClose} />
      </form>
    </Dialog>
  );
}

/** Begins a component. */
export function NewComponentDialog({ onClose }: Props) {
  const texts = useTexts();
  const { add, isTaken } = useAdd();
  const submit = (event: SyntheticEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    add(newComponent(textIn(form, 'category'), textIn(form, 'name')));
  };
  return (
    <Dialog title={texts.builder.newComponent} onClose={onClose}>
      <form onSubmit={submit}>
        <Field
          label={texts.common.name}
          name="name"
          required
          pattern=".*[A-Za-z].*"
          wrong={texts.builder.hasLetter}
          autoComplete="off"
        />
        <KebabField name="category" label={texts.builder.category} value="shared" />
        {isTaken && <Taken />}
        <DialogButtons action={texts.builder.begin} onClose={onClose} />
      </form>
    </Dialog>
  );
}

/** Changes what is not an attribute. */
export function SettingsDialog({ model, onClose }: Props & { readonly model: DefinedModel }) {
  const texts = useTexts();
  const editing = useEditing();
  const { info, options, pluginOptions } = model.definition;
  const textNames = isComponent(model) ? componentTexts : typeTexts;
  const [editor, setEditor] = useState(() => editorOptionsOf(pluginOptions, textNames));
  const [icon, setIcon] = useState(info.icon ?? '');
  if (editing === undefined) return null;
  const submit = (event: SyntheticEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const description = textIn(form, 'description');
    const typeOptions = typeOptionsIn(form);
    const localized = isComponent(model) ? pluginOptions : localize(pluginOptions, typeOptions.localized);
    const changedOptions = withEditorOptions(localized, editor);
    const { description: _description, icon: _icon, ...names } = info;
    const frame = {
      info: {
        ...names,
        displayName: textIn(form, 'name'),
        ...(description !== '' && { description }),
        ...(icon !== '' && { icon }),
      },
      ...(!isComponent(model) && { options: withTypeOptions(options, typeOptions) }),
      ...(changedOptions !== undefined && { pluginOptions: changedOptions }),
    };
    editing.setModels(setFrame(editing.models, model.uid, frame));
    onClose();
  };
  return (
    <Dialog title={texts.builder.settings} onClose={onClose}>
      <form onSubmit={submit}>
        <Field label={texts.common.name} name="name" required defaultValue={nameOf(model)} autoComplete="off" />
        <Field label={texts.common.description} name="description" defaultValue={info.description} autoComplete="off" />
        {isComponent(model) && (
          <Choice
            label={texts.builder.icon}
            value={icon}
            onChange={setIcon}
            options={[
              { value: '', label: texts.builder.noIcon },
              ...Object.keys(icons).map((name) => ({ value: name, label: name })),
            ]}
          />
        )}
        {!isComponent(model) && <TypeOptionFields {...typeOptionsOf(model.definition)} />}
        <details className="in-editor">
          <summary>{texts.builder.namesByLanguage}</summary>
          <TextFields
            options={textNames}
            prefix="editor."
            texts={editor.texts}
            onChange={(changed) => setEditor({ ...editor, texts: changed })}
          />
        </details>
        <DialogButtons action={texts.builder.apply} onClose={onClose} />
      </form>
    </Dialog>
  );
}

/** Adds a model and opens its page, unless its name is taken. */
function useAdd() {
  const editing = useEditing();
  const [, goTo] = useLocation();
  const [isTaken, setTaken] = useState(false);
  const add = (model: DefinedModel): void => {
    if (editing === undefined) return;
    if (editing.models.some(({ uid }) => uid === model.uid)) {
      setTaken(true);
      return;
    }
    editing.setModels([...editing.models, model]);
    goTo(`/types/${model.uid}`);
  };
  return { add, isTaken };
}

function Taken() {
  const texts = useTexts().builder;
  return (
    <p role="alert" className="issue">
      {texts.exists}
    </p>
  );
}

interface FieldProps {
  readonly name: string;
  readonly label: string;
  readonly value: string;
}

function KebabField({ name, label, value }: FieldProps) {
  const texts = useTexts().builder;
  return (
    <Field
      label={label}
      name={name}
      required
      defaultValue={value}
      pattern="[a-z][a-z0-9]*(-[a-z0-9]+)*"
      wrong={texts.kebab}
      autoComplete="off"
    />
  );
}
