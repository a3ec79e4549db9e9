import { isJsonMap, jsonListOf, jsonMapOf, jsonTextOf, type JsonMap } from '../../../base/util/json-map.ts';
import { severityOf } from '../../../base/errors/index.ts';
import { v1Form, formProblems } from '../document/crd-forms.ts';
import { withoutNull } from '../document/crd-document.ts';
import { fieldOfKeys } from '../diff/version-loss.ts';
import { label1035Problem, type JSONSchemaProps } from '../../objects/index.ts';
import { checkColumns, followSteps } from './paths.ts';
import { checkConversion } from './conversion.ts';
import { checkGroup, checkMetadata, checkNames } from './names.ts';
import { collect, type Violation, type FieldPath, checkSize } from './violation.ts';
import { checkForms } from './schema/check-forms.ts';
import { checkSchemaRules } from './schema/index.ts';
import { closestName } from '../../../base/util/terminal-words.ts';

/**
 * Checks a CustomResourceDefinition like the API server (1.36), except for CEL compilation. Also warns of parts that the API server
 * accepts, but that cannot be intended. All commands that read definitions use this check, and look up the source locations of the
 * violations themselves: in TypeScript, in YAML, or on a cluster.
 *
 * Source: apiextensions-apiserver `pkg/apis/apiextensions/validation/validation.go` `ValidateCustomResourceDefinition`.
 *
 * @param document plain JSON of apiextensions.k8s.io/v1, which may be invalid in any way
 * @returns violations in the order of the document's parts. If the form of the document has errors (`crd/form`), only these are returned,
 * because other rules do not apply to documents that cannot be decoded
 */
export function checkCrd(document: JsonMap): readonly Violation[] {
  const forms = checkCrdForm(document);
  if (forms.some(({ code }) => severityOf(code) === 'error')) return forms;
  const crd = withoutNull(document) as JsonMap;
  const spec = jsonMapOf(crd['spec']);
  return [
    ...checkSize(crd),
    ...checkMetadata(crd),
    ...checkGroup(crd),
    ...checkNames(spec),
    ...collect('crd/preserve-unknown-fields', (add) => {
      if (spec['preserveUnknownFields'] === true)
        add(
          ['spec', 'preserveUnknownFields'],
          'spec.preserveUnknownFields must be false, got true',
          'write x-kubernetes-preserve-unknown-fields: true into the schema instead',
        );
    }),
    ...checkVersions(spec),
    ...jsonListOf(spec['versions']).flatMap((version, index) => checkVersion(jsonMapOf(version), index)),
    ...checkConversion(spec),
    ...forms,
  ];
}

function checkVersion(version: JsonMap, index: number): readonly Violation[] {
  const at = ['spec', 'versions', index];
  const schema = jsonMapOf(jsonMapOf(version['schema'])['openAPIV3Schema']);
  const hasStatus = isJsonMap(jsonMapOf(version['subresources'])['status']);
  const name = jsonTextOf(version['name']);
  const props = schema as JSONSchemaProps;
  return [
    ...checkDeprecation(version, at),
    ...checkVersionSchema(schema, { name, hasStatus }, [...at, 'schema', 'openAPIV3Schema']),
    ...checkScale(version, props, at),
    ...checkColumns(version, props, at),
    ...checkSelectableFields(version, props, at),
  ];
}

/**
 * Checks that a document can be decoded as a CustomResourceDefinition: values must have the types that the API server decodes, and the
 * fields on which all other rules depend must exist. Fields that the API server drops lead to warnings.
 */
function checkCrdForm(document: JsonMap): readonly Violation[] {
  const found = formProblems(v1Form, document).map(({ path, isKey, message, fix }): Violation => {
    if (!isKey) return { path, code: 'crd/form', message, fix };
    const dropped = `CustomResourceDefinition has no field ${path.join('.')}; the API server drops it`;
    return { path, code: 'crd/unknown-field', message: dropped, fix };
  });
  if (found.some(({ code }) => code === 'crd/form')) return found;
  return [...found, ...missing(jsonMapOf(document['spec']))];
}

