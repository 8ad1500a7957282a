import { describe, expect, test } from '@jest/globals';
import type { AttributeDefinition } from '../../../src/content-types/model/definition.js';
import { link } from '../../../src/content-types/link/link.js';
import { StartError } from '../../../src/errors/start-error.js';
import { component, contentType, define, file, mistakesIn } from './define.js';

const title = { type: 'string' };
const types =
  'string, text, richtext, email, uid, password, enumeration, integer, biginteger, decimal, float, boolean, date, ' +
  'time, datetime, timestamp, json, blocks, array, relation, media, component, dynamiczone, customField';

const side = (target: string, mappedBy: string): AttributeDefinition => ({
  type: 'relation',
  relation: 'manyToMany',
  target,
  mappedBy,
});
const needs = (uid: string, rest: object = {}): AttributeDefinition => ({
  type: 'component',
  component: uid,
  required: true,
  ...rest,
});
const info = (singularName: string, pluralName: string) => ({ info: { singularName, pluralName } });

const textByLanguage = 'a string that is not empty, or such strings by language, e.g. { "en": "Price", "de": "Preis" }';
const editorOptions = 'panel, section, label, description, placeholder, message, width, condition';
const shownIf = (condition: object): AttributeDefinition => ({
  type: 'string',
  pluginOptions: { editor: { condition } },
});

