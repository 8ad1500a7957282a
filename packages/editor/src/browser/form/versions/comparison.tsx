import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useSession } from '../../api/session.js';
import { readLinked } from '../../api/versions.js';
import { useTexts } from '../../language/language.js';
import { type Content, type ContentType } from '../../model/schema.js';
import type { Value, Values } from '../../model/values.js';
import { formerValues, restorable, type Version } from '../../model/version.js';
import { Failure } from '../../shell/notices.js';
import { ComparedValue, hasLook, LookSwitch } from '../compare/compared-value.js';
import type { Mark } from '../compare/marked.js';

interface Props {
  readonly content: Content;
  readonly type: ContentType;
  readonly version: Version;
  readonly now: Values;
  readonly onBack: () => void;
  readonly onTake: (values: Values) => void;
}

/** The attributes of a version that differ from those in the form. */
export function Comparison({ content, type, version, now, onBack, onTake }: Props) {
  const texts = useTexts();
  const { api } = useSession();
  const [asItLooks, setAsItLooks] = useState(false);
  const { data: entryOf, error } = useQuery({
    queryKey: ['versions', type.path, 'linked', version.id],
    queryFn: () => readLinked(api, content, type, version),
  });
  if (error !== null) return <Failure error={error} />;
  if (entryOf === undefined) return <p>{texts.common.loading}</p>;
  const then = formerValues(content, type, version, now, entryOf);
  const differences = restorable(type, version, now, then);
  const taken = Object.fromEntries(differences.map(({ name }) => [name, then[name] ?? null]));
  return (
    <>
      <p>{differences.length === 0 ? texts.versions.same : texts.versions.hint}</p>
      {differences.some((attribute) => hasLook(attribute)) && <LookSwitch isOn={asItLooks} onChange={setAsItLooks} />}
      {differences.length > 0 && (
        <table className="conflict">
          <thead>
            <tr>
              <th scope="col">{texts.conflict.attribute}</th>
              <th scope="col">{texts.versions.then}</th>
              <th scope="col">{texts.versions.now}</th>
            </tr>
          </thead>
          <tbody>
            {differences.map((attribute) => {
              const { name, label } = attribute;
              const cell = (value: Value | undefined, other: Value | undefined, mark: Mark) => (
                <td>
                  <ComparedValue
                    attribute={attribute}
                    value={value ?? null}
                    other={other ?? null}
                    mark={mark}
                    asItLooks={asItLooks}
                  />
                </td>
              );
              return (
                <tr key={name}>
                  <th scope="row">
                    {label}
                    <button
                      type="button"
                      aria-label={texts.publication.takeOneOf(label)}
                      onClick={() => onTake({ [name]: then[name] ?? null })}
                    >
                      {texts.publication.takeOne}
                    </button>
                  </th>
                  {cell(then[name], now[name], 'del')}
                  {cell(now[name], then[name], 'ins')}
                </tr>
              );
            })}
          </tbody>
        </table>
      )}
      <div className="actions review">
        <button type="button" onClick={onBack}>
          {texts.versions.back}
        </button>
        {differences.length > 0 && (
          <button type="button" className="primary" onClick={() => onTake(taken)}>
            {texts.versions.take}
          </button>
        )}
      </div>
    </>
  );
}
