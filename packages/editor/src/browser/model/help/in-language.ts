import {
  isScalar,
  labelIn,
  labelOf,
  type Attribute,
  type Component,
  type Content,
  type ContentType,
} from '../schema.js';

/** A text of a definition: in one language for all, or by languages. */
export type TextByLanguage = string | Readonly<Record<string, string>>;

/** What definitions can say in several languages. */
const textNames = ['label', 'pluralLabel', 'description', 'placeholder', 'message', 'section'] as const;
type TextName = (typeof textNames)[number];

/** As the service describes something: with the texts of all languages. */
type Described<T> = T extends unknown
  ? Omit<T, TextName | 'attributes'> & Readonly<Partial<Record<TextName, TextByLanguage>>>
  : never;
type DescribedModel<M> = Described<M> & { readonly attributes: readonly Described<Attribute>[] };
export type DescribedContent = Omit<Content, 'contentTypes' | 'components'> & {
  readonly contentTypes: readonly DescribedModel<ContentType>[];
  readonly components: readonly DescribedModel<Component>[];
};

/** What the service describes, with the texts of one language, and with a label for each attribute. */
export const inLanguage = (content: DescribedContent, language: string): Content => ({
  ...content,
  contentTypes: content.contentTypes.map((type): ContentType => {
    const { label, pluralLabel, ...texts } = textsOf(type, language);
    const entryName = label ?? type.entryName;
    const listName = pluralLabel ?? (type.kind === 'singleType' ? entryName : type.listName);
    return {
      ...(type as object as ContentType),
      ...texts,
      entryName,
      listName,
      attributes: attributesOf(type, language),
    };
  }),
  components: content.components.map((component): Component => {
    const { label, ...texts } = textsOf(component, language);
    const displayName = label ?? component.displayName;
    return {
      ...(component as object as Component),
      ...texts,
      displayName,
      attributes: attributesOf(component, language),
    };
  }),
});

const attributesOf = (
  { attributes }: { readonly attributes: readonly Described<Attribute>[] },
  language: string,
): readonly Attribute[] => {
  const named = attributes.map((attribute) => ({
    ...(attribute as object as Attribute),
    label: labelOf(attribute.name),
    ...textsOf(attribute, language),
  }));
  return named.map((attribute) =>
    isScalar(attribute) && attribute.targetField !== undefined
      ? { ...attribute, targetLabel: labelIn({ attributes: named }, attribute.targetField) }
      : attribute,
  );
};

const textsOf = (
  described: Readonly<Partial<Record<TextName, TextByLanguage>>>,
  language: string,
): Readonly<Partial<Record<TextName, string>>> =>
  Object.fromEntries(
    textNames.flatMap((name) => {
      const text = described[name];
      return text === undefined ? [] : [[name, textIn(text, language)]];
    }),
  );

/** The text in a language; else in that language of another country, in English, or in the first of its languages. */
export function textIn(text: TextByLanguage, language: string): string {
  if (typeof text === 'string') return text;
  const related = Object.keys(text).find((code) => code.split('-', 1)[0] === language);
  return text[language] ?? text[related ?? 'en'] ?? Object.values(text)[0] ?? '';
}
