import { gunzipSync, gzipSync } from 'node:zlib';
import { isJsonMap } from '../../base/util/json-map.ts';
import { OpSdkError } from '../../base/errors/index.ts';

/** Default folder of the chart in a project. */
export const chartFolder = 'chart';
/** Path of the record in the folder of the chart. Packages of the chart do not contain it. */
export const recordPath = '.op-sdk/output.json';
/** Format of the record. */
const format = 1;
/** Maximum size of an uncompressed record in bytes: a hundred times the size of a large chart. */
const largest = 64 * 1024 * 1024;

/**
 * Returns the record of a chart's files as op-sdk has generated them. Differences between the record and the files are edits.
 * @param former text of the last record, which is returned if its contents are the same, because compression differs between versions of
 * zlib
 */
export function recordText(files: ReadonlyMap<string, string>, former: string | undefined): string {
  const sorted = Object.fromEntries([...files].sort(([a], [b]) => (a < b ? -1 : 1)));
  const content = JSON.stringify(sorted);
  if (former !== undefined && contentOf(former) === content) return former;
  const note =
    'Files of the chart as op-sdk generate helm wrote them last: gzip, base64. Commit it; do not edit.';
  return `${JSON.stringify({ note, format, files: gzipSync(content).toString('base64') }, null, 2)}\n`;
}

/**
 * Reads a record.
 * @param file path for errors
 * @returns the files by their paths
 * @throws OpSdkError `chart/bad-record`
 */
export function readLastOutput(text: string, file: string): ReadonlyMap<string, string> {
  const content = contentOf(text);
  let files: unknown;
  try {
    files = content === undefined ? undefined : JSON.parse(content);
  } catch {
    // Reported below.
  }
  // Files with these paths are deleted later, so no path may lead out of the chart.
  const isBelow = (path: string): boolean =>
    path.split('/').every((name) => !['', '.', '..'].includes(name)) && !path.includes('\\');
  if (
    isJsonMap(files) &&
    Object.entries(files).every(([path, each]) => isBelow(path) && typeof each === 'string')
  )
    return new Map(Object.entries(files as Readonly<Record<string, string>>));
  throw new OpSdkError({
    code: 'chart/bad-record',
    message: `${file} is not a record of the last op-sdk generate helm: without it, edits cannot be distinguished from output`,
    where: { file },
    fix: [
      'restore it, for example with git',
      'or write the chart again with --force, which keeps edited files beside the new ones',
    ],
  });
}

function contentOf(text: string): string | undefined {
  try {
    const record: unknown = JSON.parse(text);
    if (!isJsonMap(record) || record['format'] !== format || typeof record['files'] !== 'string')
      return undefined;
    return gunzipSync(Buffer.from(record['files'], 'base64'), { maxOutputLength: largest }).toString('utf8');
  } catch {
    return undefined;
  }
}
