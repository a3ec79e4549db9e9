import type { FindingList } from '../../../base/errors/index.ts';
import { bool, list, mapped, object, string } from '../../../base/util/json-reader.ts';
import type { JsonReader } from '../../../base/util/read-json.ts';
import { parseYaml } from '../../yaml/index.ts';
import { limits } from '../load/build-files.ts';
import { filledText, readChecked, reportParse } from '../load/kustomization.ts';
import type { ReferenceRule } from '../references/reference-table.ts';
import type { FieldSpec } from '../transform/field-spec.ts';
import { isObject, type Json, type JsonObject } from '../../objects/index.ts';
import {
  emptyConfig,
  sorted,
  specLists,
  type SpecList,
  type TransformerConfig,
  mergeConfigs,
} from './transformer-config.ts';

/**
 * Reads an entry of a transformer's configuration: the path of a field, and the kinds of resources in which the transformer changes this
 * field.
 */
export const fieldSpec: JsonReader<FieldSpec> = mapped(
  object(
    { path: filledText, group: string, version: string, kind: string, create: bool },
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

/** Reads a file that the field `configurations` of a kustomization names. */
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

/** Maximum depth of nested types in a schema. Without a limit, a type that contains itself would be followed endlessly, as in kustomize. */
const deepest = 50;

/**
 * Reads a file that the field `crds` of a kustomization names. It contains OpenAPI definitions by name, with extensions that mark fields as
 * references, labels, annotations and names. Source: kustomize `api/internal/accumulator/loadconfigfromcrds.go`.
 */
export function readCrdSchemas(
  text: string,
  file: string,
  findings: FindingList,
): TransformerConfig | undefined {
  const document = reportParse(findings, () => parseYaml(text, file, 'as-written'));
  if (document === undefined) return undefined;
  const definitions = document.value as Json;
  const wrong = (message: string): undefined => {
    findings.add({
      code: 'kustomize/invalid-value',
      message,
      where: document.locate([]),
      fix: ['write OpenAPI definitions by name, each with a Schema, as go-to-openapi makes them'],
    });
  };
  if (!isObject(definitions)) return wrong('the file holds no OpenAPI definitions');
  const schemas = new Map<string, JsonObject>();
  for (const [name, definition] of Object.entries(definitions)) {
    if (!isObject(definition)) return wrong(`${name} is not an OpenAPI definition`);
    const schema = definition['Schema'] ?? definition['schema'];
    schemas.set(name, isObject(schema) && isObject(schema['properties']) ? schema['properties'] : {});
  }
  let config = emptyConfig;
  for (const [name, properties] of schemas) {
    if (!['kind', 'apiVersion', 'metadata'].every((field) => Object.hasOwn(properties, field))) continue;
    const found = configOf(name.slice(name.lastIndexOf('.') + 1), name, schemas);
    if (found === undefined)
      return wrong(`the schema of ${name} contains itself, or more than ${limits.fieldSpecs} fields`);
    config = mergeConfigs(config, found);
  }
  return config;
}

function configOf(
  kind: string,
  type: string,
  schemas: ReadonlyMap<string, JsonObject>,
): TransformerConfig | undefined {
  let config: TransformerConfig | undefined = emptyConfig;
  let visited = 0;
  const add = (more: Partial<TransformerConfig>): void => {
    config = config && mergeConfigs(config, { ...emptyConfig, ...more });
  };
  const visit = (name: string, path: readonly string[]): void => {
    if (path.length > deepest || visited > limits.fieldSpecs) config = undefined;
    if (config === undefined) return;
    for (const [field, property] of Object.entries(schemas.get(name) ?? {})) {
      if (!isObject(property)) continue;
      visited++;
      const says = (extension: string): boolean => typeof property[extension] === 'string';
      const spec = (...more: readonly string[]): FieldSpec => ({
        kind,
        path: [...path, field, ...more].join('/'),
        create: false,
      });
      if (says('x-kubernetes-annotation')) add({ commonAnnotations: [spec()] });
      if (says('x-kubernetes-label-selector')) add({ commonLabels: [spec()] });
      if (says('x-kubernetes-identity')) add({ namePrefix: [spec()] });
      const target = property['x-kubernetes-object-ref-kind'];
      const version = property['x-kubernetes-object-ref-api-version'];
      const key = property['x-kubernetes-object-ref-name-key'];
      if (typeof target === 'string' && typeof version === 'string')
        add({
          nameReference: [
            { target: { kind: target, version }, fields: [spec(typeof key === 'string' ? key : 'name')] },
          ],
        });
      if (typeof property['$ref'] === 'string') visit(property['$ref'], [...path, field]);
    }
  };
  visit(type, []);
  return config;
}
