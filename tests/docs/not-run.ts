/** Commands of the pages that no test of them runs, each with the reason. All others are run as they stand. */
export const notRun: Readonly<Record<string, string>> = {
  'npm init -y': 'tests/cli/package.test.ts installs the package in an empty folder',
  'npm ci': 'the packages are installed',
  'npm run pack': 'tests/cli/package.test.ts packs the package',
  'node bin/content-service.mjs init ../my-site --yes': 'tests/cli/package.test.ts runs init of the installed file',
  'npm install ../content-service/release/content-service-[0-9]*.tgz':
    'tests/cli/package.test.ts installs the package in an empty folder',
  'npx content-service add embedded-mongod': 'tests/cli/install.test.ts installs each package with npm',
  'npm install --save-dev ./content-service-embedded-mongod-0.2.0.tgz':
    'tests/cli/package.test.ts installs the package in an empty folder',
  'npm install ./content-service-0.2.0.tgz ./content-service-editor-0.2.0.tgz':
    'tests/cli/package.test.ts installs the package in an empty folder',
  'npm install git+https://git.example.org/content-service.git#v0.2.0':
    'the repository is an example; tests/unit/config/setup.test.ts builds as npm does',
  'npm install --save-dev typescript': 'the compiler of this repository is used',
  'npx strapi export --file export --no-encrypt':
    'Strapi cannot run here: the archive in tests/docs/migration.test.ts is one that it wrote',
  'npx strapi export --file like --no-encrypt --only config': 'any archive of the project has its schemas',
  'npx content-service shadow --reference https://cms.example.org --ours http://127.0.0.1:1337':
    'it runs until it is stopped: tests/api/cli/shadow.test.ts',
  'npm run conformance': 'tests/conformance/corpus.test.ts replays all areas',
  'npm run conformance -- ../recordings': 'tests/conformance/recordings.test.ts replays a folder of its own',
  'npm run conformance -- --code': 'tests/conformance/code.test.ts runs it',
  'npm run conformance -- --json result.json': 'tests/conformance/project.test.ts runs it with a project',
  'npm run conformance -- --project': 'tests/conformance/project.test.ts runs it',
  'npm run conformance -- --project --format 5': 'tests/conformance/project.test.ts runs it',
  'npm run conformance -- --update':
    'it writes into this repository; tests/conformance/ratchet.test.ts raises a ratchet',
  'npm run conformance:serve -- --world world.json --content-types content-types --port 1400':
    'it serves until it is stopped: tests/conformance/serve.test.ts',
  'npm run bench': 'eight minutes; tests/docs/operating.test.ts runs it small',
  'MONGODB_URI=mongodb://… npm run bench': 'eight minutes; tests/docs/operating.test.ts runs it small',
};
