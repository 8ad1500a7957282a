import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { readPage } from '../../api/entries.js';
import { useSession } from '../../api/session.js';
import { useTexts } from '../../language/language.js';
import { idsIn, namesEntries, operatorOf, type Filter } from '../../model/lists/list-state.js';
import { linkFields } from '../../model/selection.js';
import { typeOf, type Attribute, type Content, type ContentType } from '../../model/schema.js';
import { linkOf } from '../../model/values.js';

interface Props {
  readonly content: Content;
  readonly attributes: readonly Attribute[];
  readonly filter: Filter;
  readonly children: (text: string) => ReactNode;
}

/** What a filter says, with the titles of the entries that it names. */
export function FilterText({ content, attributes, filter, children }: Props) {
  const texts = useTexts();
  const { attribute: name, operator: given, operand } = filter;
  const attribute = attributes.find((other) => other.name === name);
  const operator = attribute && operatorOf(attribute, given);
  const target =
    attribute?.type === 'relation' && operator !== undefined && namesEntries(operator)
      ? typeOf(content, attribute.targets[0] ?? '')
      : undefined;
  const titles = useTitles(content, target, target === undefined ? [] : idsIn(operand));
  if (operator === undefined) return children(texts.filters.unusable(name));
  const shown = namesEntries(operator) ? titles.join(', ') : operand;
  return children(`${attribute?.label ?? name} ${texts.operators[operator.label]} ${shown}`.trim());
}

/** The titles of entries; their ids until they are read, and of those that nobody can read. */
function useTitles(content: Content, type: ContentType | undefined, ids: readonly number[]): readonly string[] {
  const { api } = useSession();
  const query = type && {
    ...linkFields(type),
    filters: { id: { $in: ids } },
    ...(type.draftAndPublish && { publicationState: 'preview' }),
    ...(type.localized && { locale: 'all' }),
    ...(type.plain ? { limit: ids.length } : { pagination: { pageSize: ids.length, withCount: false } }),
  };
  const { data } = useQuery({
    queryKey: ['list', type?.path, query],
    enabled: type !== undefined && ids.length > 0,
    queryFn: () => (type === undefined || query === undefined ? undefined : readPage(api, type, query)),
  });
  return ids.map((id) => {
    const entry = data?.entries.find((other) => other.id === id);
    return entry === undefined || type === undefined ? `#${id}` : linkOf(content, [type.uid], { ...entry }).title;
  });
}
