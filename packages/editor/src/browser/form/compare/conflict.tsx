import { useState } from 'react';
import type { Entry } from '../../api/entries.js';
import { useWriters } from '../../api/writers.js';
import { differencesOf, type Difference, type Versions } from './compare.js';
import { type ContentType } from '../../model/schema.js';
import type { Value } from '../../model/values.js';
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
  /** @param kept the attributes whose value in the form wins */
  readonly onMerge: (kept: ReadonlySet<string>) => void;
}

/** Shows two versions of an entry side by side; the user chooses between them for each attribute. */
export function Conflict({ type, versions, entry, onClose, onMerge }: Props) {
  const language = useTexts();
  const texts = language.conflict;
  const writer = useWriters(type, entry)?.updatedBy ?? undefined;
  const differences = differencesOf(type, versions);
  const [kept, setKept] = useState<ReadonlySet<string>>(
    () => new Set(differences.filter(({ by }) => by !== 'them').map(({ attribute }) => attribute.name)),
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
      {differences.some(({ attribute }) => hasLook(attribute)) && (
        <LookSwitch isOn={asItLooks} onChange={setAsItLooks} />
      )}
      <table className="conflict">
        <thead>
          <tr>
            <th scope="col">{texts.attribute}</th>
            <th scope="col">{texts.mine}</th>
            <th scope="col">{texts.theirs}</th>
          </tr>
        </thead>
        <tbody>
          {differences.map((difference) => (
            <Row
              key={difference.attribute.name}
              difference={difference}
              versions={versions}
              asItLooks={asItLooks}
              isKept={kept.has(difference.attribute.name)}
              onChoose={(isKept) => choose(difference.attribute.name, isKept)}
            />
          ))}
        </tbody>
      </table>
      {differences.length === 0 && <p>{texts.same}</p>}
      <div className="actions review">
        <button type="button" onClick={onClose}>
          {texts.back}
        </button>
        <button type="button" className="primary" onClick={() => onMerge(kept)}>
          {texts.use}
        </button>
      </div>
    </Dialog>
  );
}

function Row(props: {
  readonly difference: Difference;
  readonly versions: Versions;
  readonly asItLooks: boolean;
  readonly isKept: boolean;
  readonly onChoose: (isKept: boolean) => void;
}) {
  const texts = useTexts();
  const { attribute, by } = props.difference;
  const { name } = attribute;
  const { mine, theirs } = props.versions;
  const cell = (isMine: boolean, value: Value | undefined, other: Value | undefined) => (
    <td>
      <label>
        <input
          type="radio"
          name={`keep-${name}`}
          checked={props.isKept === isMine}
          onChange={() => props.onChoose(isMine)}
        />
        <ComparedValue
          attribute={attribute}
          value={value ?? null}
          other={other ?? null}
          mark="mark"
          asItLooks={props.asItLooks}
        />
      </label>
    </td>
  );
  return (
    <tr>
      <th scope="row">
        {attribute.label}
        {by === 'both' && <span className="tag">{texts.conflict.both}</span>}
      </th>
      {cell(true, mine[name], theirs[name])}
      {cell(false, theirs[name], mine[name])}
    </tr>
  );
}
