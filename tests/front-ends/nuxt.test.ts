import { testSite } from './test-site.js';

testSite({ name: 'nuxt', prefix: 'NUXT_', publicFolder: '.output/public' });
