import { useState } from 'react';
import { Choice } from '../../inputs/choice.js';
import { useTexts } from '../../language/language.js';
import {
  attributeTexts,
  hasPlaceholder,
  type EditorOptions,
  type TextOption,
} from '../../model/builder/editor-options.js';
import type { Definition } from '../../model/builder/models.js';
import { ConditionFields } from './condition-fields.js';
import { TextFields } from './text-fields.js';

interface Props {
  readonly type: string;
  readonly hasRegex: boolean;
  /** The others of the same model. */
  readonly attributes: Definition['attributes'];
  readonly options: EditorOptions;
  readonly onChange: (options: EditorOptions) => void;
}

/** How the editor shows an attribute. */
export function EditorFields({ type, hasRegex, attributes, options, onChange }: Props) {
  const texts = useTexts().builder;
  const hasSome =
    Object.values(options.texts).some((byLanguage) => Object.keys(byLanguage).length > 0) ||
    [options.width, options.panel, options.condition.attribute].some((value) => value !== '');
  const [wasSet] = useState(hasSome);
  const isOffered = (option: TextOption): boolean =>
    option === 'placeholder' ? hasPlaceholder(type) : option !== 'message' || hasRegex;
  return (
    <details className="in-editor" open={wasSet}>
      <summary>{texts.inEditor}</summary>
      <TextFields
        options={attributeTexts.filter((option) => isOffered(option))}
        texts={options.texts}
        onChange={(changed) => onChange({ ...options, texts: changed })}
      />
      <ConditionFields
        attributes={attributes}
        condition={options.condition}
        onChange={(condition) => onChange({ ...options, condition })}
      />
      <Choice
        label={texts.width}
        value={options.width}
        onChange={(width) => onChange({ ...options, width })}
        options={Object.entries(texts.widths).map(([value, label]) => ({ value, label }))}
      />
      <Choice
        label={texts.panel}
        value={options.panel}
        onChange={(panel) => onChange({ ...options, panel })}
        options={Object.entries(texts.panels).map(([value, label]) => ({ value, label }))}
      />
    </details>
  );
}
