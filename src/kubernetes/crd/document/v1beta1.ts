import type { Finding, FindingCode, Where } from '../../../base/errors/index.ts';
import { isJsonMap, jsonListOf, jsonMapOf, jsonTextOf, type JsonMap } from '../../../base/util/json-map.ts';
import type { JsonProblem } from '../../../base/util/read-json.ts';
import { formProblems, v1beta1Form } from './crd-forms.ts';

/** Keys and indices that lead from the document to a part of it. */
type Path = readonly (string | number)[];

/** Result of the conversion of a v1beta1 definition to v1. */
interface ConvertedDefinition {
  /** Definition as v1; undefined if `findings` is not empty. */
  readonly document: JsonMap | undefined;
  /** Reasons why the definition cannot be converted, with code `import/v1beta1`. */
  readonly findings: readonly Finding[];
  /** Warnings about fields that were lost or converted to other fields, with code `import/v1beta1-lost`. */
  readonly warnings: readonly Finding[];
  /** Maps a path in the v1 definition to the path in the v1beta1 definition, which findings refer to. */
  readonly origin: (path: Path) => Path;
}

/**
 * Converts a CustomResourceDefinition of apiextensions.k8s.io/v1beta1 to v1, exactly as the API server did when it still served both:
 * defaults of v1beta1 are set explicitly, `version` becomes the only version, and fields given once for all versions (`validation`,
 * `subresources`, `additionalPrinterColumns`, `selectableFields`) are copied into each version. Source: apiextensions-apiserver
 * `v1beta1/defaults.go`, `v1/conversion.go`.
 *
 * The conversion differs from that of the API server in two points, because v1 would otherwise refuse the result. First,
 * `preserveUnknownFields: true` becomes `x-kubernetes-preserve-unknown-fields: true` at the root of each schema, with a warning. Second, a
 * root schema without a type gets `type: object`, which is true of every object. `status` is omitted, because the API server ignores it,
 * too.
 *
 * Apart from these points, schemas are copied unchanged. v1beta1 did not require structural schemas, so callers have to check the result.
 *
 * @param document plain JSON with apiVersion apiextensions.k8s.io/v1beta1
 * @param locate returns the source location of a path in the document
 */
export function fromV1beta1(document: JsonMap, locate: (path: Path) => Where): ConvertedDefinition {
  const finding =
    (code: FindingCode) =>
    ({ path, message, fix }: Fault): Finding => ({ code, message, where: locate(path), fix: [fix] });
  const problems = formProblems(v1beta1Form, document);
  const forms = problems.filter(({ isKey }) => !isKey);
  const dropped = problems.filter(({ isKey }) => isKey);
  const spec = jsonMapOf(document['spec']);
  const findings = (forms.length > 0 ? forms : versionFaults(spec)).map(finding('import/v1beta1'));
  const warnings = dropped.map(unknownField).map(finding('import/v1beta1-lost'));
  if (findings.length > 0) return { document: undefined, findings, warnings, origin: (path) => path };

  const isShort = jsonListOf(spec['versions']).length === 0;
  const versions = isShort
    ? [{ name: spec['version'], served: true, storage: true }]
    : jsonListOf(spec['versions']).map(jsonMapOf);
  const keepsUnknown = spec['preserveUnknownFields'] !== false;
  if (keepsUnknown) warnings.push(finding('import/v1beta1-lost')(keptFields(spec)));
  return {
    document: {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: present(jsonMapOf(document['metadata'])),
      spec: {
        group: jsonTextOf(spec['group']),
        names: namesOf(jsonMapOf(spec['names'])),
        scope: jsonTextOf(spec['scope']) || 'Namespaced',
        versions: versions.map((version) => versionOf(version, spec, keepsUnknown)),
        conversion: conversionOf(spec['conversion']),
      },
    },
    findings,
    warnings,
    origin: (path) => originOf(path, spec, isShort),
  };
}

/** Fault of a definition, or a loss of data in its conversion. */
type Fault = Pick<JsonProblem, 'path' | 'message' | 'fix'>;

/** Fields that can be set once for all versions: each with its name in `spec` and its name in a version. */
const forAll = [
  ['validation', 'schema'],
  ['subresources', 'subresources'],
  ['additionalPrinterColumns', 'additionalPrinterColumns'],
  ['selectableFields', 'selectableFields'],
] as const;

