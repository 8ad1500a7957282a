import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { useTexts } from '../language/language.js';
import { WayBack } from '../list/way-back.js';
import { removeModel } from '../model/builder/edit.js';
import { isComponent, isLocalized, nameOf, usesOf, type DefinedModel } from '../model/builder/models.js';
import { useTitle } from '../shell/use-title.js';
import { AttributeDialog } from './attribute/attribute-dialog.js';
import { AttributeTable } from './attribute/attribute-table.js';
import { useEditing } from './edit-context.js';
import { SettingsDialog } from './model-dialogs.js';

interface Props {
  readonly model: DefinedModel;
  readonly models: readonly DefinedModel[];
}

/** A content type or a component: its attributes, and what leads to it. */
export function TypePage({ model, models }: Props) {
  const { builder: texts, common } = useTexts();
  useTitle(nameOf(model));
  const { kind = 'collectionType', info, options, pluginOptions } = model.definition;
  const editing = useEditing();
  const [, goTo] = useLocation();
  const [open, setOpen] = useState<'settings' | 'attribute'>();
  /** How many attributes were added without closing the dialog. */
  const [added, setAdded] = useState(0);
  const end = (): void => setOpen(undefined);
  const uses = usesOf(models, model.uid);
  return (
    <section className="bare">
      <WayBack to="/types" list={texts.title} />
      <header className="title">
        <h1>{nameOf(model)}</h1>
        <span className="tag">{texts.kinds[isComponent(model) ? 'component' : kind]}</span>
        {options?.draftAndPublish === true && <span className="tag">{texts.drafts}</span>}
        {isLocalized(pluginOptions) && <span className="tag">{texts.localized}</span>}
        <code>{model.uid}</code>
        {editing !== undefined && (
          <>
            <button type="button" className="button primary" onClick={() => setOpen('attribute')}>
              {texts.newAttribute}
            </button>
            <button type="button" onClick={() => setOpen('settings')}>
              {texts.settings}
            </button>
            <button
              type="button"
              className="danger"
              onClick={() => {
                editing.setModels(removeModel(editing.models, model.uid));
                goTo('/types');
              }}
            >
              {common.delete}
            </button>
          </>
        )}
      </header>
      {info.description !== undefined && <p className="hint">{info.description}</p>}
      <h2>{texts.attributes}</h2>
      <AttributeTable model={model} models={models} />
      <h2>{texts.usedBy}</h2>
      {uses.length === 0 && <p className="hint">{texts.unused}</p>}
      <ul>
        {uses.map(({ model: user, name }) => (
          <li key={`${user.uid} ${name}`}>
            <Link href={`/types/${user.uid}`}>{nameOf(user)}</Link>: <code>{name}</code>
          </li>
        ))}
      </ul>
      {open === 'attribute' && (
        <AttributeDialog
          key={added}
          model={model}
          name={undefined}
          onClose={end}
          onAnother={() => setAdded(added + 1)}
        />
      )}
      {open === 'settings' && <SettingsDialog model={model} onClose={end} />}
    </section>
  );
}
