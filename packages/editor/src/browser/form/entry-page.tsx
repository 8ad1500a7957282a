import { useQuery, useQueryClient } from '@tanstack/react-query';
import { LockKeyhole } from 'lucide-react';
import { useLocation, useSearch } from 'wouter';
import { RequestError, type Api } from '../api/api.js';
import { formAddress, readEntry, type EntryRead } from '../api/entries.js';
import { useSession } from '../api/session.js';
import { useTexts } from '../language/language.js';
import { MissingEntry } from '../list/missing-entry.js';
import { copyOf } from '../model/copy.js';
import { entryQuery } from '../model/selection.js';
import { defaultLocale, type Content, type ContentType } from '../model/schema.js';
import { newValues, valuesOf, type Values } from '../model/values.js';
import { Empty, Loading, Unread } from '../shell/states.js';
import { useTitle } from '../shell/use-title.js';
import { EntryForm } from './entry-form.js';
import { FormHeading } from './form-heading.js';
import { RelatedForms } from './related-forms.js';
import { mayStore, type FormRead, type Origin } from './form-read.js';

interface Props {
  readonly content: Content;
  readonly type: ContentType;
  /** Undefined: of a new entry, or of a single type. */
  readonly id: number | undefined;
}

/** Reads an entry, or prepares a new one, and shows its form. */
export function EntryPage({ content, type, id }: Props) {
  const { api } = useSession();
  const texts = useTexts().form;
  const parameters = new URLSearchParams(useSearch());
  const locale = type.localized ? (parameters.get('locale') ?? undefined) : undefined;
  const idIn = (name: string): number | undefined => {
    const text = parameters.get(name);
    return text !== null && Number.isSafeInteger(Number(text)) ? Number(text) : undefined;
  };
  const origin: Origin = {
    locale,
    source: idIn('source'),
    from: parameters.get('from') ?? undefined,
    copied: idIn('copied'),
    ...(parameters.has('begun') && { begun: parameters.get('begun') ?? undefined }),
  };
  const isSingle = type.kind === 'singleType';
  const readId = id ?? origin.source ?? origin.copied;
  const isRead = isSingle || readId !== undefined;
  const query = queryOf(content, type, origin);
  const queryKey = ['entry', type.path, readId, origin, query];
  const { data, error, dataUpdatedAt } = useQuery({
    queryKey,
    queryFn: () => (isRead ? readForm(api, type, id, origin, query) : none),
  });
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  /** The form stays, as it is the one of this time. */
  const onCreated = (read: EntryRead): void => {
    const stored = isSingle ? queryKey : ['entry', type.path, read.entry?.id, {}, query];
    queries.setQueryData(stored, read, { updatedAt: dataUpdatedAt });
    if (!isSingle) navigate(formAddress(type, read.entry?.id), { replace: true });
  };
  useTitle(type.entryName);
  if (error instanceof RequestError && error.status === 404) return <MissingEntry type={type} />;
  if (error !== null) {
    return (
      <section>
        <h1>{type.entryName}</h1>
        <Unread error={error} />
      </section>
    );
  }
  if (data === undefined) return <Loading />;
  const isNew = data.entry === undefined;
  // The API answers with nothing for a user who does not exist.
  if (isNew && id !== undefined) return <MissingEntry type={type} />;
  if (isNew && !mayStore(type, data)) {
    return (
      <section>
        <FormHeading type={type} heading={texts.newOf(type.entryName)} />
        <Empty icon={LockKeyhole} title={texts.mayNotCreate} />
      </section>
    );
  }
  return (
    <RelatedForms content={content}>
      <EntryForm
        key={dataUpdatedAt}
        content={content}
        type={type}
        id={isNew ? undefined : data.entry?.id}
        origin={origin}
        query={query}
        read={data}
        base={baseOf(content, type, data)}
        onCreated={onCreated}
      />
    </RelatedForms>
  );
}

const none: FormRead = { entry: undefined, etag: undefined };

/** Reads an entry, or that of which a new one is a localization or a copy. */
async function readForm(
  api: Api,
  type: ContentType,
  id: number | undefined,
  { source, from, copied }: Origin,
  query: object,
): Promise<FormRead> {
  if (type.kind !== 'singleType') {
    const read = await readEntry(api, type, id ?? source ?? copied, query);
    if (id !== undefined) return read;
    return { ...none, ...(source === undefined ? { copied: read.entry } : { source: read.entry }) };
  }
  const read = await readEntry(api, type, undefined, query);
  if (read.entry !== undefined || from === undefined) return read;
  return { ...none, source: (await readEntry(api, type, undefined, { ...query, locale: from })).entry };
}

function queryOf(content: Content, type: ContentType, { locale }: Origin): object {
  const preview = type.draftAndPublish ? { publicationState: 'preview' } : {};
  const latest = type.workingCopies === true ? { status: 'draft' } : {};
  if (type.kind !== 'singleType') return { ...entryQuery(content, type), ...latest };
  return {
    ...entryQuery(content, type),
    ...(type.workingCopies === true ? latest : preview),
    ...(type.localized && { locale: locale ?? defaultLocale(content) }),
  };
}

function baseOf(content: Content, type: ContentType, { entry, source, copied }: FormRead): Values {
  if (entry !== undefined) return valuesOf(content, type, entry.attributes);
  const model = source ?? copied;
  return model === undefined
    ? newValues(content, type, 'new')
    : copyOf(type, valuesOf(content, type, model.attributes));
}
