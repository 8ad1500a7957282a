// Works on uploaded images for the service that started it; see src/plugins/upload/images/image-worker.ts.
await import('../dist/plugins/upload/images/image-worker.js');