describe('an attribute on its own', () => {
  const table: readonly (readonly [AttributeDefinition, ...string[]])[] = [
    [{ type: 'strng' }, 'type names an unknown attribute type "strng"; did you mean "string"?'],
    [{ type: 'constructor' }, `type names an unknown attribute type "constructor"; it can be ${types}`],
    [{ type: 'string', required: 'yes' }, 'required "yes" must be true or false'],
    [{ type: 'string', unique: 1 }, 'unique 1 must be true or false'],
    [{ type: 'string', pluginOptions: [] }, 'pluginOptions must be an object'],
    [{ type: 'string', pluginOptions: { editor: 'side' } }, 'pluginOptions.editor must be an object'],
    [
      { type: 'string', pluginOptions: { editor: { section: ' ' } } },
      `pluginOptions.editor.section " " must be ${textByLanguage}`,
    ],
    [
      { type: 'string', pluginOptions: { editor: { label: { en: 'Price', Deutsch: 'Preis' } } } },
      `pluginOptions.editor.label must be ${textByLanguage}`,
    ],
    [
      { type: 'string', pluginOptions: { editor: { panel: 'left', sections: 'A' } } },
      `pluginOptions.editor.sections is not supported; allowed: ${editorOptions}`,
      'pluginOptions.editor.panel "left" must be "main" or "side"',
    ],
    [
      { type: 'string', pluginOptions: { editor: { message: 'Three letters' } } },
      'pluginOptions.editor.message needs a regex: it says which values that accepts',
    ],
    [
      { type: 'boolean', pluginOptions: { editor: { placeholder: 'Yes' } } },
      'pluginOptions.editor.placeholder has no place in the field of an attribute of type boolean',
    ],
    [
      shownIf({ attribute: 'titel', equals: 'a' }),
      'pluginOptions.editor.condition.attribute names an unknown attribute "titel"; did you mean "title"?',
    ],
    [shownIf({ equals: 'a' }), 'pluginOptions.editor.condition.attribute is missing; it can be title, flag'],
    [shownIf({ attribute: 'title' }), 'pluginOptions.editor.condition must have one of equals, not, in, isSet'],
    [
      shownIf({ attribute: 'title', equals: 'a', isSet: true }),
      'pluginOptions.editor.condition must have one of equals, not, in, isSet',
    ],
    [
      shownIf({ attribute: 'title', is: 'a' }),
      'pluginOptions.editor.condition.is is not supported; allowed: attribute, equals, not, in, isSet',
      'pluginOptions.editor.condition must have one of equals, not, in, isSet',
    ],
    [
      shownIf({ attribute: 'title', in: [] }),
      'pluginOptions.editor.condition.in must be a list of at least one string, number, true or false',
    ],
    [
      shownIf({ attribute: 'flag', equals: 'yes' }),
      'pluginOptions.editor.condition.equals must be a boolean, as the values are of "flag"',
    ],
    [
      shownIf({ attribute: 'it', isSet: true }),
      'pluginOptions.editor.condition.attribute "it" depends on this attribute itself',
    ],
    [{ type: 'string', minLength: -1 }, 'minLength -1 must be a non-negative integer'],
    [{ type: 'string', minLength: 5, maxLength: 4 }, 'minLength 5 is more than maxLength 4'],
    [{ type: 'string', regex: '(a' }, 'regex "(a" is not a regular expression: Unterminated group'],
    [{ type: 'string', default: 5 }, 'default 5 must be a string'],
    [{ type: 'integer', min: 3, max: 2 }, 'min 3 is more than max 2'],
    [{ type: 'integer', min: '3' }, 'min "3" must be a number'],
    [{ type: 'integer', default: 1.5 }, 'default 1.5 must be an integer'],
    [
      { type: 'biginteger', min: '9007199254740993', max: '9007199254740992' },
      'min 9007199254740993 is more than max 9007199254740992',
    ],
    [{ type: 'biginteger', max: 'x' }, 'max "x" must be an integer, as a number or a string of digits'],
    [{ type: 'decimal', default: '1' }, 'default "1" must be a number'],
    [{ type: 'boolean', default: 'false' }, 'default "false" must be true or false'],
    [{ type: 'array', default: {} }, 'default must be a list'],
    [{ type: 'enumeration' }, 'enum must be a list of at least one string'],
    [{ type: 'enumeration', enum: [] }, 'enum must be a list of at least one string'],
    [{ type: 'enumeration', enum: ['a', 'b', 'a', 'a'] }, 'enum contains "a" twice'],
    [{ type: 'enumeration', enum: ['a', ''] }, 'enum has an empty string'],
    [
      { type: 'enumeration', enum: ['news', 'essay'], default: 'nws' },
      'default "nws" is not in enum; did you mean "news"?',
    ],
    [{ type: 'integer', min: 1, default: 0 }, 'default 0 is less than min 1'],
    [{ type: 'string', maxLength: 2, default: 'abc' }, 'default "abc" is longer than maxLength 2'],
    [{ type: 'uid', targetField: 'titel' }, 'targetField names an unknown attribute "titel"; did you mean "title"?'],
    [{ type: 'uid', targetField: 'flag' }, 'targetField "flag" is of type boolean; it must be a string'],
    [
      { type: 'media', allowedTypes: ['image'] },
      'allowedTypes must be a list of "images", "videos", "files", "audios"',
    ],
    [
      { type: 'customField', customField: 'plugin::colour-picker.color' },
      'customField names an unknown custom field "plugin::colour-picker.color"; did you mean "plugin::color-picker.color"?',
    ],
    [
      { type: 'component', component: 'shared.prt' },
      'component names an unknown component "shared.prt"; did you mean "shared.part"?',
    ],
    [{ type: 'component' }, 'component is missing; it can be shared.part'],
    [{ type: 'component', component: 'shared.part', min: 2, max: 1 }, 'min 2 is more than max 1'],
    [{ type: 'dynamiczone' }, 'components must be a list of component uids'],
    [
      { type: 'dynamiczone', components: ['shared.part', 'x.y'] },
      'components[1] names an unknown component "x.y"; it can be shared.part',
    ],
    [
      { type: 'string', default: 1, regex: '[' },
      'regex "[" is not a regular expression: Unterminated character class',
      'default 1 must be a string',
    ],
  ];

  test.each(table)('%j is refused', (it, ...rules) => {
    const definitions = define(
      file,
      contentType('thing', { title, flag: { type: 'boolean' }, it }),
      component('shared.part', { title }),
    );
    expect(mistakesIn(definitions)).toEqual(rules.map((rule) => `content-types/thing.json: attributes.it.${rule}`));
  });

  test.each(['2nd', '_rank', 'a-b', 'a.b', '$where', '__proto__', ''])('cannot be named %j', (name) => {
    const attributes = Object.fromEntries([[name, title]]);
    expect(mistakesIn(define(contentType('thing', attributes)))).toEqual([
      `content-types/thing.json: attributes.${name} must have a name of letters, digits and _ that begins with a letter`,
    ]);
  });

  test.each(['id', 'createdAt', 'updatedAt', 'publishedAt', 'createdBy', 'updatedBy', 'locale', 'localizations'])(
    'cannot have the reserved name %s',
    (name) => {
      expect(mistakesIn(define(contentType('thing', { [name]: title })))).toEqual([
        `content-types/thing.json: attributes.${name} has a reserved name; choose another`,
      ]);
    },
  );

  test('can be named like a property of Object.prototype', () => {
    const attributes = { constructor: title, toString: title, slug: { type: 'uid', targetField: 'constructor' } };
    expect(mistakesIn(define(contentType('thing', attributes)))).toEqual([]);
  });

  test('of type media needs the upload plugin', () => {
    expect(mistakesIn(define(contentType('thing', { cover: { type: 'media' } })))).toEqual([
      'content-types/thing.json: attributes.cover.type "media" needs the content type "plugin::upload.file", which the upload plugin provides',
    ]);
  });
});

