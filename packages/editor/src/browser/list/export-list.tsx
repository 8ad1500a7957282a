import { useMutation } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useSession } from '../api/session.js';
import { Choice } from '../inputs/choice.js';
import { useTexts } from '../language/language.js';
import { exportedAttributes, exportFormats, formatOf, type ExportFormat } from '../model/lists/export.js';
import { Dialog, DialogButtons } from '../shell/dialog.js';
import { Failure, useNotice } from '../shell/notices.js';
import { readMatchingPages, type Matching } from './several/matching-entries.js';

/** Stores all entries that a list has, on whatever page, in a file. */
export function ExportList({ matching }: { readonly matching: Matching }) {
  const texts = useTexts().list;
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        <Download size={16} aria-hidden="true" />
        {texts.export.open}
      </button>
      {isOpen && <ExportDialog matching={matching} onClose={() => setOpen(false)} />}
    </>
  );
}

function ExportDialog({ matching, onClose }: { readonly matching: Matching; readonly onClose: () => void }) {
  const texts = useTexts().list.export;
  const { api } = useSession();
  const show = useNotice();
  const [format, setFormat] = useState<ExportFormat>('csv');
  const [count, setCount] = useState(0);
  const isGone = useRef(false);
  useEffect(() => {
    isGone.current = false;
    return () => {
      isGone.current = true;
    };
  }, []);
  const { type, content } = matching;
  const { mutate, isPending, error } = useMutation({
    mutationFn: async () => {
      const attributes = exportedAttributes(type);
      const { mime, begin, entry: write, end } = formatOf(format);
      // The browser keeps what was read as files, and not in its memory.
      const parts = [new Blob([begin(attributes)])];
      let written = 0;
      for await (const page of readMatchingPages(api, { ...matching, attributes })) {
        if (isGone.current) return undefined;
        const rows = page.map((entry, index) => write({ content, type, attributes, entry }, written + index === 0));
        parts.push(new Blob(rows));
        written += page.length;
        setCount(written);
      }
      return { file: new Blob([...parts, end], { type: mime }), written };
    },
    onSuccess: (stored) => {
      if (stored === undefined || isGone.current) return;
      download(stored.file, `${type.path}.${format}`);
      show({ kind: 'done', text: texts.done(stored.written) });
      onClose();
    },
  });
  return (
    <Dialog title={texts.title(type.listName)} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          mutate();
        }}
      >
        <p className="hint">{texts.hint}</p>
        <Choice
          label={texts.format}
          value={format}
          disabled={isPending}
          onChange={(next) => setFormat(next as ExportFormat)}
          options={exportFormats.map((one) => ({ value: one, label: texts.formats[one] }))}
        />
        <p role="status">{isPending && texts.reading(count)}</p>
        {error !== null && <Failure error={error} />}
        <DialogButtons action={texts.run} isBusy={isPending} onClose={onClose} />
      </form>
    </Dialog>
  );
}

function download(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
