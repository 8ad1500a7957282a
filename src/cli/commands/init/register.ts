import type { Register } from '../../register.js';

export const registerInit: Register = (program, finish) => {
  program
    .command('init')
    .description('write a new project into an empty folder: content type, access, settings, a test, container files')
    .argument('<folder>', 'is created if it does not exist')
    .option('--type <name>', 'the first content type, in the singular; prompted for on a terminal', undefined)
    .option(
      '--package <spec>',
      'what package.json names as this package; default: the file that it was installed from, or its version',
    )
    .option('--yes', 'use the defaults for all missing arguments')
    .action(
      async (
        folder: string,
        options: { readonly type?: string; readonly package?: string; readonly yes?: boolean },
      ) => {
        const { init } = await import('./init.js');
        finish(await init(folder, options));
      },
    );
};
