/** The answers of the service, by path, in the memory of this process unless `nitro.storage` has another place for them. */
const answers = useStorage('content');
/** How often some were forgotten. */
let purges = 0;

/**
 * What the service answers to a path, which is kept until a webhook or a purge comes. In a preview it is always asked, for drafts too.
 */
export async function readContent(event, path) {
  if (event.context.isPreview) return (await ask(event, `${path}&publicationState=preview`)).data;
  const key = encodeURIComponent(path);
  const kept = await answers.getItem(key);
  if (kept !== null) return kept.data;
  const purgesBefore = purges;
  const answer = await ask(event, path);
  // What changed meanwhile may not be in it. Without entries it is not kept, or visitors could fill the memory with wrong addresses.
  if (purges === purgesBefore && answer.data.length > 0) await answers.setItem(key, answer);
  return answer.data;
}

/** Forgets the answers that have one of these tags, or all. */
export async function forgetContent(tags) {
  purges += 1;
  for (const key of await answers.getKeys()) {
    const kept = await answers.getItem(key);
    if (tags === undefined || kept?.tags.some((tag) => tags.includes(tag))) await answers.removeItem(key);
  }
}

async function ask(event, path) {
  const { contentUrl, draftsToken } = useRuntimeConfig(event);
  const headers = event.context.isPreview ? { Authorization: `Bearer ${draftsToken}` } : {};
  const { _data, headers: answered } = await $fetch.raw(path, { baseURL: contentUrl, headers });
  const tags = answered.get('cache-tag')?.split(',') ?? [];
  return { data: _data.data.map((entry) => withFileUrls(entry, contentUrl)), tags };
}

/** The addresses of files begin with that of the service, unless their store has another. */
const withFileUrls = (value, service) =>
  JSON.parse(JSON.stringify(value), (key, part) => (key === 'url' ? new URL(part, service).href : part));
