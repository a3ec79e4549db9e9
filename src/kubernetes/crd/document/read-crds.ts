import {
  FindingList,
  OpSdkError,
  type CodesOf,
  type Finding,
  type Where,
} from '../../../base/errors/index.ts';
import { isJsonMap, jsonMapOf, jsonTextOf, type JsonMap } from '../../../base/util/json-map.ts';
import { parseKubernetesYaml, type YamlBudget } from '../../yaml/index.ts';
import { checkCrd } from '../rules/check-crd.ts';
import { refusedSchemaFields } from '../../objects/index.ts';
import type { FieldPath, Violation } from '../rules/violation.ts';
import { type CrdDocument, withoutNull, placed } from './crd-document.ts';
import { asV1 } from './v1beta1.ts';

/** CRD with the location from which it was read. */
export interface ReadCrd {
  readonly crd: CrdDocument;
  readonly where: Where;
  /**
   * Reasons why the API server would refuse the definition, although op-sdk can read it. Old definitions and definitions from a cluster can
   * have such problems.
   */
  readonly refusals: readonly Finding[];
}

export interface ReadCrds {
  readonly crds: readonly ReadCrd[];
  readonly warnings: readonly Finding[];
  /** Descriptions of the objects that are not CRDs: `Deployment web`, or `a document without a kind`. */
  readonly others: readonly string[];
}

/** JSON value that may contain CRDs: a CRD, a `List`, or something else. */
export interface SourceDocument {
  readonly value: unknown;
  locate(path: FieldPath): Where;
}

/**
 * Reads the CRDs of a manifest, from all its documents and from `List` objects. CRDs of v1beta1 are converted.
 *
 * @param file name of the file in findings; `-` for standard input
 * @throws OpSdkError with all findings: those of `parseKubernetesYaml`, `import/v1beta1`, and violations that `checkCrd` finds in the form
 * of definitions and in their lists of versions
 */
export function readCrds(text: string, file: string, budget?: YamlBudget): ReadCrds {
  const options = { concerns: mayHoldCrds, ...(budget === undefined ? {} : { budget }) };
  return crdsOf(parseKubernetesYaml(text, file, options));
}

/** Returns true if a document may contain CRDs. Other documents are skipped. */
function mayHoldCrds(value: unknown): boolean {
  const { kind, items } = jsonMapOf(value);
  return kind === 'CustomResourceDefinition' || Array.isArray(items);
}

/** Extracts the CRDs like {@link readCrds}, but from parsed values. */
export function crdsOf(documents: readonly SourceDocument[]): ReadCrds {
  const findings = new FindingList();
  const crds: ReadCrd[] = [];
  const warnings: Finding[] = [];
  const others: string[] = [];
  const visit = (value: unknown, path: FieldPath, document: SourceDocument): void => {
    const object = jsonMapOf(value);
    const kind = jsonTextOf(object['kind']);
    const { items } = object;
    if (kind.endsWith('List') && Array.isArray(items)) {
      for (const [index, item] of items.entries()) visit(item, [...path, 'items', index], document);
      return;
    }
    if (kind !== 'CustomResourceDefinition') {
      others.push(
        isJsonMap(value) && kind !== '' ? `${kind} ${nameOf(object)}`.trim() : 'a document without a kind',
      );
      return;
    }
    if (isPatch(object)) {
      others.push(`a patch of CustomResourceDefinition ${nameOf(object)}`.trim());
      return;
    }
    const read = readOne(object, (inner) => document.locate([...path, ...inner]));
    findings.add(...read.findings);
    warnings.push(...read.warnings);
    const { crd, refusals } = read;
    if (crd !== undefined) crds.push({ crd, where: document.locate(path), refusals });
  };
  for (const document of documents) visit(document.value, [], document);
  findings.throwIfAny();
  return { crds, warnings, others };
}

/**
 * Removes duplicate CRDs.
 * @throws OpSdkError `import/different-crds` if two CRDs of the same name differ
 */
export function uniqueCrds(
  crds: readonly ReadCrd[],
  areEqual: (left: CrdDocument, right: CrdDocument) => boolean,
): readonly ReadCrd[] {
  const byName = new Map<string, ReadCrd>();
  const findings: Finding[] = [];
  for (const read of crds) {
    const { name } = read.crd.metadata;
    const first = byName.get(name);
    if (first === undefined) byName.set(name, read);
    else if (!areEqual(first.crd, read.crd)) findings.push(different(name, first, read));
  }
  if (findings.length > 0) throw new OpSdkError(findings);
  return [...byName.values()];
}

function different(name: string, first: ReadCrd, second: ReadCrd): Finding {
  const { where } = first;
  const place =
    'file' in where ? `${where.file}${where.line === undefined ? '' : `:${where.line}`}` : 'the cluster';
  return {
    code: 'import/different-crds',
    message: `the CustomResourceDefinition ${name} differs from the one at ${place}`,
    where: second.where,
    fix: ['import one of the two'],
  };
}

interface ReadOne extends Pick<ReadCrd, 'refusals'> {
  readonly crd: CrdDocument | undefined;
  readonly findings: readonly Finding[];
  readonly warnings: readonly Finding[];
}

/** Codes of errors that make a CRD unusable. */
const unreadable: ReadonlySet<string> = new Set<CodesOf<'crd'>>([
  'crd/form',
  'crd/storage-version',
  'crd/duplicate-version',
]);

/**
 * Keywords that change the meaning of a schema, although the API server does not support them. A schema with such a keyword cannot be read.
 */
const meaningful: ReadonlySet<unknown> = new Set(['items', ...refusedSchemaFields]);

const isUnreadable = ({ code, path }: Violation): boolean =>
  unreadable.has(code) || (code === 'crd/schema' && meaningful.has(path.at(-1)));

function readOne(object: JsonMap, locate: (path: FieldPath) => Where): ReadOne {
  const { document, findings, warnings, origin } = asV1(object, locate);
  if (document === undefined) return { crd: undefined, findings, warnings, refusals: [] };
  const violations = checkCrd(document);
  const { errors, warnings: doubts } = placed(violations, (path) => locate(origin(path)));
  const isRead = !violations.some(isUnreadable);
  return {
    crd: isRead ? named(document) : undefined,
    findings: isRead ? findings : [...findings, ...errors],
    warnings: [...warnings, ...doubts.filter(({ code }) => code === 'crd/unknown-field')],
    refusals: errors,
  };
}

/**
 * Returns true for a partial definition that kustomize merges into another one. Such a patch contains none of the main parts of a
 * definition, such as group, names or versions.
 */
function isPatch(object: JsonMap): boolean {
  const spec = jsonMapOf(object['spec']);
  const parts = ['group', 'names', 'scope', 'version', 'versions', 'validation'];
  return nameOf(object) !== '' && parts.every((name) => spec[name] === undefined || spec[name] === null);
}

// Derives the name from the other fields, because `metadata.name` may be missing or generated by a template.
function named(document: JsonMap): CrdDocument {
  const crd = withoutNull(document) as CrdDocument;
  const { names, group } = crd.spec;
  return { ...crd, metadata: { ...crd.metadata, name: `${names.plural}.${group}` } };
}

function nameOf(object: JsonMap): string {
  return jsonTextOf(jsonMapOf(object['metadata'])['name']);
}
