import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Router } from 'wouter';
import { SessionProvider } from './api/session.js';
import { LanguageProvider, loadTexts } from './language/language.js';
import { App } from './shell/app.js';
import { showColor } from './shell/identity.js';
import { NoticeProvider } from './shell/notices.js';
import { readTheme, showTheme } from './shell/theme.js';
import { forgetOldUnsaved } from './unsaved/unsaved-texts.js';

// A failed request is shown at once: people repeat it better than programs. Without a network too: the service may be
// on this machine.
const always = { networkMode: 'always', retry: false } as const;
const queries = new QueryClient({
  defaultOptions: { mutations: always, queries: { ...always, refetchOnWindowFocus: false, refetchOnReconnect: true } },
});
// A form reads its entry once, each time that it is opened.
queries.setQueryDefaults(['entry'], { staleTime: Infinity, gcTime: 0 });
forgetOldUnsaved();
showTheme(readTheme());
showColor();

async function show(): Promise<void> {
  const first = await loadTexts();
  const root = document.querySelector('#root');

  if (root !== null)
    createRoot(root).render(
      <StrictMode>
        <QueryClientProvider client={queries}>
          <LanguageProvider first={first}>
            <SessionProvider>
              <NoticeProvider>
                <Router base="/admin">
                  <App />
                </Router>
              </NoticeProvider>
            </SessionProvider>
          </LanguageProvider>
        </QueryClientProvider>
      </StrictMode>,
    );
}

// Not awaited: the texts of a language are a script that imports this one, and would wait for its end.
void show();
