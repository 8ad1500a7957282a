import slugify from '@sindresorhus/slugify';
import { useState, type ReactNode } from 'react';
import { useTexts } from '../language/language.js';
import { titleAttribute, type Content } from '../model/schema.js';
import { entryQuery } from '../model/selection.js';
import { linkOf, newValues, withValue, type Values } from '../model/values.js';
import { Dialog } from '../shell/dialog.js';
import { useNotice } from '../shell/notices.js';
import { EntryForm } from './entry-form.js';
import { RelatedContext, type Wanted } from './form-context.js';

interface Props {
  readonly content: Content;
  readonly children: ReactNode;
}

/** A form, and over it those of the related entries that it needs: each in a dialog, which may need further ones. */
export function RelatedForms({ content, children }: Props) {
  const [open, setOpen] = useState<readonly Wanted[]>([]);
  const close = (index: number): void => setOpen((forms) => forms.slice(0, index));
  return (
    <RelatedContext value={(wanted) => setOpen((forms) => [...forms, wanted])}>
      {children}
      {open.map((wanted, index) => (
        <RelatedForm key={index} content={content} wanted={wanted} depth={index + 1} onClose={() => close(index)} />
      ))}
    </RelatedContext>
  );
}

function RelatedForm(props: {
  readonly content: Content;
  readonly wanted: Wanted;
  readonly depth: number;
  readonly onClose: () => void;
}) {
  const texts = useTexts();
  const show = useNotice();
  const { content, depth, onClose } = props;
  const { type, locale, title, onCreated } = props.wanted;
  const [base] = useState(() => begunWith(props.content, props.wanted));
  return (
    <Dialog title={texts.form.newOf(type.entryName)} onClose={onClose} wide>
      <EntryForm
        content={content}
        type={type}
        id={undefined}
        origin={{ locale, source: undefined, from: undefined, copied: undefined }}
        query={entryQuery(content, type)}
        read={{ entry: undefined, etag: undefined }}
        base={base}
        related={{
          depth,
          isBegun: title !== '',
          onCreated: (entry) => {
            onCreated(linkOf(content, [type.uid], { ...entry }));
            show({ kind: 'done', text: texts.common.saved });
            onClose();
          },
        }}
      />
    </Dialog>
  );
}

/** The values of a new entry with the title that the user searched for. */
function begunWith(content: Content, { type, title }: Wanted): Values {
  const values = newValues(content, type, 'new');
  const attribute = titleAttribute(type);
  return title === '' || attribute?.create !== true ? values : withValue(type, values, attribute.name, title, slugify);
}
