import type { Finding, FindingCode, Where } from '../../../base/errors/index.ts';
import { jsonMapOf, jsonTextOf } from '../../../base/util/json-map.ts';
import { placed } from '../document/crd-document.ts';
import { asV1 } from '../document/v1beta1.ts';
import { checkCrd } from '../rules/check-crd.ts';
import { definitionOf, type Definition } from './definition.ts';

type Path = readonly (string | number)[];

/** Document that may be a CustomResourceDefinition, with a function that locates its parts in the source. */
export interface PlacedDocument {
  /** Content of the document as plain JSON. */
  readonly value: unknown;
  readonly locate: (path: Path) => Where;
}

interface ReadDefinitions {
  readonly definitions: readonly Definition[];
  /** Findings that prevent a comparison: violations that `checkCrd` reports, `diff/duplicate`, and `import/v1beta1`. */
  readonly findings: readonly Finding[];
  readonly warnings: readonly Finding[];
}

/**
 * Extracts the CustomResourceDefinitions (v1, and v1beta1 converted by `fromV1beta1`) from documents and lists of objects. All other
 * objects are skipped.
 *
 * @param side `new`: everything in the definitions that the API server would refuse is an error. `old`: the definitions are already
 * installed, so a refused schema is only a warning that the severities of its changes are uncertain
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
        message: `the CustomResourceDefinition ${definition.name} appears twice`,
        where: document.locate(['metadata', 'name']),
        fix: ['remove one of the two'],
      });
    definitions.set(definition.name, definition);
  }
  return { definitions: [...definitions.values()], findings, warnings };
}

/** Returns the objects in a document: the items if it is a List, or else the document itself. */
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
  const object = jsonMapOf(value);
  const { document, findings, warnings, origin } = asV1(object, locate);
  if (document === undefined) return { findings, warnings };
  const { errors } = placed(checkCrd(document), (path) => locate(origin(path)));
  const isUnreadable = errors.some(({ code }) => unreadable.has(code));
  // Definitions that already keep unknown fields may continue to do so.
  const refusals = errors.filter(({ code }) => code !== 'crd/preserve-unknown-fields');
  if (isUnreadable || (side === 'new' && refusals.length > 0)) return { findings: refusals, warnings };
  // In old definitions, only problems of schemas affect the comparison.
  const doubts = errors.filter(({ code }) => code === 'crd/schema' || code === 'crd/cel-rule');
  const declared = jsonMapOf(object['spec'])['preserveUnknownFields'];
  const keepsUnknown = document === object ? declared === true : declared !== false;
  const definition = definitionOf(document, keepsUnknown, (path) => locate(origin(path)));
  return { definition, findings, warnings: [...warnings, ...doubts] };
}

/** Codes of violations because of which a definition cannot be compared. */
const unreadable: ReadonlySet<string> = new Set<FindingCode>([
  'crd/form',
  'crd/duplicate-version',
  'crd/storage-version',
]);
