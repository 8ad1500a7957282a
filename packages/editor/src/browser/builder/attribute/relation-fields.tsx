import { useState } from 'react';
import { useTexts } from '../../language/language.js';
import { otherSides } from '../../model/builder/edit.js';
import {
  byName,
  isComponent,
  nameOf,
  newName,
  targetsOf,
  type AttributeDefinition,
  type DefinedModel,
} from '../../model/builder/models.js';
import { USER } from '../../model/schema.js';
import { Choice } from '../../inputs/choice.js';
import { Field } from '../../small-forms/field.js';

interface Props {
  /** As it is until now. */
  readonly former: AttributeDefinition | undefined;
  readonly model: DefinedModel;
  readonly models: readonly DefinedModel[];
}

/** Both sides of a new relation. */
export function RelationFields({ former, model, models }: Props) {
  const { builder: texts, shell } = useTexts();
  const types = byName(models.filter((other) => !isComponent(other)));
  const { uids, otherSide } = former === undefined ? { uids: [], otherSide: undefined } : targetsOf(former);
  const [formerTarget] = uids;
  const [target, setTarget] = useState(formerTarget ?? '');
  const other = models.find(({ uid }) => uid === target);
  const otherName = target === USER ? shell.users : other === undefined ? texts.leadsToOne : nameOf(other);
  // Only content types of the project have a definition file for the other side.
  const hasOtherSide = !isComponent(model) && target !== '' && target !== USER;
  return (
    <>
      <Choice
        label={texts.leadsTo}
        name="target"
        value={target}
        placeholder={texts.choose}
        required
        onChange={setTarget}
        options={[
          ...types.map((type) => ({ value: type.uid, label: nameOf(type) })),
          { value: USER, label: shell.users },
        ]}
      />
      <Choice
        label={texts.relation}
        name="relation"
        defaultValue={typeof former?.['relation'] === 'string' ? former['relation'] : 'manyToOne'}
        options={Object.keys(otherSides).map((relation) => ({
          value: relation,
          label: texts.relations[relation as keyof typeof otherSides](nameOf(model), otherName),
        }))}
      />
      {hasOtherSide && (
        <Field
          label={texts.otherSideName}
          name="otherSide"
          hint={texts.otherSideHint}
          defaultValue={otherSide}
          pattern={newName(other, target === formerTarget ? otherSide : undefined)}
          wrong={texts.attributeName}
          autoComplete="off"
        />
      )}
    </>
  );
}
