import type { Finding, Where } from '../errors/index.ts';
import { isJsonMap, jsonListOf, jsonMapOf, type JsonMap } from '../util/json-map.ts';
import { crdSchemaFields, refusedSchemaFields } from '../crd/json-schema-props.ts';

/** Keys and indices from the document down. */
export type Path = readonly (string | number)[];

export interface CheckedCrd {
  /** What keeps the document from being read as a CRD. */
  readonly findings: readonly Finding[];
  /** What the API server would drop. */
  readonly warnings: readonly Finding[];
}

/**
 * Checks that a document has the form of a CustomResourceDefinition of apiextensions.k8s.io/v1, as deep as the importer looks into it.
 * What the API server judges beyond the form, the generator judges when the import is checked.
 *
 * @param locate the place of a path of the document
 */
export function checkCrd(document: JsonMap, locate: (path: Path) => Where): CheckedCrd {
  const findings: Finding[] = [];
  const warnings: Finding[] = [];
  const wrong: Wrong = (path, message) => {
    findings.push({
      code: 'import/invalid-crd',
      message: `${shown(path)} ${message}`,
      where: locate(path),
      fix: [
        'correct the definition; `kubectl apply --dry-run=server` tells what else the API server has against it',
      ],
    });
  };
  checkSpec(jsonMapOf(document['spec']), wrong);
  const dropped = (path: Path, name: string): void => {
    warnings.push({
      code: 'import/dropped-keyword',
      message: `${shown(path)} has the keyword ${name}, which the API server does not know and drops`,
      where: locate([...path, name]),
      fix: ['nothing, if it is not missed; the imported types are without it'],
    });
  };
  for (const [index, version] of jsonListOf(jsonMapOf(document['spec'])['versions']).entries()) {
    const path = ['spec', 'versions', index, 'schema', 'openAPIV3Schema'];
    const root = jsonMapOf(jsonMapOf(version)['schema'])['openAPIV3Schema'];
    if (!isJsonMap(root)) wrong(path, 'is missing: a version has a schema');
    else checkSchema(root, path, { wrong, dropped, inJunctor: false });
  }
  return { findings, warnings };
}

type Wrong = (path: Path, message: string) => void;

function checkSpec(spec: JsonMap, wrong: Wrong): void {
  const names = jsonMapOf(spec['names']);
  if (!isText(spec['group'])) wrong(['spec', 'group'], 'is missing');
  for (const name of ['kind', 'plural']) {
    if (!isText(names[name])) wrong(['spec', 'names', name], 'is missing');
  }
  if (spec['scope'] !== 'Namespaced' && spec['scope'] !== 'Cluster')
    wrong(['spec', 'scope'], 'is neither Namespaced nor Cluster');
  for (const name of ['shortNames', 'categories']) {
    if (!isOptional(names[name], isTexts)) wrong(['spec', 'names', name], 'is not a list of names');
  }
  const versions = jsonListOf(spec['versions']);
  if (versions.length === 0) wrong(['spec', 'versions'], 'lists no version');
  for (const [index, version] of versions.entries()) checkVersion(jsonMapOf(version), index, wrong);
  const stored = versions.filter((version) => jsonMapOf(version)['storage'] === true);
  if (versions.length > 0 && stored.length !== 1)
    wrong(['spec', 'versions'], `has ${stored.length} storage versions; there is exactly one`);
}

function checkVersion(version: JsonMap, index: number, wrong: Wrong): void {
  const path = ['spec', 'versions', index];
  if (!isText(version['name'])) wrong([...path, 'name'], 'is missing');
  for (const [at, column] of jsonListOf(version['additionalPrinterColumns']).entries()) {
    const missing = ['name', 'type', 'jsonPath'].filter(
      (name) => typeof jsonMapOf(column)[name] !== 'string',
    );
    if (missing.length > 0)
      wrong([...path, 'additionalPrinterColumns', at], `has no ${missing.join(', no ')}`);
  }
  for (const [at, field] of jsonListOf(version['selectableFields']).entries()) {
    if (!isText(jsonMapOf(field)['jsonPath'])) wrong([...path, 'selectableFields', at], 'has no jsonPath');
  }
}

interface SchemaCheck {
  readonly wrong: Wrong;
  readonly dropped: (path: Path, name: string) => void;
  /** Inside of allOf, anyOf, oneOf and not a schema needs no type. */
  readonly inJunctor: boolean;
}

