import { isRecord } from '../../../src/config/record.js';

/** A documentId as the recordings have it: a counter took the place of the random part. */
const DOCUMENT = /doc\d{21}/g;

/** Which of our documentIds stands for which of the recordings, both ways unique. */
export class Names {
  readonly #ours = new Map<string, string>();
  readonly #recorded = new Map<string, string>();
  /** The number of the entry that was seen first with one of our documentIds. */
  readonly #numbers = new Map<string, number>();
  /**
   * The numbers of components, by their attribute and the recorded number: the versions of an entry have the same here.
   */
  readonly #components = new Map<string, number>();

  /** @returns false if one of them stands for another already */
  learn(recorded: string, ours: string): boolean {
    const [known, back] = [this.#ours.get(recorded), this.#recorded.get(ours)];
    if (known !== undefined || back !== undefined) return known === ours;
    this.#ours.set(recorded, ours);
    this.#recorded.set(ours, recorded);
    return true;
  }

  /** A copy, for a server that begins with the same data. */
  copy(): Names {
    const copy = new Names();
    for (const [recorded, ours] of this.#ours) copy.learn(recorded, ours);
    for (const [ours, number] of this.#numbers) copy.#numbers.set(ours, number);
    for (const [key, ours] of this.#components) copy.#components.set(key, ours);
    return copy;
  }

  /** A value of a request or an answer with our documentIds in place of the recorded ones, as far as they are known. */
  translate(value: unknown, attribute = ''): unknown {
    if (typeof value === 'string') return value.replaceAll(DOCUMENT, (name) => this.#ours.get(name) ?? name);
    if (Array.isArray(value)) return value.map((part: unknown) => this.translate(part, attribute));
    if (!isRecord(value)) return value;
    const id = this.#components.get(`${attribute} ${String(value['id'])}`) ?? value['id'];
    const parts = Object.entries(value).map(([key, part]) => [key, this.translate(part, key)]);
    return { ...Object.fromEntries(parts), ...(id !== undefined && { id }) };
  }

  /** The number of our entry for that of a recorded one, by its documentId. */
  numberOf(recorded: string): number | undefined {
    const ours = this.#ours.get(recorded);
    return ours === undefined ? undefined : this.#numbers.get(ours);
  }

  /** Learns the names of an answer where it has the form of the recorded one. */
  learnFrom(recorded: unknown, ours: unknown, attribute = ''): void {
    if (Array.isArray(recorded) && Array.isArray(ours)) {
      if (recorded.length === ours.length)
        recorded.forEach((part, index) => this.learnFrom(part, ours[index], attribute));
      return;
    }
    if (!isRecord(recorded) || !isRecord(ours)) return;
    const [name, own] = [recorded['documentId'], ours['documentId']];
    if (typeof name === 'string' && typeof own === 'string') {
      this.learn(name, own);
      if (typeof ours['id'] === 'number' && !this.#numbers.has(own)) this.#numbers.set(own, ours['id']);
    } else if (typeof recorded['id'] === 'number' && typeof ours['id'] === 'number')
      this.#components.set(`${attribute} ${recorded['id']}`, ours['id']);
    for (const [key, part] of Object.entries(recorded)) this.learnFrom(part, ours[key], key);
  }
}
