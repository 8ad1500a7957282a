import { testSite } from './test-site.js';

testSite({ name: 'next', prefix: '', publicFolder: '.next/static' });
