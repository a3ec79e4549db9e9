import type { FindingList } from '../../../base/errors/index.ts';
import { flag, list, mapped, object, string } from '../../../base/util/json-reader.ts';
import type { JsonReader } from '../../../base/util/read-json.ts';
import { parseYaml } from '../../yaml/index.ts';
import { limits } from '../load/limits.ts';
import { filledText, readChecked } from '../load/read-value.ts';
import { reportParse } from '../load/report-parse.ts';
import type { ReferenceRule } from '../references/reference-table.ts';
import type { FieldSpec } from '../transform/field-spec.ts';
import {
  emptyConfig,
  sorted,
  specLists,
  type SpecList,
  type TransformerConfig,
} from './transformer-config.ts';

/** A field of some kinds. */
export const fieldSpec: JsonReader<FieldSpec> = mapped(
  object(
    { path: filledText, group: string, version: string, kind: string, create: flag },
    { required: { path: 'add it, such as path: metadata/labels' } },
  ),
  ({ path, group = '', version = '', kind = '', create = false }) =>
    path === undefined ? undefined : { path, group, version, kind, create },
);

const referenceRule: JsonReader<ReferenceRule> = mapped(
  object({ group: string, version: string, kind: string, fieldSpecs: list(fieldSpec) }),
  ({ group = '', version = '', kind = '', fieldSpecs = [] }) => ({
    target: { group, version, kind },
    fields: fieldSpecs,
  }),
);

const configReader = object({
  ...(Object.fromEntries(specLists.map((name) => [name, list(fieldSpec)])) as Record<
    SpecList,
    JsonReader<readonly FieldSpec[]>
  >),
  nameReference: list(referenceRule),
});

/** Reads a file of `configurations`. */
export function readConfig(text: string, file: string, findings: FindingList): TransformerConfig | undefined {
  const document = reportParse(findings, () => parseYaml(text, file, 'as-written'));
  if (document === undefined) return undefined;
  const read = readChecked(
    configReader,
    document.value ?? {},
    'the configuration',
    (path) => document.locate(path),
    findings,
  );
  if (read === undefined) return undefined;
  const config = { ...emptyConfig, ...read };
  const specs =
    specLists.reduce((sum, name) => sum + config[name].length, 0) +
    config.nameReference.reduce((sum, { fields }) => sum + 1 + fields.length, 0);
  if (specs <= limits.fieldSpecs) return sorted(config);
  findings.add({
    code: 'kustomize/too-large',
    message: `the configuration names more than ${limits.fieldSpecs} fields`,
    where: document.locate([]),
    fix: ['split the build, or take out what does not belong in it'],
  });
  return undefined;
}