describe('a relation', () => {
  const person = 'api::author.author';
  const back = { type: 'relation', relation: 'oneToMany', target: 'api::thing.thing', mappedBy: 'it' };
  const table: readonly (readonly [string, object, object, ...string[]])[] = [
    [
      'to no type',
      { target: 'api::autor.autor' },
      {},
      'it.target names an unknown content type "api::autor.autor"; did you mean "api::author.author"?',
    ],
    [
      'of no kind',
      { relation: 'manyToone' },
      {},
      'it.relation names an unknown kind of relation "manyToone"; did you mean "manyToOne"?',
    ],
    [
      'without a kind',
      { relation: undefined },
      {},
      'it.relation is missing; it can be oneToOne, oneToMany, manyToOne, manyToMany, morphToOne, morphToMany, morphOne, morphMany',
    ],
    [
      'whose other side is missing',
      { inversedBy: 'thngs' },
      { things: { ...back, mappedBy: undefined } },
      'it.inversedBy names an unknown attribute of "api::author.author" "thngs"; did you mean "things"?',
    ],
    [
      'whose other side is missing where no relation leads back',
      { inversedBy: 'things' },
      { name: title },
      'it.inversedBy names "things", which "api::author.author" does not have; add it there: "things": {"type":"relation","relation":"oneToMany","target":"api::thing.thing","mappedBy":"it"}',
    ],
    [
      'whose other side is none',
      { inversedBy: 'things' },
      { things: title },
      'it.inversedBy "things" of "api::author.author" is not a relation',
    ],
    [
      'whose other side is of another kind',
      { inversedBy: 'things' },
      { things: { ...back, relation: 'manyToMany', mappedBy: undefined } },
      'it.inversedBy "things" of "api::author.author" must be a oneToMany',
    ],
    [
      'whose other side leads elsewhere',
      { inversedBy: 'things' },
      { things: { type: 'relation', relation: 'oneToMany', target: person } },
      'it.inversedBy "things" of "api::author.author" does not refer back to "api::thing.thing"',
    ],
    [
      'whose other side does not know it',
      { inversedBy: 'things' },
      { things: { ...back, mappedBy: undefined } },
      'it.inversedBy "things" of "api::author.author" must have "mappedBy": "it"',
    ],
    [
      'on a side that it cannot be on',
      { mappedBy: 'things' },
      { things: title },
      'it.mappedBy cannot be in a manyToOne; use inversedBy',
    ],
    [
      'on both sides at once',
      { inversedBy: 'things', mappedBy: 'things' },
      { things: title },
      'it.mappedBy cannot be combined with inversedBy; keep one of them',
    ],
    [
      'that is no morph of its target',
      { relation: 'morphMany', morphBy: 'nme' },
      { name: { type: 'relation', relation: 'morphToOne' } },
      'it.morphBy names an unknown morphToOne or morphToMany of "api::author.author" "nme"; did you mean "name"?',
    ],
    ['that does not name its morph', { relation: 'morphOne' }, { name: title }, 'it.morphBy is missing'],
  ];

  test.each(table)('%s is refused', (_, it, authorAttributes, ...rules) => {
    const relation = { type: 'relation', relation: 'manyToOne', target: person, ...it };
    const mistakes = mistakesIn(
      define(contentType('thing', { it: relation }), contentType('author', { ...authorAttributes })),
    );
    expect(mistakes).toEqual(rules.map((rule) => `content-types/thing.json: attributes.${rule}`));
  });

  test('with mappedBy on both sides is refused on both', () => {
    const definitions = define(
      contentType('a', { bs: side('api::b.b', 'as') }),
      contentType('b', { as: side('api::a.a', 'bs') }),
    );
    expect(mistakesIn(definitions)).toEqual([
      'content-types/a.json: attributes.bs.mappedBy "as" of "api::b.b" must have "inversedBy": "bs"',
      'content-types/b.json: attributes.as.mappedBy "bs" of "api::a.a" must have "inversedBy": "as"',
    ]);
  });

  test('of a component is one-way', () => {
    const it = { type: 'relation', relation: 'manyToOne', target: 'api::thing.thing', inversedBy: 'parts' };
    const morphed = { type: 'relation', relation: 'morphOne', target: 'api::thing.thing', morphBy: 'any' };
    const any = { type: 'relation', relation: 'morphToOne' };
    expect(mistakesIn(define(contentType('thing', { any }), component('shared.part', { it, morphed })))).toEqual([
      'content-types/components/shared/part.json: attributes.it.inversedBy cannot be in a component: its relations are one-way',
      'content-types/components/shared/part.json: attributes.morphed.relation cannot be in a component: a morph relation refers to entries',
    ]);
  });
});

