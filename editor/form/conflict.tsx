import { useState } from 'react';
import { differencesOf, type Difference, type Versions } from '../model/compare.js';
import { labelOf, type Content, type ContentType } from '../model/schema.js';
import type { Value } from '../model/values.js';
import { Dialog } from '../shell/dialog.js';
import { describeValue } from './describe-value.js';

interface Props {
  readonly content: Content;
  readonly type: ContentType;
  readonly versions: Versions;
  readonly isDeleted: boolean;
  readonly onClose: () => void;
  /** @param kept the attributes whose value in the form wins */
  readonly onMerge: (kept: ReadonlySet<string>) => void;
}

/** Shows two versions of an entry side by side; the user chooses between them for each attribute. */
export function Conflict({ content, type, versions, isDeleted, onClose, onMerge }: Props) {
  const differences = differencesOf(type, versions);
  const [kept, setKept] = useState<ReadonlySet<string>>(
    () => new Set(differences.filter(({ by }) => by !== 'them').map(({ attribute }) => attribute.name)),
  );
  const choose = (name: string, isKept: boolean): void => {
    const others = [...kept].filter((other) => other !== name);
    setKept(new Set(isKept ? [...others, name] : others));
  };
  if (isDeleted) {
    return (
      <Dialog title="This entry was deleted" onClose={onClose}>
        <p>Another user deleted it while you were editing. Copy what you need, or create a new entry.</p>
      </Dialog>
    );
  }
  return (
    <Dialog title="This entry was changed by someone else" onClose={onClose} wide>
      <p>Choose the value to keep for each attribute. Nothing is stored before you save.</p>
      <table className="conflict">
        <thead>
          <tr>
            <th scope="col">Attribute</th>
            <th scope="col">Your value</th>
            <th scope="col">Stored now</th>
          </tr>
        </thead>
        <tbody>
          {differences.map((difference) => (
            <Row
              key={difference.attribute.name}
              content={content}
              difference={difference}
              versions={versions}
              isKept={kept.has(difference.attribute.name)}
              onChoose={(isKept) => choose(difference.attribute.name, isKept)}
            />
          ))}
        </tbody>
      </table>
      {differences.length === 0 && <p>Both versions have the same values.</p>}
      <div className="actions">
        <button type="button" onClick={onClose}>
          Back to the form
        </button>
        <button type="button" className="primary" onClick={() => onMerge(kept)}>
          Use these values
        </button>
      </div>
    </Dialog>
  );
}

function Row(props: {
  readonly content: Content;
  readonly difference: Difference;
  readonly versions: Versions;
  readonly isKept: boolean;
  readonly onChoose: (isKept: boolean) => void;
}) {
  const { attribute, by } = props.difference;
  const { name } = attribute;
  const cell = (isMine: boolean, value: Value) => (
    <td>
      <label>
        <input
          type="radio"
          name={`keep-${name}`}
          checked={props.isKept === isMine}
          onChange={() => props.onChoose(isMine)}
        />
        <span className="value">{describeValue(props.content, attribute, value)}</span>
      </label>
    </td>
  );
  return (
    <tr>
      <th scope="row">
        {labelOf(name)}
        {by === 'both' && <span className="tag">Both changed it</span>}
      </th>
      {cell(true, props.versions.mine[name] ?? null)}
      {cell(false, props.versions.theirs[name] ?? null)}
    </tr>
  );
}
