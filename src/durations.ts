/** Counts how long things took, as a Prometheus histogram: prom-client's own takes ten times as long for each. */
export interface Durations {
  /** @param labels a value for each label, in their order; there may be only so many different ones */
  observe(labels: readonly string[], milliseconds: number): void;
  /** In the format of Prometheus. */
  text(): string;
  /** As prom-client has its own, so that it can add up those of several processes. */
  values(): object;
}

interface Sample {
  readonly metricName: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

interface Counted {
  readonly labels: Readonly<Record<string, string>>;
  /** How many fell into each bucket and into none above it. */
  readonly counts: number[];
  sum: number;
}

/** Seconds: from a read of one entry to the longest time that a read may take. */
const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15];

export function createDurations(name: string, help: string, labelNames: readonly string[]): Durations {
  const all = new Map<string, Counted>();
  const add = (labels: readonly string[]): Counted => {
    const named = labelNames.map((label, index) => [label, labels[index] ?? ''] as const);
    const counted = { labels: Object.fromEntries(named), counts: [...buckets.map(() => 0), 0], sum: 0 };
    all.set(labels.join(' '), counted);
    return counted;
  };
  const samples = (): readonly Sample[] =>
    [...all.values()].flatMap(({ labels, counts, sum }) => {
      let count = 0;
      const cumulated = counts.map((more, index) => {
        count += more;
        return {
          metricName: `${name}_bucket`,
          labels: { le: String(buckets[index] ?? '+Inf'), ...labels },
          value: count,
        };
      });
      return [
        ...cumulated,
        { metricName: `${name}_sum`, labels, value: sum },
        { metricName: `${name}_count`, labels, value: count },
      ];
    });
  return {
    observe: (labels, milliseconds) => {
      const counted = all.get(labels.join(' ')) ?? add(labels);
      const seconds = milliseconds / 1000;
      const bucket = buckets.findIndex((most) => seconds <= most);
      const index = bucket < 0 ? buckets.length : bucket;
      counted.counts[index] = (counted.counts[index] ?? 0) + 1;
      counted.sum += seconds;
    },
    values: () => ({ name, help, type: 'histogram', aggregator: 'sum', values: samples() }),
    text: () => {
      const lines = samples().map(({ metricName, labels, value }) => {
        const written = Object.entries(labels).map(([label, text]) => `${label}=${JSON.stringify(text)}`);
        return `${metricName}{${written.join(',')}} ${value}`;
      });
      return [`# HELP ${name} ${help}`, `# TYPE ${name} histogram`, ...lines, ''].join('\n');
    },
  };
}