describe('components that contain themselves', () => {
  test('are refused with the cycle', () => {
    const definitions = define(
      component('x.a', { b: needs('x.b') }),
      component('x.b', { a: needs('x.a', { repeatable: true, required: false }) }),
      component('x.c', { c: needs('x.c'), a: needs('x.a') }),
    );
    expect(mistakesIn(definitions)).toEqual([
      'content-types/components/x/b.json: attributes.a makes a component contain itself: x.a > x.b > x.a',
      'content-types/components/x/c.json: attributes.c makes a component contain itself: x.c > x.c',
    ]);
  });
});

describe('a content type', () => {
  const table: readonly (readonly [string, object, ...string[]])[] = [
    ['of an unknown kind', { kind: 'single' }, 'kind "single" must be "collectionType" or "singleType"'],
    ['without names', { info: undefined }, 'info.singularName is missing', 'info.pluralName is missing'],
    [
      'with a name in another case',
      info('thing', 'myThings'),
      'info.pluralName "myThings" must be a name in kebab-case, e.g. "blog-post"',
    ],
    [
      'with one name for one and many',
      info('thing', 'thing'),
      'info.pluralName "thing" is taken by info.singularName of content-types/thing.json',
    ],
    [
      'with a collection that MongoDB keeps',
      { collectionName: 'system.users' },
      'collectionName "system.users" must be a name of letters, digits, - and _ that begins with a letter',
    ],
    [
      'with a collection of admins',
      { collectionName: 'admin_users' },
      'collectionName "admin_users" is taken by collectionName of admin::user',
    ],
    ['without attributes', { attributes: undefined }, 'attributes must be an object of attributes by name'],
    [
      'with attributes that are none',
      { attributes: { a: 5, b: {}, c: null } },
      'attributes.a 5 must be an object',
      'attributes.b.type must be an attribute type',
      'attributes.c must be an object',
    ],
    [
      'with an option of the wrong type',
      { options: { draftAndPublish: 'true' } },
      'options.draftAndPublish "true" must be true or false',
    ],
    [
      'with an index on nothing',
      { options: { indexes: [{ createdAt: 1 }, { titel: 1 }] } },
      'options.indexes[1].titel is not an attribute; did you mean "title"?',
    ],
    [
      'with an index in no direction',
      { options: { indexes: [{ title: 2 }] } },
      'options.indexes must be a list of attributes with 1 or -1, e.g. [{ "kind": 1, "views": -1 }]',
    ],
    [
      'with caching that is no header',
      { options: { cacheControl: 'public\nX: y' } },
      'options.cacheControl "public\\nX: y" must be a value of the header Cache-Control, such as "public, max-age=60"',
    ],
  ];

  test.each(table)('%s is refused', (_, rest, ...rules) => {
    expect(mistakesIn(define(contentType('thing', { title }, rest)))).toEqual(
      rules.map((rule) => `content-types/thing.json: ${rule}`),
    );
  });

  test('cannot have the name of another one of the project', () => {
    const thing = contentType('thing', {}, { collectionName: 'both' });
    const definitions = define(
      thing,
      contentType('other', {}, { ...info('things', 'others'), collectionName: 'both' }),
      { ...contentType('thing', {}), file: 'elsewhere/thing.json' },
    );
    expect(mistakesIn(definitions)).toEqual([
      'elsewhere/thing.json: uid "api::thing.thing" is taken by uid of content-types/thing.json',
      'content-types/other.json: collectionName "both" is taken by collectionName of content-types/thing.json',
      'content-types/other.json: info.singularName "things" is taken by info.pluralName of content-types/thing.json',
      'elsewhere/thing.json: info.singularName "thing" is taken by info.singularName of content-types/thing.json',
      'elsewhere/thing.json: info.pluralName "things" is taken by info.pluralName of content-types/thing.json',
    ]);
  });

  test('can have the name of a content type of a plugin', () => {
    expect(mistakesIn(define(file, contentType('file', {}, { collectionName: 'my_files' })))).toEqual([]);
  });
});

test('a component uid has a category and a name', () => {
  expect(mistakesIn(define(component('shared.a.b', {})))).toEqual([
    'content-types/components/shared/a.b.json: uid "shared.a.b" must be <category>.<name> of letters, digits, - and _',
  ]);
});

test('all errors of all files are reported together', () => {
  const definitions = define(contentType('a', { x: { type: 'y' } }), component('b.c', { z: { type: 'media' } }));
  expect(() => link(definitions)).toThrow(StartError);
  expect(mistakesIn(definitions)).toHaveLength(2);
});
