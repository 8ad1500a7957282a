/** Counts how long things took, as a Prometheus histogram: prom-client's own takes ten times as long for each. */
export interface Durations {
  /** @param labels a value for each label, in their order; there may be only so many different ones */
  observe(labels: readonly string[], milliseconds: number): void;
  /** In the format of Prometheus. */
  text(): string;
}

interface Counted {
  readonly labels: string;
  /** How many fell into each bucket and into none above it. */
  readonly counts: number[];
  sum: number;
}

/** Seconds: from a read of one entry to the longest time that a read may take. */
const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15];

export function createDurations(name: string, help: string, labelNames: readonly string[]): Durations {
  const all = new Map<string, Counted>();
  const add = (labels: readonly string[]): Counted => {
    const written = labelNames.map((label, index) => `${label}=${JSON.stringify(labels[index] ?? '')}`).join(',');
    const counted = { labels: written, counts: [...buckets.map(() => 0), 0], sum: 0 };
    all.set(labels.join(' '), counted);
    return counted;
  };
  return {
    observe: (labels, milliseconds) => {
      const counted = all.get(labels.join(' ')) ?? add(labels);
      const seconds = milliseconds / 1000;
      const bucket = buckets.findIndex((most) => seconds <= most);
      const index = bucket < 0 ? buckets.length : bucket;
      counted.counts[index] = (counted.counts[index] ?? 0) + 1;
      counted.sum += seconds;
    },
    text: () => {
      const lines = [...all.values()].flatMap(({ labels, counts, sum }) => {
        let count = 0;
        const cumulated = counts.map((more, index) => {
          count += more;
          return `${name}_bucket{le="${buckets[index] ?? '+Inf'}",${labels}} ${count}`;
        });
        return [...cumulated, `${name}_sum{${labels}} ${sum}`, `${name}_count{${labels}} ${count}`];
      });
      return [`# HELP ${name} ${help}`, `# TYPE ${name} histogram`, ...lines, ''].join('\n');
    },
  };
}
