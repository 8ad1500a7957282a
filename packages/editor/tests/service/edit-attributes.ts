import { expect } from '@jest/globals';
import type {
  Attribute,
  Component,
  ContentType,
  RelationAttribute,
  ScalarAttribute,
  ScalarType,
} from '../../../../src/content-types/model/types.js';
import { field, type EditorPage } from './editor-page.js';

/** An entry that relations can lead to, and the text by which it is found. */
export interface Target {
  /** That of its content type. */
  readonly uid: string;
  readonly id: number;
  readonly title: string;
}

type Model = ContentType | Component;
type Values = Readonly<Record<string, unknown>>;
type Kind = Attribute['kind'];
type OfKind<K extends Kind> = Extract<Attribute, { readonly kind: K }>;
/**
 * Edits a field as a person does. Returns what the API returns for it from then on; `before` is what it returned last.
 */
type Edit<A> = (attribute: A, path: string, before: unknown) => Promise<unknown>;

/** These are not in forms, or beside them. */
const system = new Set(['createdAt', 'updatedAt', 'publishedAt', 'createdBy', 'updatedBy', 'locale', 'localizations']);
const attributesOf = ({ attributes }: Model): readonly Attribute[] =>
  [...attributes.values()].filter(({ name }) => !system.has(name));

/** Texts that match the patterns of the corpus, with a number that makes them unique. */
const matching: Readonly<Record<string, (number: number) => string>> = {
  [String.raw`^[A-Z]{2}-\d{3}$`]: (number) => `AB-${number}`,
  [/^(https?:\/\/|\/)/.source]: (number) => `/page-${number}`,
};

/** What a component or the parts of a zone show, or what they hide: private values and passwords. */
export function without(model: Model, values: Values, part: 'hidden' | 'shown'): Values {
  return Object.fromEntries(
    attributesOf(model).flatMap((attribute) => {
      const { name } = attribute;
      const value = values[name];
      if (value === undefined) return [];
      if (attribute.kind === 'component')
        return [[name, inEach(value, (inner) => without(attribute.component, inner, part))]];
      if (attribute.kind === 'zone') {
        const inner = (values: Values): Values => {
          const component = attribute.components.get(String(values['__component']));
          return { __component: values['__component'], ...(component && without(component, values, part)) };
        };
        return [[name, inEach(value, inner)]];
      }
      const isHidden = attribute.private || (attribute.kind === 'scalar' && attribute.type === 'password');
      return isHidden === (part === 'shown') ? [[name, value]] : [];
    }),
  );
}

const inEach = (value: unknown, change: (values: Values) => Values): unknown =>
  Array.isArray(value) ? value.map((each) => change(each as Values)) : change(value as Values);

/** `string`, `manyToOne`, `component many`: what an attribute is edited by. */
function shapeOf(attribute: Attribute): string {
  if (attribute.kind === 'scalar') return attribute.type;
  if (attribute.kind === 'morph') return attribute.many ? 'morphToMany' : 'morphToOne';
  if (attribute.kind === 'morphed') return attribute.many ? 'morphMany' : 'morphOne';
  if (attribute.kind === 'relation')
    return attribute.media ? (attribute.many ? 'media list' : 'media') : attribute.relation;
  return attribute.kind === 'component' && attribute.repeatable ? 'component list' : attribute.kind;
}

/**
 * Edits all attributes of a form.
 * @param targets two of each content type, by its uid
 * @param note is told each shape
 */