function missing(spec: JsonMap): readonly Violation[] {
  const names = jsonMapOf(spec['names']);
  const versions = jsonListOf(spec['versions']).map(jsonMapOf);
  const ofForm = collect('crd/form', (add) => {
    for (const [path, value] of [
      [['spec', 'group'], spec['group']],
      [['spec', 'names', 'plural'], names['plural']],
      [['spec', 'names', 'kind'], names['kind']],
    ] as const)
      if (jsonTextOf(value) === '') add(path, `${path.join('.')} is missing`, 'write it');
    const { scope } = spec;
    if (scope !== 'Namespaced' && scope !== 'Cluster') {
      const found = jsonTextOf(scope) === '' ? 'nothing' : jsonTextOf(scope);
      add(
        ['spec', 'scope'],
        `spec.scope: expected Namespaced or Cluster, got ${found}`,
        'write one of the two',
      );
    }
    if (versions.length === 0)
      add(['spec', 'versions'], 'spec.versions is missing or empty', 'write the versions');
    for (const [index, { name, schema }] of versions.entries()) {
      const at = ['spec', 'versions', index];
      const shown = jsonTextOf(name) === '' ? `spec.versions[${index}]` : `the version ${jsonTextOf(name)}`;
      if (jsonTextOf(name) === '') add([...at, 'name'], `${shown} has no name`, 'write its name');
      if (!isJsonMap(jsonMapOf(schema)['openAPIV3Schema']))
        add([...at, 'schema'], `${shown} has no schema`, 'write schema.openAPIV3Schema');
    }
  });
  const ofSchemas = versions.flatMap(({ name, schema }, index) =>
    checkSchemaForm(jsonMapOf(jsonMapOf(schema)['openAPIV3Schema']), jsonTextOf(name), [
      ...['spec', 'versions', index],
      ...['schema', 'openAPIV3Schema'],
    ]),
  );
  return [...ofForm, ...ofSchemas];
}

/**
 * Requirements of the API server for each path of the scale subresource. Source: apiextensions
 * `ValidateCustomResourceDefinitionSubresources`.
 */
const parts = [
  { field: 'specReplicasPath', below: ['.spec.'], type: 'integer', example: '.spec.replicas' },
  { field: 'statusReplicasPath', below: ['.status.'], type: 'integer', example: '.status.replicas' },
  { field: 'labelSelectorPath', below: ['.status.', '.spec.'], type: 'string', example: '.status.selector' },
] as const;

/**
 * Checks the scale subresource of a version. Warns of paths that lead to no field or to a field of another type, because the API server
 * accepts these paths, but scaling fails.
 */
function checkScale(version: JsonMap, schema: JSONSchemaProps, at: FieldPath): readonly Violation[] {
  const { scale } = jsonMapOf(version['subresources']);
  if (!isJsonMap(scale)) return [];
  const path = [...at, 'subresources', 'scale'];
  return parts.flatMap(({ field, below, type, example }): readonly Violation[] => {
    const value = jsonTextOf(scale[field]);
    const here = [...path, field];
    const fix = `name a field such as ${example}`;
    if (value === '') {
      // An empty `labelSelectorPath` counts as absent.
      if (field === 'labelSelectorPath') return [];
      return [{ path: here, code: 'crd/scale', message: `the scale subresource has no ${field}`, fix }];
    }
    if (!below.some((prefix) => value.startsWith(prefix))) {
      const places = below.map((prefix) => prefix.slice(0, -1)).join(' or ');
      const message = `the ${field} '${value}' of the scale subresource is not below ${places}`;
      return [{ path: here, code: 'crd/scale', message, fix }];
    }
    const steps = value
      .slice(1)
      .split('.')
      .map((name) => ({ type: 'field', name }) as const);
    const reached = followSteps(schema, steps);
    const lost = typeof reached === 'string' ? reached : undefined;
    const actual = typeof reached === 'string' ? undefined : reached.type;
    if (lost === undefined && (actual === undefined || actual === type)) return [];
    return [
      {
        path: here,
        code: 'crd/scale-path',
        message: `the ${field} ${value} of the scale subresource will not work: ${lost ?? `the field is of type ${actual}, not ${type}`}`,
        fix:
          type === 'string'
            ? 'name a field of type string that holds the label selector'
            : 'name a field that is an integer of 32 bits',
      },
    ];
  });
}

const fix = 'correct the schema; a generated one is changed in its sources';

