import { FindingList, OpSdkError, type Finding, type Where } from '../errors/index.ts';
import { isJsonMap, jsonMapOf, jsonTextOf, type JsonMap } from '../util/json-map.ts';
import { parseKubernetesYaml } from '../yaml/kubernetes-yaml.ts';
import type { YamlBudget } from '../yaml/limits.ts';
import { checkCrd, type Path } from './check-crd.ts';
import type { CrdDocument } from './crd.ts';
import { fromV1beta1 } from './v1beta1.ts';

/** A CRD and the place that it was read from. */
export interface ReadCrd {
  readonly crd: CrdDocument;
  readonly where: Where;
}

export interface ReadCrds {
  readonly crds: readonly ReadCrd[];
  readonly warnings: readonly Finding[];
  /** What else stands there: `Deployment web`, or `a document without a kind`. */
  readonly others: readonly string[];
}

/** A JSON value that may hold CRDs: a CRD, a `List`, or something else. */
export interface SourceDocument {
  readonly value: unknown;
  locate(path: Path): Where;
}

/**
 * The CRDs of a manifest: of all its documents, also in a `List`. Those of v1beta1 are converted.
 *
 * @param file the name that findings give; `-` for standard input
 * @throws OpSdkError with all findings: those of `parseKubernetesYaml`, `import/invalid-crd`, `import/v1beta1`
 */
export function readCrds(text: string, file: string, budget?: YamlBudget): ReadCrds {
  const options = { concerns: mayHoldCrds, ...(budget === undefined ? {} : { budget }) };
  return crdsOf(parseKubernetesYaml(text, file, options));
}

/** What a bundle says beside its CRDs is not looked at. */
function mayHoldCrds(value: unknown): boolean {
  const { kind, items } = jsonMapOf(value);
  return kind === 'CustomResourceDefinition' || Array.isArray(items);
}

/** As {@link readCrds}, from values that are read already. */
export function crdsOf(documents: readonly SourceDocument[]): ReadCrds {
  const findings = new FindingList();
  const crds: ReadCrd[] = [];
  const warnings: Finding[] = [];
  const others: string[] = [];
  const visit = (value: unknown, path: Path, document: SourceDocument): void => {
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
    if (read.crd !== undefined) crds.push({ crd: read.crd, where: document.locate(path) });
  };
  for (const document of documents) visit(document.value, [], document);
  findings.throwIfAny();
  return { crds, warnings, others };
}

/**
 * Leaves one of each CRD.
 * @throws OpSdkError `import/different-crds` for two of one name that say different things
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
    message: `the CustomResourceDefinition ${name} is here another one than at ${place}`,
    where: second.where,
    fix: ['import one of the two'],
  };
}

interface ReadOne {
  readonly crd: CrdDocument | undefined;
  readonly findings: readonly Finding[];
  readonly warnings: readonly Finding[];
}

function readOne(object: JsonMap, locate: (path: Path) => Where): ReadOne {
  const apiVersion = jsonTextOf(object['apiVersion']);
  if (apiVersion === 'apiextensions.k8s.io/v1') {
    const { findings, warnings } = checkCrd(object, locate);
    return { crd: findings.length === 0 ? named(object) : undefined, findings, warnings };
  }
  if (apiVersion !== 'apiextensions.k8s.io/v1beta1') {
    const finding: Finding = {
      code: 'import/invalid-crd',
      message: `there is no CustomResourceDefinition of ${apiVersion === '' ? 'an empty apiVersion' : apiVersion}`,
      where: locate(['apiVersion']),
      fix: ['write apiVersion: apiextensions.k8s.io/v1'],
    };
    return { crd: undefined, findings: [finding], warnings: [] };
  }
  const converted = fromV1beta1(object, locate);
  if (converted.document === undefined)
    return { crd: undefined, findings: converted.findings, warnings: converted.warnings };
  const checked = checkCrd(converted.document, (path) => locate(converted.origin(path)));
  return {
    crd: checked.findings.length === 0 ? named(converted.document) : undefined,
    findings: [...converted.findings, ...checked.findings],
    warnings: [...converted.warnings, ...checked.warnings],
  };
}

/** A part of a definition, for kustomize to merge: it says nothing of what a definition is made of. */
function isPatch(object: JsonMap): boolean {
  const spec = jsonMapOf(object['spec']);
  const parts = ['group', 'names', 'scope', 'version', 'versions', 'validation'];
  return nameOf(object) !== '' && parts.every((name) => spec[name] === undefined || spec[name] === null);
}

// The name follows from the others; where it is missing, or made by a template, it is what it has to be.
function named(document: JsonMap): CrdDocument {
  const crd = withoutNull(document) as CrdDocument;
  const { names, group } = crd.spec;
  return { ...crd, metadata: { ...crd.metadata, name: `${names.plural}.${group}` } };
}

/** `null` is as good as nothing, as the API server reads it; inside of schemas it may be a value. */
function withoutNull(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNull);
  if (!isJsonMap(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, item]) => item !== null)
      .map(([name, item]) => [name, name === 'openAPIV3Schema' ? item : withoutNull(item)]),
  );
}

function nameOf(object: JsonMap): string {
  return jsonTextOf(jsonMapOf(object['metadata'])['name']);
}
