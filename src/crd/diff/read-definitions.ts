import type { Finding, FindingCode, Where } from '../../errors/index.ts';
import { isJsonMap, jsonListOf, jsonMapOf, jsonTextOf, type JsonMap } from '../../util/json-map.ts';
import { checkForm } from '../../import/check-form.ts';
import { fromV1beta1 } from '../../import/v1beta1.ts';
import { checkSchema } from '../rules/schema/index.ts';
import { definitionOf, type Definition } from './definition.ts';
import { fieldOfKeys } from './schema-node.ts';
import { v1Form } from './v1-form.ts';

type Path = readonly (string | number)[];

/** A document that may be a CustomResourceDefinition, and where it was read. */
export interface PlacedDocument {
  /** Plain JSON. */
  readonly value: unknown;
  readonly locate: (path: Path) => Where;
}

export interface ReadDefinitions {
  readonly definitions: readonly Definition[];
  /** What keeps definitions from being compared: `diff/definition`, `diff/schema`, `diff/duplicate`, `import/v1beta1`. */
  readonly findings: readonly Finding[];
  readonly warnings: readonly Finding[];
}

/**
 * Takes the CustomResourceDefinitions (v1, and v1beta1 as `fromV1beta1` converts it) out of documents and lists of objects;
 * everything else is passed over.
 *
 * @param side a schema that the API server would refuse is an error in the `new` definitions. The `old` ones are what they
 *   are; there it is a warning, because verdicts are certain only for schemas that the API server takes.
 */
export function readDefinitions(documents: readonly PlacedDocument[], side: 'old' | 'new'): ReadDefinitions {
  const findings: Finding[] = [];
  const warnings: Finding[] = [];
  const definitions = new Map<string, Definition>();
  for (const document of documents.flatMap(objectsOf)) {
    const read = readDefinition(document, side);
    findings.push(...read.findings);
    warnings.push(...read.warnings);
    const { definition } = read;
    if (definition === undefined) continue;
    if (definitions.has(definition.name))
      findings.push({
        code: 'diff/duplicate',
        message: `the CustomResourceDefinition ${definition.name} is there twice`,
        where: document.locate(['metadata', 'name']),
        fix: ['remove one of the two'],
      });
    definitions.set(definition.name, definition);
  }
  return { definitions: [...definitions.values()], findings, warnings };
}

/** The definitions in a document: itself, or the items of a List. */
function objectsOf({ value, locate }: PlacedDocument): readonly PlacedDocument[] {
  const { kind, items, apiVersion } = jsonMapOf(value);
  if (jsonTextOf(kind).endsWith('List') && Array.isArray(items)) {
    return (items as readonly unknown[]).flatMap((item, index) =>
      objectsOf({ value: item, locate: (path) => locate(['items', index, ...path]) }),
    );
  }
  const isOne =
    kind === 'CustomResourceDefinition' && jsonTextOf(apiVersion).startsWith('apiextensions.k8s.io/');
  return isOne ? [{ value, locate }] : [];
}

interface ReadOne {
  readonly definition?: Definition;
  readonly findings: readonly Finding[];
  readonly warnings: readonly Finding[];
}

function readDefinition({ value, locate }: PlacedDocument, side: 'old' | 'new'): ReadOne {
  const document = jsonMapOf(value);
  const { apiVersion } = document;
  if (apiVersion === 'apiextensions.k8s.io/v1') {
    const keepsUnknown = jsonMapOf(document['spec'])['preserveUnknownFields'] === true;
    return checked(document, keepsUnknown, locate, side);
  }
  if (apiVersion !== 'apiextensions.k8s.io/v1beta1')
    return {
      findings: [
        {
          code: 'diff/definition',
          message: `there is no CustomResourceDefinition in ${jsonTextOf(apiVersion)}`,
          where: locate(['apiVersion']),
          fix: ['write apiextensions.k8s.io/v1'],
        },
      ],
      warnings: [],
    };
  const converted = fromV1beta1(document, locate);
  if (converted.document === undefined) return converted;
  const keepsUnknown = jsonMapOf(document['spec'])['preserveUnknownFields'] !== false;
  const read = checked(converted.document, keepsUnknown, (path) => locate(converted.origin(path)), side);
  return { ...read, warnings: [...converted.warnings, ...read.warnings] };
}