/** Checks the schema of a version like the API server does. The form of the schema must be valid. */
function checkVersionSchema(
  schema: JsonMap,
  version: { readonly name: string; readonly hasStatus: boolean },
  path: FieldPath,
): readonly Violation[] {
  const found: Violation[] = [];
  checkSchemaRules(schema, {
    path,
    hasStatus: version.hasStatus,
    problem(at, message) {
      const ofRule = at.includes('x-kubernetes-validations');
      found.push({
        path: at,
        code: ofRule ? 'crd/cel-rule' : 'crd/schema',
        message: `${placeIn(version.name, at, path)}: ${message}`,
        fix: ofRule ? 'correct the rule as the message says' : fix,
      });
    },
  });
  return found;
}

/**
 * Reports parts that cannot be decoded as a schema. Also reports one warning for each field name that the API server drops, even if the
 * name occurs several times.
 */
function checkSchemaForm(schema: JsonMap, name: string, path: FieldPath): readonly Violation[] {
  const found: Violation[] = [];
  const unknown = checkForms(schema, path, (at, message) =>
    found.push({ path: at, code: 'crd/form', message: `${placeIn(name, at, path)}: ${message}`, fix }),
  );
  const byName = new Map<string, FieldPath[]>();
  for (const at of unknown) {
    const keyword = jsonTextOf(at.at(-1));
    byName.set(keyword, [...(byName.get(keyword) ?? []), at]);
  }
  for (const [keyword, [first = [], ...more]] of byName) {
    const often = more.length === 0 ? '' : `, here and at ${more.length} more places`;
    found.push({
      path: first,
      code: 'crd/unknown-field',
      message: `the schema of ${name} has the field ${keyword}, which the API server drops${often}`,
      fix: 'remove the field, or correct its name',
    });
  }
  return found;
}

function placeIn(version: string, at: FieldPath, path: FieldPath): string {
  const field = fieldOfKeys(at.slice(path.length));
  return field === '.' ? `the schema of ${version}` : `the schema of ${version}, ${field}`;
}

/** Maximum length of a deprecation warning, in bytes. Source: apiextensions `validateDeprecationWarning`. */
const WARNING_MAX = 256;

/**
 * Checks that the names of the versions are unique, and that exactly one version is the storage version. Source: apiextensions
 * `validateCustomResourceDefinitionSpec`.
 */
function checkVersions(spec: JsonMap): readonly Violation[] {
  const versions = jsonListOf(spec['versions']).map(jsonMapOf);
  const names = versions.map(({ name }) => jsonTextOf(name));
  const stored = names.filter((_name, index) => versions[index]?.['storage'] === true);
  return [
    ...collect('crd/version', (add) => {
      for (const [index, name] of names.entries()) {
        const problem = label1035Problem(name);
        if (problem === undefined) continue;
        const message = `the version ${JSON.stringify(name)} is not valid: ${problem}`;
        add(['spec', 'versions', index, 'name'], message, 'write v1alpha1, v1beta1 or v1');
      }
    }),
    ...collect('crd/duplicate-version', (add) => {
      for (const [index, name] of names.entries())
        if (names.indexOf(name) < index)
          add(
            ['spec', 'versions', index, 'name'],
            `the version ${name} is declared twice`,
            'remove one of the two, or rename it',
          );
    }),
    ...collect('crd/storage-version', (add) => {
      if (stored.length === 1) return;
      const found = stored.length === 0 ? 'none' : stored.join(', ');
      const message = `expected exactly one version with storage: true, got ${found}`;
      add(['spec', 'versions'], message, 'write storage: true in one version, storage: false in the others');
    }),
  ];
}

/** Checks `deprecationWarning` of a version. */
function checkDeprecation(version: JsonMap, at: FieldPath): readonly Violation[] {
  const { deprecated, deprecationWarning: warning } = version;
  if (typeof warning !== 'string') return [];
  const problem =
    deprecated === true
      ? warningProblem(warning)
      : 'only a version with deprecated: true can have a deprecation warning';
  return collect('crd/deprecation', (add) => {
    if (problem !== undefined)
      add(
        [...at, 'deprecationWarning'],
        `the deprecation warning ${JSON.stringify(warning)} is not valid: ${problem}`,
        deprecated === true
          ? `write one line of at most ${WARNING_MAX} bytes, or none for the warning of the API server`
          : 'write deprecated: true, or remove the warning',
      );
  });
}

