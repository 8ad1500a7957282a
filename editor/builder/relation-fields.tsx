import { useState } from 'react';
import { useTexts } from '../language/language.js';
import { otherSides } from '../model/builder/edit.js';
import { byName, isComponent, nameOf, newName, type DefinedModel } from '../model/builder/models.js';
import { USER } from '../model/schema.js';

interface Props {
  readonly model: DefinedModel;
  readonly models: readonly DefinedModel[];
}

/** Both sides of a new relation. */
export function RelationFields({ model, models }: Props) {
  const { builder: texts, shell } = useTexts();
  const types = byName(models.filter((other) => !isComponent(other)));
  const [target, setTarget] = useState(types[0]?.uid ?? USER);
  // Only content types of the project have a definition file for the other side.
  const hasOtherSide = !isComponent(model) && target !== USER;
  return (
    <>
      <label>
        {texts.relation}
        <select name="relation" defaultValue="manyToOne">
          {Object.keys(otherSides).map((relation) => (
            <option key={relation} value={relation}>
              {texts.relations[relation as keyof typeof otherSides]}
            </option>
          ))}
        </select>
      </label>
      <label>
        {texts.leadsTo}
        <select name="target" value={target} onChange={(event) => setTarget(event.target.value)}>
          {types.map((type) => (
            <option key={type.uid} value={type.uid}>
              {nameOf(type)}
            </option>
          ))}
          <option value={USER}>{shell.users}</option>
        </select>
      </label>
      {hasOtherSide && (
        <label>
          {texts.otherSideName}
          <input
            name="otherSide"
            pattern={newName(models.find(({ uid }) => uid === target))}
            title={texts.attributeName}
            autoComplete="off"
          />
          <p className="hint">{texts.otherSideHint}</p>
        </label>
      )}
    </>
  );
}
