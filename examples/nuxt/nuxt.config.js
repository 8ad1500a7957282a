export default defineNuxtConfig({
  compatibilityDate: '2026-05-01',
  telemetry: false,
  devtools: { enabled: false },
  css: ['~/style.css'],
  // Known to the server only. A variable sets each, such as NUXT_CONTENT_URL.
  runtimeConfig: {
    contentUrl: 'http://localhost:1337',
    draftsToken: '',
    previewPassword: '',
    webhookSecret: '',
    purgeToken: '',
  },
});
