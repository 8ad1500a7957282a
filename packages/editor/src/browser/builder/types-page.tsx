import { Boxes } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import { useTexts } from '../language/language.js';
import {
  byCategory,
  byName,
  categoryOf,
  isComponent,
  isLocalized,
  nameOf,
  type DefinedModel,
} from '../model/builder/models.js';
import { Empty } from '../shell/states.js';
import { useTitle } from '../shell/use-title.js';
import { TypeDiagram } from './diagram.js';
import { useEditing } from './edit-context.js';
import { NewComponentDialog, NewTypeDialog } from './model-dialogs.js';

/** All content types and components, as a diagram and as tables. */
export function TypesPage({ models }: { readonly models: readonly DefinedModel[] }) {
  const texts = useTexts().builder;
  useTitle(texts.title);
  const isEditable = useEditing() !== undefined;
  const [isAdding, setAdding] = useState<'type' | 'component'>();
  const types = byName(models.filter((model) => !isComponent(model)));
  const components = byCategory(models.filter(isComponent));
  const end = (): void => setAdding(undefined);
  return (
    <section className="bare">
      <header className="title">
        <h1>{texts.title}</h1>
        {isEditable && (
          <>
            <button type="button" className="button primary" onClick={() => setAdding('type')}>
              {texts.newType}
            </button>
            <button type="button" onClick={() => setAdding('component')}>
              {texts.newComponent}
            </button>
          </>
        )}
      </header>
      <p className="hint">{texts.purpose}</p>
      {models.length === 0 && <Empty icon={Boxes} title={texts.none} />}
      {types.length > 0 && (
        <>
          <h2>{texts.diagram}</h2>
          <TypeDiagram models={types} />
          <ModelTable title={texts.types} models={types} />
        </>
      )}
      {components.length > 0 && <ModelTable title={texts.components} models={components} />}
      {isAdding === 'type' && <NewTypeDialog onClose={end} />}
      {isAdding === 'component' && <NewComponentDialog onClose={end} />}
    </section>
  );
}

function ModelTable({ title, models }: { readonly title: string; readonly models: readonly DefinedModel[] }) {
  const { builder: texts, common } = useTexts();
  const ofComponents = models.every(isComponent);
  return (
    <>
      <h2>{title}</h2>
      <div className="scroll" role="region" aria-label={title} tabIndex={0}>
        <table className="entries defined">
          <thead>
            <tr>
              <th scope="col">{common.name}</th>
              <th scope="col">{ofComponents ? texts.category : common.type}</th>
              <th scope="col">{texts.attributes}</th>
              <th scope="col">{texts.uid}</th>
            </tr>
          </thead>
          <tbody>
            {models.map((model) => {
              const { kind = 'collectionType', info, options, pluginOptions, attributes } = model.definition;
              return (
                <tr key={model.uid}>
                  <td className="name">
                    <Link href={`/types/${model.uid}`}>{nameOf(model)}</Link>
                    {info.description !== undefined && info.description !== '' && (
                      <p className="hint">{info.description}</p>
                    )}
                  </td>
                  <td>
                    {ofComponents ? categoryOf(model) : texts.kinds[kind]}{' '}
                    {options?.draftAndPublish === true && <span className="tag">{texts.drafts}</span>}{' '}
                    {isLocalized(pluginOptions) && <span className="tag">{texts.localized}</span>}
                  </td>
                  <td data-label={texts.attributes}>{Object.keys(attributes).length}</td>
                  <td>
                    <code>{model.uid}</code>
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
    </>
  );
}