export function createEdit(
  page: EditorPage,
  targets: ReadonlyMap<string, readonly Target[]>,
  note: (shape: string) => void,
) {
  let number = 100;
  const type =
    (
      text: (attribute: ScalarAttribute, round: number) => string,
      shown: (text: string) => unknown = String,
    ): Edit<ScalarAttribute> =>
    async (attribute, path, before) => {
      const typed = text(attribute, before === undefined ? 0 : 1);
      await page.type(path, typed);
      return shown(typed);
    };
  const text = type(({ regex }) => {
    number += 1;
    if (regex === undefined) return `T-${number}`;
    const sample = matching[regex.source];
    if (sample === undefined) throw new Error(`no text that matches ${regex.source}`);
    return sample(number);
  });
  const integer = type((_, round) => String(3 + round), Number);
  const fraction = type((_, round) => `${1 + round}.5`, Number);
  const time = (shown: (time: Date) => unknown) =>
    type(
      (_, round) => `2030-01-31T10:2${round}:30`,
      (text) => shown(new Date(text)),
    );

  const scalars: Readonly<Record<ScalarType, Edit<ScalarAttribute>>> = {
    string: text,
    text,
    richtext: text,
    email: type(() => `a${(number += 1)}@example.org`),
    password: type(
      () => `secret-${(number += 1)}`,
      () => expect.stringMatching(/^\$2/),
    ),
    uid: async (attribute, path, before) => {
      if (before !== undefined) return text(attribute, path, before);
      await page.click(`${field(path)} + button`, 'Generate');
      return page.evaluate(`document.querySelector('${field(path)}').value`);
    },
    enumeration: type(({ enum: values = [] }, round) => String(values[round + 1])),
    integer,
    biginteger: type((_, round) => `922337203685477580${round}`),
    decimal: fraction,
    float: fraction,
    boolean: async (attribute, path, before) => {
      const value = before === undefined ? attribute.default !== true : before !== true;
      await page.type(path, String(value));
      return value;
    },
    date: type((_, round) => `2030-01-1${round}`),
    time: type(
      (_, round) => `09:3${round}`,
      (text) => `${text}:00.000`,
    ),
    datetime: time((time) => time.toISOString()),
    timestamp: time((time) => String(time.getTime())),
    json: type((_, round) => `{"a":[${round},null]}`, JSON.parse),
    array: async (_, path, before) => {
      if (before !== undefined) return swap(path, before);
      for (const [index, row] of ['One', 'Two'].entries()) {
        await page.click(`${field(path)} button`, 'Add a row');
        await page.fill(`${field(path)} li:nth-child(${index + 1}) input`, row);
      }
      return ['One', 'Two'];
    },
    blocks: async (_, path) => {
      const typed = `Block ${(number += 1)}`;
      await page.type(path, typed);
      return [{ type: 'paragraph', children: [{ type: 'text', text: typed }] }];
    },
  };

  const targetsOf = (uid: string): readonly Target[] => {
    const found = targets.get(uid);
    if (found === undefined) throw new Error(`no entries of ${uid}`);
    return found;
  };
  const swap = async (path: string, list: unknown): Promise<readonly unknown[]> => {
    const second = ['', ' > .drop'].map((above) => `${field(path)}${above} > ol > li:nth-child(2) [aria-label$=" up"]`);
    await page.click(second.join());
    const [first, next, ...others] = list as readonly unknown[];
    return [next, first, ...others];
  };
  /** Chooses two entries for a list, and then changes their order; or one, and then the other. */
  const relate = async (
    { many }: { readonly many: boolean },
    path: string,
    before: unknown,
    [first, second]: readonly Target[],
    choose: (target: Target) => Promise<unknown>,
  ): Promise<unknown> => {
    if (many && before !== undefined) return swap(path, before);
    const chosen = many ? [first, second] : [before === undefined ? first : second];
    const data = [];
    for (const target of chosen.filter((target) => target !== undefined)) {
      data.push(await choose(target));
    }
    return many ? data : data[0];
  };
  const search = async (path: string, { id, title }: Target) => {
    await page.relate(path, title);
    return { id };
  };
  const inEnvelope =
    <A>(own: Edit<A>): Edit<A> =>
    async (attribute, path, before) => ({
      data: await own(attribute, path, (before as { readonly data: unknown } | undefined)?.data),
    });
  const relateTo: Edit<RelationAttribute> = inEnvelope((attribute, path, before) =>
    relate(attribute, path, before, targetsOf(attribute.target.uid), (target) => search(path, target)),
  );
  const illustrate: Edit<RelationAttribute> = inEnvelope((attribute, path, before) =>
    relate(attribute, path, before, targetsOf(attribute.target.uid), async ({ id, title }) => {
      await page.click(`${field(path)} button`, 'Choose from the library');
      await page.click('.dialog .grid button', title);
      return { id };
    }),
  );
  /** It has no order of its own: entries are added, and then one of them is removed. */
  const relateMorphed: Edit<OfKind<'morphed'>> = inEnvelope(async ({ target: { uid } }, path, before) => {
    if (before === undefined)
      return relate({ many: true }, path, before, targetsOf(uid), (target) => search(path, target));
    expect(await page.evaluate(`document.querySelector('${field(path)} [aria-label$=" up"]')`)).toBeNull();
    await page.click(`${field(path)} > ol > li:first-child [aria-label^="Remove"]`);
    return (before as readonly unknown[]).slice(1);
  });
  const add = async (path: string, component: Component): Promise<unknown> =>
    page.click(`${field(path)} > .row > button`, `Add ${component.displayName}`);
  /** Adds components to a list; or changes the first one, which is folded up, and then its position. */
  const editList = async (
    path: string,
    components: readonly Component[],
    before: unknown,
  ): Promise<readonly unknown[]> => {
    if (before === undefined) {
      const list = [];
      for (const [index, component] of components.entries()) {
        await add(path, component);
        list.push({ __component: component.uid, ...(await edit(component, `${path}.${index}.`)) });
      }
      return list;
    }
    const [first, ...others] = before as readonly [Values, ...Values[]];
    await page.click(`${field(path)} > ol > li:first-child > .row > button[aria-expanded=false]`);
    const [component] = components as readonly [Component];
    const changed = { ...first, ...(await edit(component, `${path}.0.`, first)) };
    return swap(path, [changed, ...others]);
  };

  const kinds: { readonly [K in Kind]: Edit<OfKind<K>> } = {
    scalar: (attribute, path, before) => scalars[attribute.type](attribute, path, before),
    relation: (attribute, path, before) => (attribute.media ? illustrate : relateTo)(attribute, path, before),
    morph: (attribute, path, before) => {
      const choices = ['api::author.author', 'api::product.product'].flatMap((uid) => targetsOf(uid).slice(0, 1));
      return relate(attribute, path, before, choices, async (target) => {
        await page.choose(`${field(path)} .choice`, target.uid);
        // The ids of both are the same.
        return { ...(await search(path, target)), name: target.title };
      });
    },
    morphed: async (attribute, path, before) => {
      if (attribute.many) return relateMorphed(attribute, path, before);
      // As in Strapi v4, it is written from its other side.
      await page.waitFor(`document.querySelector('${field(path)}:disabled') !== null`);
      return undefined;
    },
    component: async ({ component, repeatable, required }, path, before) => {
      if (repeatable) return editList(path, [component, component], before);
      if (before === undefined && !required) await add(path, component);
      return edit(component, `${path}.`, before as Values | undefined);
    },
    zone: ({ components }, path, before) => editList(path, [...components.values()], before),
  };

  const edit = async (model: Model, path = '', before?: Values): Promise<Values> => {
    const values: [string, unknown][] = [];
    for (const attribute of attributesOf(model)) {
      note(shapeOf(attribute));
      const own = kinds[attribute.kind] as Edit<Attribute>;
      values.push([attribute.name, await own(attribute, `${path}${attribute.name}`, before?.[attribute.name])]);
    }
    return Object.fromEntries(values);
  };
  return edit;
}
