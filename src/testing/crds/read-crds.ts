import { readdir, readFile, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { loadAll } from 'js-yaml';
import { FindingList, type Finding } from '../../errors/index.ts';

/** A CustomResourceDefinition, as far as its installation looks into it. */
export interface CrdManifest {
  readonly apiVersion: 'apiextensions.k8s.io/v1';
  readonly kind: 'CustomResourceDefinition';
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly group: string;
    readonly names: { readonly plural: string };
    readonly versions: readonly { readonly name: string; readonly served: boolean }[];
  };
}

/** A CRD and the file that it was read from. */
export interface CrdFile {
  readonly file: string;
  readonly crd: CrdManifest;
}

const extensions = new Set(['.yaml', '.yml', '.json']);

/**
 * Reads CRDs from YAML and JSON files, and from folders of them (not recursive). In a folder everything else is passed
 * over; a file that was named must hold at least one CRD, and every CRD must be of `apiextensions.k8s.io/v1`.
 * @throws OpSdkError with all findings
 */
export async function readCrds(paths: readonly string[]): Promise<readonly CrdFile[]> {
  const findings = new FindingList();
  const found: CrdFile[] = [];
  for (const path of paths) {
    for (const { file, named } of await filesOf(path, findings)) {
      const documents = await readDocuments(file, findings);
      const crds = documents.filter(isCustomResourceDefinition);
      if (named && documents.length > 0 && crds.length === 0) {
        findings.add(invalid(file, 'the file holds no CustomResourceDefinition'));
      }
      for (const crd of crds) {
        const problem = problemOf(crd);
        if (problem === undefined) found.push({ file, crd: crd as unknown as CrdManifest });
        else findings.add(invalid(file, problem));
      }
    }
  }
  findings.throwIfAny();
  return found;
}

async function filesOf(
  path: string,
  findings: FindingList,
): Promise<readonly { readonly file: string; readonly named: boolean }[]> {
  try {
    if (!(await stat(path)).isDirectory()) return [{ file: path, named: true }];
    const names = (await readdir(path)).filter((name) => extensions.has(extname(name))).sort();
    return names.map((name) => ({ file: join(path, name), named: false }));
  } catch (error) {
    findings.add(unreadable(path, error));
    return [];
  }
}

async function readDocuments(file: string, findings: FindingList): Promise<readonly unknown[]> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    findings.add(unreadable(file, error));
    return [];
  }
  try {
    return loadAll(text, undefined, { filename: file });
  } catch (error) {
    findings.add({ code: 'io/yaml-syntax', message: (error as Error).message, where: { file } });
    return [];
  }
}

function unreadable(file: string, error: unknown): Finding {
  const missing = (error as NodeJS.ErrnoException).code === 'ENOENT';
  return {
    code: missing ? 'io/not-found' : 'io/cannot-read',
    message: missing ? 'there is no such file or folder' : (error as Error).message,
    where: { file },
  };
}

function invalid(file: string, message: string): Finding {
  return { code: 'testenv/invalid-crd', message, where: { file } };
}

function isCustomResourceDefinition(document: unknown): document is Record<string, unknown> {
  return isRecord(document) && document['kind'] === 'CustomResourceDefinition';
}

function problemOf(crd: Record<string, unknown>): string | undefined {
  if (crd['apiVersion'] !== 'apiextensions.k8s.io/v1') {
    return `apiVersion is ${JSON.stringify(crd['apiVersion'])}; it must be 'apiextensions.k8s.io/v1'`;
  }
  const name = isRecord(crd['metadata']) ? crd['metadata']['name'] : undefined;
  if (typeof name !== 'string') return 'metadata.name is missing';
  const spec = crd['spec'];
  if (!isRecord(spec)) return `${name}: spec is missing`;
  if (typeof spec['group'] !== 'string') return `${name}: spec.group is missing`;
  if (!isRecord(spec['names']) || typeof spec['names']['plural'] !== 'string') {
    return `${name}: spec.names.plural is missing`;
  }
  if (!Array.isArray(spec['versions'])) return `${name}: spec.versions is missing`;
  return undefined;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
