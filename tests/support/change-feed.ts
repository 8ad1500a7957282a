/** A change as a feed reports it. */
export interface ReportedChange {
  readonly position: string;
  readonly event: string;
  readonly uid: string;
  readonly id: number;
  readonly createdAt: string;
  // Tests state what they expect of an entry.
  readonly entry?: any; // oxlint-disable-line typescript/no-explicit-any
}

/** A message of a stream: a position, with a change if it is not a heartbeat. */
export interface FeedMessage {
  readonly id: string;
  readonly data: ReportedChange | undefined;
}

export interface OpenFeed {
  readonly response: Response;
  /** The next messages; undefined: the stream ended. */
  next(): Promise<FeedMessage | undefined>;
  /** The next change. */
  change(): Promise<ReportedChange | undefined>;
  close(): void;
}

/** Opens a stream of server-sent events. */
export async function openFeed(url: string, headers: Readonly<Record<string, string>> = {}): Promise<OpenFeed> {
  const ending = new AbortController();
  const response = await fetch(url, {
    headers: { Accept: 'text/event-stream', ...headers },
    signal: ending.signal,
  });
  const messages = response.body === null ? undefined : messagesIn(response.body);
  const next = async (): Promise<FeedMessage | undefined> => (await messages?.next())?.value as FeedMessage | undefined;
  return {
    response,
    next,
    change: async () => {
      for (;;) {
        const message = await next();
        if (message === undefined || message.data !== undefined) return message?.data;
      }
    },
    close: () => ending.abort(),
  };
}

async function* messagesIn(body: ReadableStream<Uint8Array>): AsyncGenerator<FeedMessage> {
  for await (const message of splitMessages(body)) {
    const fields = new Map(
      message.split('\n').map((line) => [line.split(': ', 1)[0], line.slice(line.indexOf(': ') + 2)]),
    );
    const data = fields.get('data');
    yield { id: fields.get('id') ?? '', data: data === undefined ? undefined : (JSON.parse(data) as ReportedChange) };
  }
}

/** The messages of a stream of server-sent events. */
export async function* splitMessages(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of body) {
    text += decoder.decode(chunk, { stream: true });
    const messages = text.split('\n\n');
    text = messages.pop() ?? '';
    yield* messages;
  }
}
