import type { MouseEvent } from 'react';
import { useTexts } from '../../language/language.js';
import type { FileRecord, FocalPoint } from '../../model/values.js';
import { addressOf } from '../thumbnail.js';

interface Props {
  readonly file: FileRecord;
  /** Null: sites keep what they like in sight. */
  readonly point: FocalPoint | null;
  readonly onChange: (point: FocalPoint | null) => void;
  readonly disabled: boolean;
}

const names = ['x', 'y'] as const;

/**
 * An image on which its user shows, by clicking or by numbers, what stays in sight where it is cut; and such cuts of
 * it.
 */
export function FocalPointInput({ file, point, onChange, disabled }: Props) {
  const texts = useTexts().crop.focus;
  const address = addressOf(file, file.url);
  const choose = ({ currentTarget, clientX, clientY }: MouseEvent): void => {
    const { left, top, width, height } = currentTarget.getBoundingClientRect();
    onChange({ x: share((clientX - left) / width), y: share((clientY - top) / height) });
  };
  return (
    <>
      <div className="focus" onClick={disabled ? undefined : choose}>
        <img src={address} alt={file.alternativeText ?? ''} draggable={false} />
        {point !== null && <span style={{ left: percent(point.x), top: percent(point.y) }} />}
      </div>
      <fieldset className="numbers" disabled={disabled}>
        <legend>{texts.title}</legend>
        {names.map((name) => (
          <label key={name}>
            {texts[name]}
            <input
              name={`focus-${name}`}
              type="number"
              min={0}
              max={100}
              value={point === null ? '' : Math.round(point[name] * 100)}
              onChange={({ target: { valueAsNumber: value } }) =>
                onChange(Number.isNaN(value) ? null : { ...(point ?? middle), [name]: share(value / 100) })
              }
            />
          </label>
        ))}
      </fieldset>
      <p className="hint">{texts.hint}</p>
      {point !== null && (
        <div className="cuts" aria-hidden="true">
          {['wide', 'square', 'high'].map((shape) => (
            <img
              key={shape}
              className={shape}
              src={address}
              alt=""
              style={{ objectPosition: `${percent(point.x)} ${percent(point.y)}` }}
            />
          ))}
        </div>
      )}
    </>
  );
}

const middle: FocalPoint = { x: 0.5, y: 0.5 };

const share = (value: number): number => Math.round(Math.min(Math.max(value, 0), 1) * 100) / 100;

const percent = (part: number): string => `${part * 100}%`;