/**
 * Returns the reason why a deprecation warning is invalid. Its characters must be printable by Go's `unicode.IsPrint`: letters, marks,
 * numbers, punctuation, symbols and the ASCII space. Source: apiextensions `validateDeprecationWarning`.
 */
function warningProblem(text: string): string | undefined {
  if (text === '') return 'it is empty';
  const size = Buffer.byteLength(text);
  if (size > WARNING_MAX) return `it has ${size} bytes; ${WARNING_MAX} are allowed`;
  const odd = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/u.exec(text);
  return odd === null
    ? undefined
    : `it holds the character ${JSON.stringify(odd[0])}, which cannot be printed`;
}

/** Maximum number of selectable fields of a version. Source: apiextensions `MaxSelectableFields`. */
const FIELDS_MAX = 8;
/** Types that a selectable field may have. Source: apiextensions `allowedSelectableFieldSchema`. */
const types = ['string', 'boolean', 'integer'];

/** Checks `selectableFields` of a version. Source: apiextensions `ValidateCustomResourceSelectableFields`, `cel.ValidFieldPath`. */
function checkSelectableFields(
  version: JsonMap,
  schema: JSONSchemaProps,
  at: FieldPath,
): readonly Violation[] {
  const path = [...at, 'selectableFields'];
  const fields = jsonListOf(version['selectableFields']).map((field) =>
    jsonTextOf(jsonMapOf(field)['jsonPath']),
  );
  return collect('crd/selectable-field', (add) => {
    const valid = new Set<string>();
    for (const [index, field] of fields.entries()) {
      const problem = valid.has(field) ? 'it is listed twice' : pathProblem(schema, field);
      if (problem === undefined) valid.add(field);
      else
        add(
          [...path, index, 'jsonPath'],
          `the selectable field ${JSON.stringify(field)} is not valid: ${problem}`,
          'name a string, an integer or a boolean of spec or status, such as .spec.mode',
        );
    }
    if (valid.size <= FIELDS_MAX) return;
    const message = `the version has ${valid.size} selectable fields; ${FIELDS_MAX} are allowed`;
    add([...path, FIELDS_MAX], message, `remove ${valid.size - FIELDS_MAX} of them`);
  });
}

function pathProblem(root: JSONSchemaProps, path: string): string | undefined {
  if (path === '') return 'it is empty';
  if (!path.startsWith('.')) return 'it does not start with a dot';
  if (path.includes('[')) return 'array notation is not allowed in a selectable field';
  const names = path.slice(1).split('.');
  if (names[0] === 'metadata')
    return 'fields of metadata cannot be made selectable; only metadata.name and metadata.namespace are, in every kind';
  let node = root;
  let at = '';
  for (const name of names) {
    const next = step(node, name);
    if (typeof next === 'string') return `${at === '' ? 'the object' : at} ${next}`;
    if (next === undefined) {
      const closest = closestName(name, Object.keys(node.properties ?? {}));
      const meant = closest === undefined ? '' : `; did you mean ${at}.${closest}?`;
      return `unknown field ${at}.${name}${meant}`;
    }
    node = next;
    at = `${at}.${name}`;
  }
  return types.includes(node.type ?? '') ? undefined : `the field is ${describe(node)}`;
}

/**
 * Returns the schema of a field of a node. Returns undefined if the field is not declared, or a text with the reason if the node cannot
 * declare fields.
 */
function step(node: JSONSchemaProps, name: string): JSONSchemaProps | undefined | string {
  const { properties, additionalProperties } = node;
  if (properties !== undefined) return Object.hasOwn(properties, name) ? properties[name] : undefined;
  if (typeof additionalProperties === 'object') return additionalProperties;
  return 'declares no fields in the schema';
}

function describe(node: JSONSchemaProps): string {
  if (node['x-kubernetes-int-or-string'] === true) return 'an integer or a string';
  if (node.type === 'array') return 'a list';
  if (node.type === 'object') return 'an object';
  return node.type === undefined ? 'of no type' : `of type ${node.type}`;
}
