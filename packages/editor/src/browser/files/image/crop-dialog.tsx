import { useMutation } from '@tanstack/react-query';
import { useRef, useState, type PointerEvent } from 'react';
import { uploadFiles } from '../../api/files.js';
import { useSession } from '../../api/session.js';
import { useTexts } from '../../language/language.js';
import { areaBetween, areaWithin, cropName, type Area } from '../../model/library/area.js';
import type { FileRecord } from '../../model/values.js';
import { Dialog, DialogButtons } from '../../shell/dialog.js';
import { Failure } from '../../shell/notices.js';
import { addressOf } from '../thumbnail.js';

interface Props {
  readonly file: FileRecord;
  readonly onClose: () => void;
  readonly onCrop: (file: FileRecord) => void;
}

const names = ['x', 'y', 'width', 'height'] as const;

/** Chooses a part of an image, by dragging or by numbers, and uploads it as a file of its own. */
export function CropDialog({ file, onClose, onCrop }: Props) {
  const texts = useTexts().crop;
  const { api } = useSession();
  const image = useRef<HTMLImageElement>(null);
  const [size, setSize] = useState({ width: 1, height: 1 });
  const [typed, setTyped] = useState<Area>({ x: 0, y: 0, width: 1, height: 1 });
  const area = areaWithin(typed, size);
  const [start, setStart] = useState<Pick<Area, 'x' | 'y'>>();
  const pointIn = ({ currentTarget, clientX, clientY }: PointerEvent): Pick<Area, 'x' | 'y'> => {
    const shown = currentTarget.getBoundingClientRect();
    return {
      x: ((clientX - shown.left) / shown.width) * size.width,
      y: ((clientY - shown.top) / shown.height) * size.height,
    };
  };
  const save = useMutation({
    mutationFn: async (whole: HTMLImageElement) => {
      const part = await cut(whole, area, file, texts.unreadable);
      const { alternativeText, caption } = file;
      return uploadFiles(api, [part], { alternativeText: alternativeText ?? '', caption: caption ?? '' });
    },
    onSuccess: ([stored]) => stored && onCrop(stored),
  });
  const percent = (part: number, whole: number): string => `${(part / whole) * 100}%`;
  return (
    <Dialog title={texts.title} onClose={onClose} wide>
      <p className="hint">{texts.hint}</p>
      <div
        className="crop"
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          setStart(pointIn(event));
        }}
        onPointerMove={(event) => start !== undefined && setTyped(areaBetween(start, pointIn(event), size))}
        onPointerUp={() => setStart(undefined)}
      >
        <img
          ref={image}
          src={addressOf(file, file.url)}
          alt={file.alternativeText ?? ''}
          draggable={false}
          onLoad={({ currentTarget: { naturalWidth: width, naturalHeight: height } }) => {
            setSize({ width, height });
            setTyped({ x: 0, y: 0, width, height });
          }}
        />
        <div
          style={{
            left: percent(area.x, size.width),
            top: percent(area.y, size.height),
            width: percent(area.width, size.width),
            height: percent(area.height, size.height),
          }}
        />
      </div>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (image.current !== null) save.mutate(image.current);
        }}
      >
        <div className="numbers">
          {names.map((name) => (
            <label key={name}>
              {texts.area[name]}
              <input
                name={name}
                type="number"
                value={Number.isNaN(typed[name]) ? '' : typed[name]}
                onChange={({ target }) => setTyped({ ...typed, [name]: target.valueAsNumber })}
                onBlur={() => setTyped(area)}
              />
            </label>
          ))}
        </div>
        {save.error !== null && <Failure error={save.error} />}
        <DialogButtons action={texts.save} isBusy={save.isPending} onClose={onClose} />
      </form>
    </Dialog>
  );
}

/** High enough that a photo looks like the one that it is cut from. */
const QUALITY = 0.92;

/** @throws Error for an image of another server that does not allow it */
async function cut(
  image: HTMLImageElement,
  { x, y, width, height }: Area,
  { name, mime }: FileRecord,
  unreadable: string,
): Promise<File> {
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  canvas.getContext('2d')?.drawImage(image, x, y, width, height, 0, 0, width, height);
  const blob = await new Promise<Blob | null>((resolve) => {
    canvas.toBlob(resolve, mime, QUALITY);
  }).catch(() => null);
  if (blob === null) throw new Error(unreadable);
  return new File([blob], cropName(name, { width, height }), { type: blob.type });
}
