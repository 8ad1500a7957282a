import type { Register } from '../../register.js';

export const registerPreviewLink: Register = (program, finish) => {
  program
    .command('preview-link')
    .description('print a URL that shows one entry, also as a draft, for a limited time')
    .argument('<uid>', 'the content type, e.g. api::article.article')
    .argument('[id]', 'the id of the entry; a single type needs none')
    .option('--for <time>', 'how long it is valid, e.g. 30m, 12h or 7d; at most 30d', '1h')
    .action(async (uid: string, id: string | undefined, options: { readonly for: string }) => {
      const { printPreviewLink } = await import('./preview-link.js');
      finish(await printPreviewLink(uid, id, options.for));
    });
};