/** Returns faults for which the API server refused a v1beta1 definition, because the conversion would have to guess. */
function versionFaults(spec: JsonMap): readonly Fault[] {
  const faults: Fault[] = [];
  const versions = jsonListOf(spec['versions']).map(jsonMapOf);
  const version = jsonTextOf(spec['version']);
  const first = jsonTextOf(versions[0]?.['name']);
  if (versions.length === 0 && version === '')
    faults.push({ path: ['spec'], message: 'the definition has no version', fix: 'write spec.versions' });
  if (versions.length > 0 && version !== '' && version !== first)
    faults.push({
      path: ['spec', 'version'],
      message: `spec.version is ${version}, but the first of spec.versions is ${first}; v1beta1 requires both to be the same`,
      fix: 'remove spec.version',
    });
  for (const [common, own] of forAll) {
    const index = versions.findIndex((item) => isThere(item[own]));
    if (!isThere(spec[common]) || index < 0) continue;
    faults.push({
      path: ['spec', common],
      message: `spec.${common} applies to all versions, but version ${jsonTextOf(versions[index]?.['name'])} also has its own ${own}; v1beta1 allows only one of the two`,
      fix: `move spec.${common} into each version that has no ${own}`,
    });
  }
  const conversion = spec['conversion'];
  if (isJsonMap(conversion) && jsonTextOf(conversion['strategy']) === '')
    faults.push({
      path: ['spec', 'conversion'],
      message: 'the conversion has no strategy',
      fix: 'write strategy: None or Webhook',
    });
  if (spec['preserveUnknownFields'] !== false) return faults;
  const bare = versions.find((item) => schemaOf(item, spec) === undefined);
  const isBare = versions.length === 0 && version !== '' && schemaOf({}, spec) === undefined;
  if (bare !== undefined || isBare)
    faults.push({
      path: ['spec'],
      message: `version ${jsonTextOf(bare?.['name']) || version} has no schema, which only preserveUnknownFields: true allows`,
      fix: 'write a schema, or remove preserveUnknownFields: false',
    });
  return faults;
}

function unknownField({ path, fix }: Fault): Fault {
  const message = `v1beta1 has no field ${String(path.at(-1))} here; the API server dropped it, and so does the conversion`;
  return { path, message, fix };
}

/** Returns the warning about the conversion of `preserveUnknownFields`. */
function keptFields(spec: JsonMap): Fault {
  const said = spec['preserveUnknownFields'] === true;
  const because = said
    ? 'preserveUnknownFields is true'
    : 'preserveUnknownFields is true by default in v1beta1';
  return {
    path: said ? ['spec', 'preserveUnknownFields'] : ['spec'],
    message: `${because}: fields that the schema does not declare were kept at every depth. v1 says this in the schema, and x-kubernetes-preserve-unknown-fields: true is now at the root of each version. It keeps undeclared fields at the root; inside objects that declare properties, other fields are pruned from now on`,
    fix: 'declare every field that is used, or write x-kubernetes-preserve-unknown-fields: true into the objects that have others',
  };
}

function versionOf(version: JsonMap, spec: JsonMap, keepsUnknown: boolean): JsonMap {
  const columns = jsonListOf(version['additionalPrinterColumns'] ?? spec['additionalPrinterColumns']);
  const selectable = jsonListOf(version['selectableFields'] ?? spec['selectableFields']);
  const subresources = version['subresources'] ?? spec['subresources'];
  const { deprecated, deprecationWarning } = version;
  return {
    name: version['name'],
    served: version['served'] === true,
    storage: version['storage'] === true,
    ...(deprecated === true ? { deprecated } : {}),
    ...(isThere(deprecationWarning) ? { deprecationWarning } : {}),
    schema: { openAPIV3Schema: rootSchema(schemaOf(version, spec), keepsUnknown) },
    ...(isThere(subresources) ? { subresources: present(jsonMapOf(subresources)) } : {}),
    ...(columns.length > 0 ? { additionalPrinterColumns: columns.map(columnOf) } : {}),
    ...(selectable.length > 0 ? { selectableFields: selectable } : {}),
  };
}

function schemaOf(version: JsonMap, spec: JsonMap): JsonMap | undefined {
  const holder = version['schema'] ?? spec['validation'];
  const schema = isJsonMap(holder) ? holder['openAPIV3Schema'] : undefined;
  return isJsonMap(schema) ? schema : undefined;
}

function rootSchema(schema: JsonMap | undefined, keepsUnknown: boolean): JsonMap {
  return {
    ...schema,
    ...(isThere(schema?.['type']) ? {} : { type: 'object' }),
    ...(keepsUnknown ? { 'x-kubernetes-preserve-unknown-fields': true } : {}),
  };
}

