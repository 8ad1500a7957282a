import { Link } from 'wouter';
import { useTexts } from '../language/language.js';
import { isComponent, isLocalized, nameOf, usesOf, type DefinedModel } from '../model/builder/models.js';
import { Missing } from '../shell/missing.js';
import { Loading, Unread } from '../shell/states.js';
import { useTitle } from '../shell/use-title.js';
import { AttributeTable } from './attribute-table.js';
import { useModels } from './use-models.js';

/** A content type or a component: its attributes, and what leads to it. */
export function TypePage({ uid }: { readonly uid: string }) {
  const { data: models, error } = useModels();
  if (error !== null) return <Unread error={error} />;
  if (models === undefined) return <Loading />;
  const model = models.find((other) => other.uid === uid);
  return model === undefined ? <Missing /> : <ModelPage model={model} models={models} />;
}

interface Props {
  readonly model: DefinedModel;
  readonly models: readonly DefinedModel[];
}

function ModelPage({ model, models }: Props) {
  const texts = useTexts().builder;
  useTitle(nameOf(model));
  const { kind = 'collectionType', info, options, pluginOptions } = model.definition;
  const uses = usesOf(models, model.uid);
  return (
    <section className="bare">
      <p className="way-back">
        <Link href="/types">{texts.back}</Link>
      </p>
      <header className="title">
        <h1>{nameOf(model)}</h1>
        <span className="tag">{texts.kinds[isComponent(model) ? 'component' : kind]}</span>
        {options?.draftAndPublish === true && <span className="tag">{texts.drafts}</span>}
        {isLocalized(pluginOptions) && <span className="tag">{texts.localized}</span>}
        <code>{model.uid}</code>
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
    </section>
  );
}
