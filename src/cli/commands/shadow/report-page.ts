import lodash from 'lodash';
import { count, counted } from '../../io/terminal.js';
import type { ShadowReport } from './compare-exchanges.js';

export function describeCounts(report: ShadowReport): readonly string[] {
  const { requests, equal, different, unclear, lostWrites } = report;
  const lines = [
    `${counted(requests, 'request')}: ${counted(equal, 'equal response')}, ${count(different)} different, ${count(unclear)} unclear (written meanwhile)`,
  ];
  for (const [reason, times] of Object.entries(report.dropped))
    if (times > 0) lines.push(`${count(times)} not compared: ${reason}`);
  if (lostWrites > 0)
    lines.push(`${counted(lostWrites, 'write')} reached only one side: import again before you trust differences`);
  return lines;
}

/** A page that reloads itself. */
export function reportPage(report: ShadowReport): string {
  const rows = report.causes.map(({ cause, times, first, rule = 'unexpected', requests }) => {
    const cells = [count(times), cause, rule, first.at, first.reference, first.ours, requests[0] ?? ''];
    return `<tr>${cells.map((cell) => `<td>${lodash.escape(cell)}</td>`).join('')}</tr>`;
  });
  const titles = ['Times', 'Cause', 'Rule of compatibility.md', 'At', 'Strapi', 'This service', 'A request'];
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta http-equiv="refresh" content="2"><title>Shadow</title>
<style>body{font:14px sans-serif;margin:2em}td,th{border:1px solid #ccc;padding:.3em;text-align:left;vertical-align:top;word-break:break-word}table{border-collapse:collapse}</style>
<h1>Shadow</h1>${describeCounts(report)
    .map((line) => `<p>${lodash.escape(line)}</p>`)
    .join('')}
<table><tr>${titles.map((title) => `<th>${title}</th>`).join('')}</tr>${rows.join('')}</table></html>`;
}
