import type { FindingList } from '../../errors/index.ts';
import { parseYaml } from '../../yaml/index.ts';
import type { ReplacementEntry } from '../entries.ts';
import type { Json } from '../resource.ts';
import { reportParse } from './report-parse.ts';
import { valueReader } from './value-reader.ts';

/** Reads a file of replacements: one, or a list of them. */
export function readReplacementFile(
  text: string,
  file: string,
  findings: FindingList,
): readonly ReplacementEntry[] {
  const document = reportParse(findings, () => parseYaml(text, file));
  if (document === undefined) return [];
  const reader = valueReader((path) => document.locate(path), findings);
  const value = document.value as Json;
  const isList = Array.isArray(value);
  if (value === null) {
    reader.wrong([], 'the file holds no replacement');
    return [];
  }
  return reader.list(isList ? value : [value], [], (item, path) => {
    const place = isList ? path : [];
    const entry = reader.record(item, place, ['source', 'sourceValue', 'targets']);
    return entry === undefined
      ? undefined
      : {
          value: entry,
          where: reader.locate(place),
          locate: (inner) => reader.locate([...place, ...inner]),
        };
  });
}