const known: ReadonlySet<string> = new Set(crdSchemaFields);
const refused: ReadonlySet<string> = new Set(refusedSchemaFields);

function checkSchema(schema: JsonMap, path: Path, check: SchemaCheck): void {
  const { wrong } = check;
  for (const [name, value] of Object.entries(schema)) {
    const here = [...path, name];
    if (value === null || (name === 'uniqueItems' && value === false)) continue;
    if (refused.has(name)) wrong(here, 'is refused by the API server in a CustomResourceDefinition');
    else if (!known.has(name)) check.dropped(path, name);
    else {
      const form = forms[name];
      if (form !== undefined && !form.fits(value)) wrong(here, `is not ${form.is}`);
      else checkInside(name, value, here, check);
    }
  }
  if (schema['type'] === 'array' && schema['items'] === undefined && !check.inJunctor)
    wrong(path, 'is an array without items');
}

function checkInside(name: string, value: unknown, path: Path, check: SchemaCheck): void {
  const visit = (inner: unknown, at: Path, inJunctor: boolean): void => {
    if (isJsonMap(inner)) checkSchema(inner, at, { ...check, inJunctor });
  };
  if (name === 'properties') {
    for (const [field, inner] of Object.entries(jsonMapOf(value)))
      visit(inner, [...path, field], check.inJunctor);
  } else if (name === 'items' || name === 'additionalProperties') visit(value, path, check.inJunctor);
  else if (name === 'not') visit(value, path, true);
  else if (junctors.has(name))
    for (const [index, inner] of jsonListOf(value).entries()) visit(inner, [...path, index], true);
}

const junctors: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'oneOf']);

interface KeywordForm {
  readonly is: string;
  readonly fits: (value: unknown) => boolean;
}

const text: KeywordForm = { is: 'a text', fits: (value) => typeof value === 'string' };
const number: KeywordForm = { is: 'a number', fits: (value) => typeof value === 'number' };
const flag: KeywordForm = { is: 'true or false', fits: (value) => typeof value === 'boolean' };
const schemas: KeywordForm = {
  is: 'a list of schemas',
  fits: (value) => Array.isArray(value) && value.every(isJsonMap),
};

/** The forms of keywords. Source: apiextensions v1 `JSONSchemaProps`; `default` and `example` are any JSON. */
const forms: Readonly<Record<string, KeywordForm>> = {
  ...Object.fromEntries(
    [
      'description',
      'type',
      'format',
      'title',
      'pattern',
      'x-kubernetes-list-type',
      'x-kubernetes-map-type',
    ].map((name) => [name, text]),
  ),
  ...Object.fromEntries(
    [
      ['minimum', 'maximum', 'multipleOf'],
      ['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'],
    ]
      .flat()
      .map((name) => [name, number]),
  ),
  ...Object.fromEntries(
    [
      ['exclusiveMinimum', 'exclusiveMaximum', 'nullable', 'x-kubernetes-preserve-unknown-fields'],
      ['x-kubernetes-embedded-resource', 'x-kubernetes-int-or-string'],
    ]
      .flat()
      .map((name) => [name, flag]),
  ),
  enum: { is: 'a list', fits: Array.isArray },
  required: { is: 'a list of names', fits: isTexts },
  'x-kubernetes-list-map-keys': { is: 'a list of names', fits: isTexts },
  properties: {
    is: 'a map of schemas',
    fits: (value) => isJsonMap(value) && Object.values(value).every(isJsonMap),
  },
  items: { is: 'one schema', fits: isJsonMap },
  additionalProperties: {
    is: 'a schema, true or false',
    fits: (value) => isJsonMap(value) || typeof value === 'boolean',
  },
  not: { is: 'a schema', fits: isJsonMap },
  allOf: schemas,
  anyOf: schemas,
  oneOf: schemas,
  externalDocs: { is: 'an object', fits: isJsonMap },
  'x-kubernetes-validations': {
    is: 'a list of rules',
    fits: (value) => Array.isArray(value) && value.every((rule) => isJsonMap(rule) && isText(rule['rule'])),
  },
};

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function isOptional(value: unknown, fits: (value: unknown) => boolean): boolean {
  return value === undefined || value === null || fits(value);
}

function shown(path: Path): string {
  return path
    .map((step) =>
      typeof step === 'number'
        ? `[${step}]`
        : /^[\w$-]+$/.test(step)
          ? `.${step}`
          : `[${JSON.stringify(step)}]`,
    )
    .join('')
    .replace(/^\./, '');
}
