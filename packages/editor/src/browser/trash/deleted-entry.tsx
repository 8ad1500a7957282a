import { useQuery } from '@tanstack/react-query';
import { Fragment } from 'react';
import { localeOf } from '../api/entries.js';
import { useSession } from '../api/session.js';
import { FormContext } from '../form/form-context.js';
import { ShownValue } from '../form/shown-value.js';
import { useTexts } from '../language/language.js';
import { isEmpty } from '../model/body.js';
import { formAttributes, type Content, type ContentType } from '../model/schema.js';
import { valuesOf } from '../model/values.js';
import { Dialog } from '../shell/dialog.js';
import { Failure } from '../shell/notices.js';
import { Loading } from '../shell/states.js';
import { readDeleted } from './deleted-entries.js';

interface Props {
  readonly content: Content;
  readonly type: ContentType;
  readonly id: number;
  readonly title: string;
  /** Undefined: the user may not restore it. */
  readonly onRestore: (() => void) | undefined;
  readonly onClose: () => void;
}

/** What a deleted entry has, before it is restored. */
export function DeletedEntry({ content, type, id, title, onRestore, onClose }: Props) {
  const texts = useTexts();
  const { api } = useSession();
  const { data, error } = useQuery({
    queryKey: ['list', type.path, 'trash', 'whole', id],
    // A query has no undefined value.
    queryFn: async () => (await readDeleted(api, content, type, id)) ?? null,
  });
  const values = data ? valuesOf(content, type, data.attributes) : {};
  const form = {
    content,
    issues: [],
    isNew: false,
    fieldId: (path: string) => `deleted-${path}`,
    isLocked: true,
    locale: localeOf(data ?? undefined),
    beside: undefined,
  };
  return (
    <Dialog title={title} onClose={onClose} wide>
      {error !== null && <Failure error={error} />}
      {data === undefined && error === null && <Loading />}
      {data === null && <p>{texts.refusals.notFound}</p>}
      {data && (
        <FormContext value={form}>
          <dl className="deleted">
            {formAttributes(type)
              .filter(({ name, read }) => read && !isEmpty(values[name]))
              .map((attribute) => (
                <Fragment key={attribute.name}>
                  <dt>{attribute.label}</dt>
                  <dd>
                    <ShownValue attribute={attribute} value={values[attribute.name] ?? null} />
                  </dd>
                </Fragment>
              ))}
          </dl>
        </FormContext>
      )}
      <div className="actions review">
        <button type="button" onClick={onClose}>
          {texts.common.close}
        </button>
        {data && onRestore !== undefined && (
          <button type="button" className="primary" onClick={onRestore}>
            {texts.trash.restore}
          </button>
        )}
      </div>
    </Dialog>
  );
}
