import { describe, expect, test } from '@jest/globals';
import type { Attribute, ContentType } from '../../../src/content-types/model/types.js';
import type { PopulateNode, Selection } from '../../../src/query/ast.js';
import { parseSelection } from '../../../src/query/parse/parse-selection.js';
import { limits, loadCorpus, typeOf } from '../../support/golden.js';

const corpus = loadCorpus();
const deep = { ...limits, populateLimit: 10_000, deepLevels: 3 };
const article = async (): Promise<ContentType> => typeOf(await corpus, 'article');
const populate = (input: unknown, type: ContentType, its = deep): readonly PopulateNode[] =>
  parseSelection({ populate: input }, type, 'client', its).populate;

const within = (node: PopulateNode): readonly Selection[] => {
  if (node.kind === 'relation') return [node.query];
  return node.kind === 'component' ? [node.selection] : [...node.on.values()];
};
/** Every path of attributes that a selection populates. */
const pathsOf = (
  nodes: readonly PopulateNode[],
  before: readonly Attribute[] = [],
): readonly (readonly Attribute[])[] =>
  nodes.flatMap((node) => {
    const path = [...before, node.attribute];
    return [path, ...within(node).flatMap((selection) => pathsOf(selection.populate, path))];
  });

describe('populate=deep', () => {
  test('with n levels populates n - 1 levels, and without a number uses the setting', async () => {
    const type = await article();
    const depth = (input: unknown) => Math.max(0, ...pathsOf(populate(input, type)).map((path) => path.length));
    expect(['deep,0', 'deep,1', 'deep,2', 'deep,3', 'deep'].map(depth)).toEqual([0, 0, 1, 2, 2]);
    expect(depth(['deep', '2'])).toBe(1);
    expect(populate('deep,2', type)).toEqual(populate('*', type));
  });

  test('populates no attribute twice on a path, nor back through its other side, and ends', async () => {
    for (const type of (await corpus).contentTypes.values()) {
      for (const path of pathsOf(populate('deep,100', type))) {
        expect(new Set(path).size).toBe(path.length);
        for (const [index, step] of path.entries()) {
          const other = step.kind === 'relation' && step.inverse ? step.target.attributes.get(step.inverse) : undefined;
          expect(path.slice(index + 1).filter((after) => after === other && after !== step)).toEqual([]);
          const isLast = index === path.length - 1;
          if (step.kind === 'morph' || (step.kind === 'relation' && step.media)) expect(isLast).toBe(true);
          if (step.name === 'localizations') expect(isLast).toBe(true);
        }
      }
    }
  });

  test('includes components, zones and their relations', async () => {
    const names = pathsOf(populate('deep,4', await article())).map((path) => path.map(({ name }) => name).join('.'));
    expect(names).toEqual(expect.arrayContaining(['author', 'seo', 'blocks', 'seo.openGraph', 'blocks.source']));
    expect(names).not.toContain('author.articles');
  });

  test('stops as soon as there are more attributes than the limit', () => {
    // Each of 30 types leads to all others: without a stop there would be more paths than can ever be made.
    const types = Array.from({ length: 30 }, (_, index) => `t${index}`).map((name): ContentType => {
      const type = { kind: 'collectionType', uid: `api::${name}.${name}`, attributes: new Map<string, Attribute>() };
      return type as unknown as ContentType;
    });
    let visits = 0;
    for (const { attributes } of types) {
      for (const [index, target] of types.entries()) {
        const relation = { kind: 'relation', name: `r${index}`, target, many: true, side: 'owner', media: false };
        const counted = { get private() { return (visits += 1) < 0; }, pluginOptions: {} }; // prettier-ignore
        const attribute = Object.defineProperties(relation, Object.getOwnPropertyDescriptors(counted));
        (attributes as Map<string, Attribute>).set(relation.name, attribute as unknown as Attribute);
      }
    }
    const few = { ...deep, populateLimit: 200 };
    expect(() => populate('deep,50', types[0]!, few)).toThrow('at most 200 populated attributes');
    expect(visits).toBeLessThan(1000);
  });

  test('is refused with levels that are not a number', async () => {
    const type = await article();
    for (const input of ['deep,x', 'deep,-1', 'deep,2,3', 'deep,', 'deep,author'])
      expect(() => populate(input, type)).toThrow('Invalid parameter populate');
  });

  test('is a name like any other without the setting, and for a type with an attribute of that name', async () => {
    const type = await article();
    expect(populate('deep', type, { ...deep, deepLevels: undefined as unknown as number })).toEqual([]);
    const author = type.attributes.get('author');
    if (author === undefined) throw new Error('The corpus has no article.author');
    const named = { ...type, attributes: new Map([...type.attributes, ['deep', { ...author, name: 'deep' }]]) };
    expect(populate('deep,author', named).map(({ key }) => key)).toEqual(['deep', 'author']);
  });
});
