import { useState } from 'react';
import { useTexts } from '../language/language.js';
import type { TypeOptions } from '../model/builder/type-options.js';
import { Check } from '../small-forms/check.js';
import { Field } from '../small-forms/field.js';

/**
 * What the entries of a type can be: drafts, prepared changes, in several languages, and in the trash for some days.
 */
export function TypeOptionFields({ draftAndPublish, workingCopies, localized, trash }: TypeOptions) {
  const texts = useTexts().builder;
  const [hasDrafts, setDrafts] = useState(draftAndPublish);
  return (
    <>
      <Check name="drafts" label={texts.hasDrafts} isOn={draftAndPublish} onChange={setDrafts} />
      {hasDrafts && <Check name="prepared" label={texts.preparesChanges} isOn={workingCopies} />}
      <Check name="localized" label={texts.isLocalized} isOn={localized} />
      <Field
        label={texts.trashDays}
        hint={texts.noTrash}
        name="trash"
        type="number"
        min={1}
        step={1}
        defaultValue={trash ?? ''}
      />
    </>
  );
}

/** As the fields say it. */
export function typeOptionsIn(form: FormData): TypeOptions {
  const days = Number(form.get('trash'));
  return {
    draftAndPublish: form.has('drafts'),
    workingCopies: form.has('prepared'),
    localized: form.has('localized'),
    trash: days > 0 ? days : undefined,
  };
}
