import type { Register } from '../../register.js';

const examples = `
Write attributes as name:type[:option], with ! for required attributes:
  title:string!  kind:enumeration:essay,note  slug:uid:title  cover:media  gallery:media:multiple
  author:manyToOne:author  tags:manyToMany:tag  seo:component:shared.seo  links:components:shared.link
  blocks:dynamiczone:blocks.text,blocks.quote`;

/** `generate type` and `generate component`. */
export const registerGenerate: Register = (program, finish) => {
  const generate = program.command('generate').description('write the definition file of a content type or component');
  interface Options {
    readonly plural?: string;
    readonly single?: boolean;
    readonly drafts?: boolean;
  }
  const action =
    (kind: 'type' | 'component') =>
    async (name: string | undefined, attributes: readonly string[], options: Options): Promise<void> => {
      const { generate } = await import('./generate.js');
      finish(await generate({ kind, name, attributes, ...options }));
    };
  generate
    .command('type')
    .description('a content type; asks for missing arguments')
    .argument('[name]', 'in the singular, e.g. article or blog-post')
    .argument('[attributes...]', 'e.g. title:string!')
    .option('--plural <name>', 'the plural name, if it is irregular')
    .option('--single', 'a single type, with one entry only, like a homepage')
    .option('--drafts', 'entries are drafts before they are published')
    .addHelpText('after', examples)
    .action(action('type'));
  generate
    .command('component')
    .description('a component; asks for missing arguments')
    .argument('[name]', 'a category and a name, e.g. shared.seo')
    .argument('[attributes...]', 'e.g. metaTitle:string!')
    .addHelpText('after', examples)
    .action(action('component'));
};
