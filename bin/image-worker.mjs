// Works on uploaded images for the service that started it; see src/plugins/upload/image-worker.ts.
await import('../dist/plugins/upload/image-worker.js');
