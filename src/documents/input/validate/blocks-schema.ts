import { MAX_ERRORS } from './schema.js';

type Schema = Readonly<Record<string, unknown>>;

/** A node of one of these kinds, which its `type` names. @param message of the error for other values */
const nodeOf = (kinds: Readonly<Record<string, Schema>>, message: string): Schema => ({
  if: { type: 'object', required: ['type'], properties: { type: { enum: Object.keys(kinds) } } },
  then: {
    allOf: Object.entries(kinds).map(([kind, schema]) => ({
      if: { properties: { type: { const: kind } } },
      then: schema,
    })),
  },
  else: { not: {}, message },
});

type Properties = Readonly<Record<string, Schema>>;

/**
 * An object that has all of these properties, and may have others.
 * @param missing messages for those without the usual one
 */
const withAll = (
  properties: Properties,
  others: Properties = {},
  missing: Readonly<Record<string, string>> = {},
): Schema => ({
  required: Object.keys(properties),
  isStrict: true,
  missing,
  properties: { ...properties, ...others },
});

/** Each error takes time, and only the first are answered. */
const list = (items: Schema): Schema => ({ type: 'array', items: { ...items, maxErrors: MAX_ERRORS } });
/** @param tooFew the message for an empty one */
const filledList = (items: Schema, tooFew: string): Schema => ({ ...list(items), minItems: 1, tooFew });
const flag = { type: 'boolean' };
const filled = { type: 'string', notEmpty: 'is a required field' };
const optional = { type: ['string', 'null'] };

const text = withAll(
  { text: { type: 'string' } },
  { bold: flag, italic: flag, underline: flag, strikethrough: flag, code: flag },
  { text: 'Text must be defined with at least an empty string' },
);
const texts = nodeOf({ text }, 'Inline node must be Text');
const inline = nodeOf(
  { text, link: withAll({ url: { link: true }, children: list(texts) }, {}, { url: 'Please specify a valid link.' }) },
  'Inline node must be Text or Link',
);
const image = withAll(
  {
    name: filled,
    url: filled,
    width: { type: 'number' },
    height: { type: 'number' },
    formats: { type: 'object' },
    hash: filled,
    ext: filled,
    mime: filled,
    size: { type: 'number' },
    provider: filled,
    createdAt: filled,
    updatedAt: filled,
  },
  { alternativeText: optional, caption: optional, previewUrl: optional },
);
const items = nodeOf(
  { 'list-item': withAll({ children: list(inline) }), list: { $ref: '#/$defs/list' } },
  'Inline node must be list-item or list',
);

const atLeastOne = (node: string): string => `${node} node children must have at least one Text or Link node`;

/**
 * The JSON Schema of a value of type `blocks`, as Strapi v4.26 validates it. Other properties are allowed; nothing is
 * cast.
 */
export const blocksSchema: Schema = {
  ...list(
    nodeOf(
      {
        paragraph: withAll({ children: filledList(inline, atLeastOne('Paragraph')) }),
        heading: withAll({
          level: { enum: [1, 2, 3, 4, 5, 6] },
          children: filledList(inline, atLeastOne('Heading')),
        }),
        quote: withAll({ children: filledList(inline, atLeastOne('Quote')) }),
        // Strapi v4 calls it a quote, too.
        code: withAll({ children: filledList(texts, atLeastOne('Quote')) }, { syntax: optional }),
        list: { $ref: '#/$defs/list' },
        image: withAll({ image: { type: 'object', ...image }, children: list(inline) }),
      },
      'Block node is of invalid type',
    ),
  ),
  $defs: {
    list: withAll({
      format: { enum: ['ordered', 'unordered'] },
      children: filledList(items, 'List node children must have at least one ListItem or ListNode'),
    }),
  },
};
