import { useState } from 'react';
import type { Entry } from '../../api/entries.js';
import { useWriters } from '../../api/writers.js';
import { decisionsIn, differencesOf, mergeDecided, type Versions } from './compare.js';
import type { ChangedBy } from './passages.js';
import { useForm } from '../form-context.js';
import type { Attribute, ContentType } from '../../model/schema.js';
import type { Value, Values } from '../../model/values.js';
import { Dialog } from '../../shell/dialog.js';
import { useTexts } from '../../language/language.js';
import { timeOf } from '../../language/time-of.js';
import { ComparedValue, hasLook, LookSwitch } from './compared-value.js';

interface Props {
  readonly type: ContentType;
  readonly versions: Versions;
  /** As it is stored now; undefined: it was deleted. */
  readonly entry: Entry | undefined;
  readonly onClose: () => void;
  /** @param values what was chosen */
  readonly onMerge: (values: Values) => void;
}

/**
 * Shows two versions of an entry side by side; the user chooses between them for each attribute, also of components
 * that both have, and for each passage of a text that both changed.
 */
export function Conflict({ type, versions, entry, onClose, onMerge }: Props) {
  const language = useTexts();
  const texts = language.conflict;
  const writer = useWriters(type, entry)?.updatedBy ?? undefined;
  const { content } = useForm();
  const differences = differencesOf(content, type, versions);
  const decisions = decisionsIn(versions, differences);
  const [kept, setKept] = useState<ReadonlySet<string>>(
    () => new Set(decisions.flatMap(({ key, by }) => (by === 'them' ? [] : key))),
  );
  const [asItLooks, setAsItLooks] = useState(false);
  const choose = (name: string, isKept: boolean): void => {
    const others = [...kept].filter((other) => other !== name);
    setKept(new Set(isKept ? [...others, name] : others));
  };
  if (entry === undefined) {
    return (
      <Dialog title={texts.deleted} onClose={onClose}>
        <p>{texts.copy}</p>
      </Dialog>
    );
  }
  const time = timeOf(language, entry.attributes['updatedAt']);
  return (
    <Dialog title={texts.changed} onClose={onClose} wide>
      {time !== '' && <p>{texts.changedAt(time, writer)}</p>}
      <p>{texts.choose}</p>
      {decisions.some(({ attribute }) => hasLook(attribute)) && <LookSwitch isOn={asItLooks} onChange={setAsItLooks} />}
      <table className="conflict">
        <thead>
          <tr>
            <th scope="col">{texts.attribute}</th>
            <th scope="col">{texts.mine}</th>
            <th scope="col">{texts.theirs}</th>
          </tr>
        </thead>
        <tbody>
          {decisions.map(({ key, labels, passage, ...decision }) => (
            <Row
              key={key}
              {...{ ...decision, labels, asItLooks }}
              place={passage && texts.passage(passage.number, passage.of)}
              name={key}
              isKept={kept.has(key)}
              onChoose={(isKept) => choose(key, isKept)}
            />
          ))}
        </tbody>
      </table>
      {differences.length === 0 && <p>{texts.same}</p>}
      <div className="actions review">
        <button type="button" onClick={onClose}>
          {texts.back}
        </button>
        <button type="button" className="primary" onClick={() => onMerge(mergeDecided(versions, differences, kept))}>
          {texts.use}
        </button>
      </div>
    </Dialog>
  );
}

interface RowProps {
  readonly attribute: Attribute;
  /** Of the attributes that lead to it, the outermost first. */
  readonly labels: readonly string[];
  /** Which of several passages of a text it is. */
  readonly place: string | undefined;
  readonly by: ChangedBy;
  readonly mine: Value;
  readonly theirs: Value;
  readonly asItLooks: boolean;
  readonly name: string;
  readonly isKept: boolean;
  readonly onChoose: (isKept: boolean) => void;
}

function Row({ attribute, labels, place, by, mine, theirs, name, isKept, onChoose, asItLooks }: RowProps) {
  const texts = useTexts().conflict;
  const cell = (isMine: boolean, value: Value, other: Value) => (
    <td>
      <label>
        <input type="radio" name={`keep-${name}`} checked={isKept === isMine} onChange={() => onChoose(isMine)} />
        <ComparedValue attribute={attribute} value={value} other={other} mark="mark" asItLooks={asItLooks} />
      </label>
    </td>
  );
  return (
    <tr>
      <th scope="row">
        {labels.join(' · ')}
        {place !== undefined && <span className="place">{place}</span>}
        {by === 'both' && <span className="tag">{texts.both}</span>}
      </th>
      {cell(true, mine, theirs)}
      {cell(false, theirs, mine)}
    </tr>
  );
}
