import { expect, test } from '@jest/globals';
import { english } from '../../src/browser/language/english/english.js';
import { isOfferedWith, isShownWith } from '../../src/browser/model/help/condition.js';
import { inLanguage, textIn } from '../../src/browser/model/help/in-language.js';
import { stepsOf } from '../../src/browser/model/references.js';
import { findIssues } from '../../src/browser/model/rules.js';
import type { Attribute, Condition } from '../../src/browser/model/schema.js';
import type { Value } from '../../src/browser/model/values.js';
import { placesOf } from '../../src/browser/list/issue-places.js';
import { article, content } from './content.js';

test('a text is in the language of the user, of a country nearby, in English, or the one that there is', () => {
  const rows: readonly (readonly [Parameters<typeof textIn>[0], string, string])[] = [
    ['Price', 'de', 'Price'],
    [{ en: 'Price', de: 'Preis' }, 'de', 'Preis'],
    [{ en: 'Price', 'de-CH': 'Pris' }, 'de', 'Pris'],
    [{ fr: 'Prix', en: 'Price' }, 'de', 'Price'],
    [{ fr: 'Prix', nl: 'Prijs' }, 'de', 'Prix'],
  ];
  for (const [text, language, shown] of rows) expect([text, language, textIn(text, language)]).toEqual([text, language, shown]); // prettier-ignore
});

const german = inLanguage(
  {
    ...content,
    contentTypes: [
      {
        ...article,
        label: { de: 'Artikel' },
        pluralLabel: { de: 'Alle Artikel' },
        description: { de: 'Was gedruckt wird', en: 'What is printed' },
        attributes: article.attributes.map((attribute) => ({
          ...attribute,
          ...(attribute.name === 'title' && { label: { de: 'Überschrift' }, placeholder: 'Brot' }),
          ...(attribute.name === 'rating' && { section: { de: 'Urteil' } }),
          ...(attribute.name === 'links' && { label: 'Verweise' }),
        })),
      },
    ],
    components: content.components.map((component) => ({
      ...component,
      label: { de: 'Verweis' },
      description: { de: 'Führt weiter' },
    })),
  },
  'de',
);
const attributeIn = (name: string): Attribute | undefined =>
  german.contentTypes[0]?.attributes.find((attribute) => attribute.name === name);

test('what the service describes has the texts of one language, and a label everywhere', () => {
  const [type] = german.contentTypes;
  expect(type).toMatchObject({ entryName: 'Artikel', listName: 'Alle Artikel', description: 'Was gedruckt wird' });
  expect(german.components).toMatchObject([{ displayName: 'Verweis', description: 'Führt weiter' }]);
  expect(attributeIn('title')).toMatchObject({ label: 'Überschrift', placeholder: 'Brot' });
  expect(attributeIn('slug')).toMatchObject({ label: 'Slug', targetLabel: 'Überschrift' });
  expect(attributeIn('rating')).toMatchObject({ section: 'Urteil' });
  expect(type && placesOf(german, type, undefined, 'links.0.url')).toEqual(['Verweise', 'Verweis 1', 'Url']);
  expect(type && stepsOf(german, { type, path: ['links', 'url'] })).toEqual(['Verweise', 'Url']);
});

const shownIf = (condition: Condition, name = 'it'): Attribute =>
  ({ ...attributeIn('meta'), name, condition }) as Attribute;
const asked = (options: object = {}): Attribute => ({ ...attributeIn('meta'), name: 'asked', ...options }) as Attribute;

test('conditions compare with the value of the form', () => {
  const rows: readonly (readonly [Omit<Condition, 'attribute'>, Value, boolean])[] = [
    [{ equals: 'a' }, 'a', true],
    [{ equals: 'a' }, '', false],
    [{ equals: 5 }, '5.0', true],
    [{ equals: 0 }, '', false],
    [{ equals: false }, false, true],
    [{ equals: false }, null, false],
    [{ not: 'a' }, '', true],
    [{ not: true }, true, false],
    [{ in: ['a', 'b'] }, 'b', true],
    [{ in: ['a', 'b'] }, 'c', false],
    [{ isSet: true }, [], false],
    [{ isSet: true }, 'x', true],
    [{ isSet: false }, { items: [], stored: [], truncated: false }, true],
  ];
  for (const [test, value, isShown] of rows) {
    const model = { attributes: [asked(), shownIf({ attribute: 'asked', ...test })] };
    expect([test, value, isShownWith(model, 'it', { asked: value })]).toEqual([test, value, isShown]);
  }
});

test('what depends on a hidden attribute is hidden, on an unreadable one it is shown', () => {
  const chain = [
    asked(),
    shownIf({ attribute: 'asked', equals: 'a' }),
    shownIf({ attribute: 'it', isSet: true }, 'last'),
  ];
  expect(isShownWith({ attributes: chain }, 'last', { asked: 'b', it: 'x' })).toBe(false);
  expect(isShownWith({ attributes: chain }, 'last', { asked: 'a', it: 'x' })).toBe(true);
  const unreadable = [asked({ read: false }), shownIf({ attribute: 'asked', equals: 'a' })];
  expect(isShownWith({ attributes: unreadable }, 'it', { asked: '' })).toBe(true);
});

test('a hidden value may be missing, but not be wrong; what had to be corrected stays in sight', () => {
  const hidden = {
    ...shownIf({ attribute: 'asked', equals: 'a' }),
    type: 'string',
    required: true,
    regex: '^[A-Z]+$',
    message: 'Capitals',
  } as Attribute;
  const model = { uid: 'api::thing.thing', attributes: [asked({ type: 'string', required: true }), hidden] };
  const check = { draft: false, stored: false, publishing: true, texts: english.rules, mistakenLine: () => undefined };
  const issues = (values: Readonly<Record<string, string>>) => findIssues(content, model, values, check);
  expect(issues({ asked: 'b', it: '' })).toEqual([]);
  expect(issues({ asked: 'a', it: '' })).toEqual([{ path: 'it', message: 'Required' }]);
  expect(issues({ asked: 'b', it: 'x' })).toEqual([{ path: 'it', message: 'Capitals' }]);
  const isOffered = isOfferedWith(model, { asked: 'b', it: 'x' }, 'blocks.0.', new Set(['blocks.0.it']));
  expect(model.attributes.map((attribute) => isOffered(attribute))).toEqual([true, true]);
  expect(isOfferedWith(model, { asked: 'b', it: 'x' }, 'blocks.1.', new Set(['blocks.0.it']))(hidden)).toBe(false);
});
