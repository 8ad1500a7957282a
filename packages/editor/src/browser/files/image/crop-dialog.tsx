import { ExplainedError } from '../../language/message-of.js';
import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { ReactCrop } from 'react-image-crop';
import { uploadFiles, type FileInfo } from '../../api/files.js';
import { readFolderOf } from '../../api/folders.js';
import { useSession } from '../../api/session.js';
import { Choice } from '../../inputs/choice.js';
import { useTexts } from '../../language/language.js';
import {
  areaWithin,
  cropName,
  largestArea,
  percentOf,
  pixelsOf,
  ratioOf,
  ratios,
  withNumber,
  type Area,
} from '../../model/library/area.js';
import type { Content } from '../../model/schema.js';
import type { FileRecord } from '../../model/values.js';
import { Dialog, DialogButtons } from '../../shell/dialog.js';
import { Failure } from '../../shell/notices.js';
import { addressOf } from '../thumbnail.js';

interface Props {
  readonly content: Content;
  readonly file: FileRecord;
  /** Stores what was typed about the file, and returns what holds for a part of it, too. */
  readonly saveTyped: () => Promise<Partial<FileInfo>>;
  readonly onClose: () => void;
  readonly onCrop: (file: FileRecord) => void;
}

const names = ['x', 'y', 'width', 'height'] as const;

/**
 * Chooses a part of an image, by its frame or by numbers, and stores it as a file of its own in the folder of the
 * image.
 */
export function CropDialog({ content, file, saveTyped, onClose, onCrop }: Props) {
  const texts = useTexts().crop;
  const { api } = useSession();
  const image = useRef<HTMLImageElement>(null);
  const [size, setSize] = useState({ width: 1, height: 1 });
  const [typed, setTyped] = useState<Area>({ x: 0, y: 0, width: 1, height: 1 });
  const [proportion, setProportion] = useState('free');
  const ratio = ratioOf(proportion, size);
  const area = areaWithin(typed, size, ratio);
  // Where it is within the image the frame is exactly where it was moved: a step of the keys can be less than a pixel
  // of the image.
  const framed = names.every((name) => Math.abs(typed[name] - area[name]) < 1) ? typed : area;
  const save = useMutation({
    mutationFn: async (whole: HTMLImageElement) => {
      const part = await cut(whole, area, file, texts.unreadable);
      const folder = content.folders.find ? { folder: await readFolderOf(api, file.id) } : {};
      return uploadFiles(api, [part], { ...(await saveTyped()), ...folder });
    },
    onSuccess: ([stored]) => stored && onCrop(stored),
  });
  return (
    <Dialog title={texts.title} onClose={onClose} wide>
      <p className="hint">{texts.hint}</p>
      <div className="crop">
        <ReactCrop
          crop={{ ...percentOf(framed, size), unit: '%' }}
          {...(ratio !== undefined && { aspect: ratio })}
          keepSelection
          ruleOfThirds
          ariaLabels={texts.frame}
          onChange={(_, percent) => setTyped(pixelsOf(percent, size))}
        >
          <img
            ref={image}
            src={addressOf(file, file.url)}
            alt={file.alternativeText ?? ''}
            draggable={false}
            onLoad={({ currentTarget: { naturalWidth: width, naturalHeight: height } }) => {
              setSize({ width, height });
              setTyped(largestArea({ width, height }));
            }}
          />
        </ReactCrop>
      </div>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (image.current !== null) save.mutate(image.current);
        }}
      >
        <div className="numbers">
          <Choice
            label={texts.ratio}
            value={proportion}
            onChange={(name) => {
              setProportion(name);
              if (name !== 'free') setTyped(largestArea(size, ratioOf(name, size)));
            }}
            options={[
              { value: 'free', label: texts.free },
              { value: 'original', label: texts.original },
              ...ratios.map((name) => ({ value: name, label: name.replace(':', ' : ') })),
            ]}
          />
          {names.map((name) => (
            <label key={name}>
              {texts.area[name]}
              <input
                name={name}
                type="number"
                value={Number.isNaN(typed[name]) ? '' : Math.round(typed[name])}
                onChange={({ target }) => setTyped(withNumber(typed, name, target.valueAsNumber, ratio))}
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
  if (blob === null) throw new ExplainedError(unreadable);
  return new File([blob], cropName(name, { width, height }), { type: blob.type });
}
