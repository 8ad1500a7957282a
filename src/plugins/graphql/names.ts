export * from '../graphql-names.js';