/** Converts a printer column to v1. Omits empty fields, like Go. */
function columnOf(column: unknown): JsonMap {
  const { name, type, JSONPath, format, description, priority } = jsonMapOf(column);
  return {
    name: jsonTextOf(name),
    type: jsonTextOf(type),
    ...filled({ format, description, priority }),
    jsonPath: jsonTextOf(JSONPath),
  };
}

function namesOf(names: JsonMap): JsonMap {
  const kind = jsonTextOf(names['kind']);
  return {
    plural: jsonTextOf(names['plural']),
    kind,
    ...filled({
      singular: jsonTextOf(names['singular']) || kind.toLowerCase(),
      listKind: jsonTextOf(names['listKind']) || (kind && `${kind}List`),
      shortNames: names['shortNames'],
      categories: names['categories'],
    }),
  };
}

function conversionOf(value: unknown): JsonMap {
  if (!isJsonMap(value)) return { strategy: 'None' };
  const { strategy, webhookClientConfig, conversionReviewVersions: declared } = value;
  const wantsDefault = strategy === 'Webhook' && jsonListOf(declared).length === 0;
  const conversionReviewVersions = wantsDefault ? ['v1beta1'] : declared;
  if (!isThere(webhookClientConfig) && !isThere(conversionReviewVersions)) return { strategy };
  return {
    strategy,
    webhook: present({
      ...(isJsonMap(webhookClientConfig) ? { clientConfig: clientConfigOf(webhookClientConfig) } : {}),
      conversionReviewVersions,
    }),
  };
}

function clientConfigOf({ url, caBundle, service }: JsonMap): JsonMap {
  return present({
    url,
    ...filled({ caBundle }),
    ...(isJsonMap(service) ? { service: present({ port: 443, ...present(service) }) } : {}),
  });
}

function isThere(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** Removes null fields, because the API server decodes them as absent. */
function present(object: JsonMap): JsonMap {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => isThere(value)));
}

/** Removes empty fields, like Go's `omitempty`. */
function filled(object: JsonMap): JsonMap {
  const isEmpty = (value: unknown): boolean =>
    value === '' || value === 0 || (Array.isArray(value) && value.length === 0);
  return Object.fromEntries(Object.entries(present(object)).filter(([, value]) => !isEmpty(value)));
}

function originOf(path: Path, spec: JsonMap, isShort: boolean): Path {
  const [top, field, index, own, ...rest] = path;
  if (top !== 'spec') return path;
  if (field === 'conversion' && index === 'webhook') {
    const renamed = own === 'clientConfig' ? 'webhookClientConfig' : own;
    return ['spec', 'conversion', ...(renamed === undefined ? [] : [renamed]), ...rest];
  }
  if (field !== 'versions' || typeof index !== 'number') return path;
  const above: Path = isShort ? ['spec', 'version'] : ['spec', 'versions', index];
  if (own === undefined) return above;
  const common = forAll.find(([, name]) => name === own)?.[0];
  const isCommon = common !== undefined && isThere(spec[common]);
  const start: Path = isCommon ? ['spec', common] : isShort ? ['spec', 'version'] : [...above, own];
  return [
    ...start,
    ...rest.map((key) => (own === 'additionalPrinterColumns' && key === 'jsonPath' ? 'JSONPath' : key)),
  ];
}

/**
 * Returns a definition as v1. A v1beta1 definition is converted.
 *
 * @param object plain JSON of the kind CustomResourceDefinition
 */
export function asV1(object: JsonMap, locate: (path: Path) => Where): ConvertedDefinition {
  const apiVersion = jsonTextOf(object['apiVersion']);
  if (apiVersion === 'apiextensions.k8s.io/v1')
    return { document: object, findings: [], warnings: [], origin: (path) => path };
  if (apiVersion === 'apiextensions.k8s.io/v1beta1') return fromV1beta1(object, locate);
  const finding: Finding = {
    code: 'crd/form',
    message: `expected a CustomResourceDefinition of apiextensions.k8s.io/v1 or v1beta1, got the apiVersion ${JSON.stringify(apiVersion)}`,
    where: locate(['apiVersion']),
    fix: ['write apiVersion: apiextensions.k8s.io/v1'],
  };
  return { document: undefined, findings: [finding], warnings: [], origin: (path) => path };
}
