import escape from 'lodash/escape.js';
import type { ContentType } from '../../content-types/model/types.js';
import { hashOf, pageOf, policyOf } from './page-style.js';

/** Follows the feed with a token, which `EventSource` cannot send. */
const script = `
const form = document.querySelector('form');
const [state, list] = [document.querySelector('output'), document.querySelector('tbody')];
let feed = new AbortController();
form.addEventListener('submit', (event) => { event.preventDefault(); follow(); });
form.elements.type.addEventListener('change', follow);
follow();

async function follow() {
  feed.abort();
  feed = new AbortController();
  const { signal } = feed;
  const [token, type] = [form.elements.token.value.trim(), form.elements.type.value];
  const headers = { Accept: 'text/event-stream', ...(token && { Authorization: 'Bearer ' + token }) };
  const query = type && '?types=' + type + '&fields[' + type + ']=*';
  for (let position; ; ) {
    try {
      if (position) headers['Last-Event-ID'] = position;
      state.textContent = 'Connecting…';
      const response = await fetch(form.action + query, { headers, signal });
      if (response.status < 500 && !response.ok) {
        const { error } = await response.json();
        state.textContent = error.status + ' ' + error.message + (error.status === 403 ? ': enter an API token' : '');
        return;
      }
      if (response.ok) {
        state.textContent = 'Connected: write an entry, and it appears here.';
        for await (const message of messagesOf(response.body)) {
          position = message.id ?? position;
          if (message.data) show(JSON.parse(message.data));
        }
      }
    } catch (error) {
      if (signal.aborted) return;
    }
    state.textContent = 'The connection ended. Connecting again…';
    await new Promise((resolve) => setTimeout(resolve, 2000));
  }
}

async function* messagesOf(body) {
  const [reader, decoder] = [body.getReader(), new TextDecoder()];
  let text = '';
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const messages = (text + decoder.decode(part.value, { stream: true })).split('\\n\\n');
    text = messages.pop();
    for (const message of messages) {
      yield Object.fromEntries(message.split('\\n').map((line) => [line.split(':', 1)[0], line.slice(line.indexOf(':') + 2)]));
    }
  }
}

function show({ event, uid, id, createdAt, entry }) {
  const row = list.insertRow(0);
  const texts = [new Date(createdAt).toLocaleTimeString(), event, uid, id, entry ? JSON.stringify(entry.attributes) : ''];
  for (const text of texts) row.insertCell().textContent = text;
  row.cells[4].className = 'names';
  if (list.rows.length > 200) list.deleteRow(-1);
}
`;

/** Allows only the page's own style and script, and requests to this service. */
export const changesPolicy = policyOf(`script-src 'sha256-${hashOf(script)}'; connect-src 'self'; `);

/** A page that shows changes as they happen. */
export function changesPage(types: readonly ContentType[], prefix: string): string {
  const options = types.map((type) => {
    const name = type.kind === 'singleType' ? type.singularName : type.pluralName;
    return `<option value="${escape(name)}">${escape(type.displayName)}</option>`;
  });
  return pageOf(
    'Changes · Content Service',
    `<header>
<h1>Changes</h1>
<p>What <code>GET ${escape(prefix)}/changes</code> sends to its caller, as it happens. <a href="/">Back</a></p>
</header>
<form action="${escape(prefix)}/changes">
<label>Content type <select name="type"><option value="">All, without their entries</option>${options.join('')}</select></label>
<label>API token <input name="token" type="password" autocomplete="off" placeholder="none: the public"></label>
<button>Connect</button>
</form>
<p><output aria-live="polite"></output></p>
<div class="scroll" role="region" aria-label="Changes" tabindex="0"><table>
<thead><tr><th scope="col">Time</th><th scope="col">Event</th><th scope="col">Type</th><th scope="col">Id</th><th scope="col">Entry</th></tr></thead>
<tbody></tbody>
</table></div>`,
    `<script>${script}</script>\n`,
  );
}