function checked(
  document: JsonMap,
  keepsUnknown: boolean,
  locate: (path: Path) => Where,
  side: 'old' | 'new',
): ReadOne {
  const findings: Finding[] = [];
  const warnings: Finding[] = [];
  const found = (code: FindingCode, list: Finding[], path: Path, message: string, fix: string): void => {
    list.push({ code, message, where: locate(path), fix: [fix] });
  };
  const wrong = (path: Path, message: string, fix: string): void =>
    found('diff/definition', findings, path, message, fix);
  checkForm(document, v1Form, {
    wrong: (path, message) => wrong(path, message, 'correct it'),
    // Fields that the comparison does not know are none of its business.
    unknown: () => undefined,
  });
  if (findings.length > 0) return { findings, warnings };
  checkPresence(document, wrong);
  for (const [index, item] of jsonListOf(jsonMapOf(document['spec'])['versions']).entries()) {
    const version = jsonMapOf(item);
    const schema = jsonMapOf(version['schema'])['openAPIV3Schema'];
    const path = ['spec', 'versions', index, 'schema', 'openAPIV3Schema'];
    if (!isJsonMap(schema)) {
      wrong(path, `version ${jsonTextOf(version['name'])} has no schema`, 'write schema.openAPIV3Schema');
      continue;
    }
    const hasStatus = isJsonMap(jsonMapOf(version['subresources'])['status']);
    const isOld = side === 'old';
    checkSchema(schema, {
      path,
      hasStatus,
      problem: (at, message) => {
        const field = `${jsonTextOf(version['name'])} ${fieldOfKeys(at.slice(path.length))}`;
        found('diff/schema', isOld ? warnings : findings, at, `${field}: ${message}`, 'correct the schema');
      },
    });
  }
  if (findings.length > 0) return { findings, warnings };
  return { definition: definitionOf(document, keepsUnknown), findings, warnings };
}

/** What the comparison cannot do without. */
function checkPresence(document: JsonMap, wrong: (path: Path, message: string, fix: string) => void): void {
  const spec = jsonMapOf(document['spec']);
  const names = jsonMapOf(spec['names']);
  const needed: readonly (readonly [Path, unknown])[] = [
    [['metadata', 'name'], jsonMapOf(document['metadata'])['name']],
    [['spec', 'group'], spec['group']],
    [['spec', 'scope'], spec['scope']],
    [['spec', 'names', 'kind'], names['kind']],
    [['spec', 'names', 'plural'], names['plural']],
  ];
  for (const [path, value] of needed)
    if (jsonTextOf(value) === '') wrong(path, `${path.join('.')} is missing`, 'write it');
  const versions = jsonListOf(spec['versions']).map(jsonMapOf);
  const versionNames = versions.map(({ name }) => jsonTextOf(name));
  if (versions.length === 0)
    wrong(['spec', 'versions'], 'the definition has no versions', 'write spec.versions');
  for (const [index, name] of versionNames.entries()) {
    if (name === '') wrong(['spec', 'versions', index], 'the version has no name', 'write its name');
    else if (versionNames.indexOf(name) < index)
      wrong(['spec', 'versions', index, 'name'], `version ${name} is there twice`, 'remove one of the two');
  }
  const stored = versions.filter(({ storage }) => storage === true).length;
  if (versions.length > 0 && stored !== 1)
    wrong(
      ['spec', 'versions'],
      `${stored === 0 ? 'no version is' : `${stored} versions are`} the storage version; exactly one must be`,
      'write storage: true in one version, storage: false in the others',
    );
}
