import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import type { Schema, Type, YAMLException } from 'js-yaml';
import type { DeepReadonly, KubeObject, Resource } from '../api/index.ts';
import { OpSdkError } from '../../base/errors/index.ts';
import { deepFreeze } from './deep-freeze.ts';

/**
 * Returns a manifest of the project as an object of its type: `loadManifest(Deployment, 'assets/nginx.yaml')`. Write the path as a literal,
 * because `op-sdk build` checks the file and replaces the path by its content in the bundle. Without a bundle, such as in tests, the file
 * is read; the path is relative to the project's folder (the nearest parent folder that contains PROJECT or package.json).
 *
 * @returns the object, frozen; to change it, use a copy: `mutableCopy(manifest)`
 * @throws OpSdkError `runtime/manifest-unreadable`, `runtime/manifest-kind`
 */
export function loadManifest<T extends KubeObject>(
  resource: Resource<T>,
  manifest: string | object,
): DeepReadonly<T> {
  const name = typeof manifest === 'string' ? manifest : `the manifest of ${resource.kind}`;
  const object = typeof manifest === 'string' ? readManifest(manifest) : manifest;
  const { apiVersion, kind } = object as Partial<KubeObject>;
  if (apiVersion !== resource.apiVersion || kind !== resource.kind) {
    throw new OpSdkError({
      code: 'runtime/manifest-kind',
      message: `${name}: expected ${resource.kind} of ${resource.apiVersion}, got ${String(kind)} of ${String(apiVersion)}`,
      where: { file: name },
      fix: ['pass another file or another resource to loadManifest'],
    });
  }
  // The kind was checked above; `op-sdk build` checks the fields.
  return deepFreeze(object as T) as DeepReadonly<T>;
}

/** The part of js-yaml that is used; the type declarations of js-yaml omit `types`. */
interface YamlParser {
  readonly CORE_SCHEMA: Schema;
  readonly types: { readonly merge: Type };
  loadAll(text: string, iterator: null, options: { readonly schema: Schema }): unknown[];
}

function readManifest(path: string): object {
  const file = resolve(projectRoot(), path);
  const unreadable = (message: string, cause?: unknown, line?: number): OpSdkError =>
    new OpSdkError(
      {
        code: 'runtime/manifest-unreadable',
        message: `${path}: ${message}`,
        where: line === undefined ? { file: path } : { file: path, line },
        fix: [`put one YAML document there (looked for ${file})`],
      },
      { cause },
    );
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw unreadable(code === 'ENOENT' ? 'file not found' : message, error);
  }
  // Loads js-yaml without an import: the bundle of an operator contains the content of the manifests, and must not contain a YAML parser.
  const yaml = createRequire(import.meta.url)('js-yaml') as YamlParser;
  // YAML's core types and merge keys; timestamps stay strings, as Kubernetes requires.
  const schema = yaml.CORE_SCHEMA.extend({ implicit: [yaml.types.merge] });
  let documents: unknown[];
  try {
    documents = yaml
      .loadAll(text, null, { schema })
      .filter((document) => document !== null && document !== undefined);
  } catch (error) {
    const { reason, message, mark } = error as Partial<YAMLException>;
    throw unreadable(
      `invalid YAML: ${reason ?? message}`,
      error,
      mark === undefined ? undefined : mark.line + 1,
    );
  }
  const [document] = documents;
  if (documents.length !== 1) throw unreadable(`expected one YAML document, got ${documents.length}`);
  if (typeof document !== 'object' || document === null || Array.isArray(document)) {
    throw unreadable('expected an object');
  }
  return document;
}

function projectRoot(): string {
  for (let folder = process.cwd(); ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'PROJECT')) || existsSync(join(folder, 'package.json'))) return folder;
    if (dirname(folder) === folder) return process.cwd();
  }
}
