// What operator-sdk printed of a configuration with images of their own, test by test, so that our outputs can be held beside it. They differ
// where they are meant to: what is not a result has the state `error` instead of `fail`, the name of its test, our own words, and a suggestion.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Loose } from '../../unit/olm/bundle/objects.ts';

const folder = join(import.meta.dirname, '../../../../shared/data/olm/recordings/scorecard-custom');
export const hasRecording = existsSync(folder);
if (!hasRecording) console.warn(`skipped: the recording is missing (${folder})`);

/** The configuration, which names the registry of the bed. */
export const recordedConfig = join(folder, 'objects/config-custom.yaml');

/** @param extension `json`, `txt` or `xml` */
export function recordedOutput(extension: string): string {
  return readFileSync(join(folder, `output.${extension}`), 'utf8');
}

/** The entries of `-o json` by the names of their tests. */
export function jsonEntries(output: string): ReadonlyMap<string, Loose> {
  const { items } = JSON.parse(output) as { items: Loose[] };
  return new Map(items.map((item) => [item.spec.labels.test as string, item]));
}

/** The entries of `-o text`, with sorted labels: operator-sdk has them in any order. */
export function textEntries(output: string): ReadonlyMap<string, string> {
  const entries = output.split(`${'-'.repeat(80)}\n`).slice(1);
  return new Map(entries.map((entry) => [testOf(/^\t"test":"(.*)"$/m, entry), withSortedLabels(entry)]));
}

/** The entries of `-o xunit`. */
export function xmlEntries(output: string): ReadonlyMap<string, string> {
  const entries = output.match(/^ {2}<testsuite [^]*?^ {2}<\/testsuite>$/gm) ?? [];
  return new Map(entries.map((entry) => [testOf(/<testsuite name="(.*?)"/, entry), entry]));
}

function testOf(pattern: RegExp, entry: string): string {
  return pattern.exec(entry)?.[1] ?? '';
}

function withSortedLabels(entry: string): string {
  return entry.replace(/^Labels:\n((?:\t.*\n)+)/m, (_, lines: string) => {
    const sorted = lines.trimEnd().split('\n').sort().join('\n');
    return `Labels:\n${sorted}\n`;
  });
}

/** An entry of `-o json` without what is meant to differ. */
export function jsonForm(entry: Loose): Loose {
  const results = (entry?.status.results ?? []) as Loose[];
  const forms = results.map(({ name: _name, suggestions: _suggestions, ...result }) => ({
    ...result,
    state: 'failed',
    errors: result['errors'].length > 0,
  }));
  return { ...entry, status: { results: forms } };
}

/** An entry of `-o text` without what is meant to differ. */
export function textForm(entry: string): string {
  return entry
    .replace(/^\tName: .*\n/m, '')
    .replace(/^\tState: (?:fail|error)$/m, '\tState: failed')
    .replace(/^\tSuggestions:\n(?:\t\t.*\n)+/m, '')
    .replace(/^\tErrors:\n(?:\t\t.*\n)+/m, '\tErrors:\n');
}

/** An entry of `-o xunit` without what is meant to differ. */
export function xmlForm(entry: string): string {
  return entry
    .replace(
      /failures="(\d+)" errors="(\d+)"/,
      (_, one: string, other: string) => `failed="${+one + +other}"`,
    )
    .replace(/<testcase name=".*?"/, '<testcase')
    .replace(/<(failure|error) type="\1">[^]*?<\/\1>/, '<failed>');
}
