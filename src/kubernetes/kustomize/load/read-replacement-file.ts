import type { FindingList } from '../../../base/errors/index.ts';
import { unchecked, list, mapped, object } from '../../../base/util/json-reader.ts';
import { parseYaml } from '../../yaml/index.ts';
import type { ReplacementEntry } from '../entries.ts';
import { readChecked, written, type Locate } from './read-value.ts';
import { reportParse } from './report-parse.ts';

const fields = written(object({ source: unchecked, sourceValue: unchecked, targets: unchecked }));

/** Reads a file of replacements: one, or a list of them. */
export function readReplacementFile(
  text: string,
  file: string,
  findings: FindingList,
): readonly ReplacementEntry[] {
  const document = reportParse(findings, () => parseYaml(text, file, 'as-written'));
  if (document === undefined) return [];
  const locate: Locate = (path) => document.locate(path);
  if (document.value === null) {
    findings.add({
      code: 'kustomize/invalid-value',
      message: 'the file holds no replacement',
      where: locate([]),
      fix: ['write a replacement, or a list of them, or remove the file from the kustomization'],
    });
    return [];
  }
  const entry = mapped(fields, ({ value }, { path }): ReplacementEntry => ({
    value,
    where: locate(path),
    locate: (inner) => locate([...path, ...inner]),
  }));
  const entries = Array.isArray(document.value) ? list(entry) : mapped(entry, (one) => [one]);
  return readChecked(entries, document.value, 'the replacement', locate, findings) ?? [];
}
