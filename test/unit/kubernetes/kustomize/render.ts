import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { isOpSdkError, type Finding } from '../../../../src/base/errors/index.ts';
import { formatWhere } from '../../../../src/base/errors/op-sdk-error.ts';
import { renderKustomization } from '../../../../src/kubernetes/kustomize/index.ts';

export type Files = Readonly<Record<string, string>>;

/** Runs with a folder that holds the files, and removes it. */
export async function inFolder<T>(files: Files, run: (root: string) => Promise<T>): Promise<T> {
  const root = mkdtempSync(join(tmpdir(), 'op-sdk-kustomize-'));
  try {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
    return await run(root);
  } finally {
    rmSync(root, { recursive: true });
  }
}

/** The objects that a folder of files renders to. */
export function render(files: Files, folder = '.'): Promise<readonly Record<string, unknown>[]> {
  return inFolder(files, async (root) => {
    const rendered = await renderKustomization(folder, { cwd: root });
    return rendered.map(({ object }) => object);
  });
}

/** The findings with which a folder of files is refused. */
export function findingsOf(
  files: Files,
  folder = '.',
  options: { readonly pipeInto?: string } = {},
): Promise<readonly Finding[]> {
  return inFolder(files, async (root) => {
    try {
      await renderKustomization(folder, { cwd: root, ...options });
    } catch (error) {
      if (isOpSdkError(error)) return error.findings;
      throw error;
    }
    throw new Error('it was not refused');
  });
}

/** The findings as `place code`, for comparisons. */
export async function refusals(files: Files, folder = '.'): Promise<readonly string[]> {
  const findings = await findingsOf(files, folder);
  return findings.map(({ code, where }) => `${where === undefined ? '' : formatWhere(where)} ${code}`);
}

/** A manifest of one object. */
export function manifest(apiVersion: string, kind: string, name: string, more: object = {}): string {
  const { metadata = {}, ...rest } = more as { metadata?: object };
  return `${JSON.stringify({ apiVersion, kind, metadata: { name, ...metadata }, ...rest })}\n`;
}

/** Several of them in one file. */
export const documents = (...texts: readonly string[]): string => texts.join('---\n');

/** `Kind namespace/name` of each object, in order. */
export function idsOf(objects: readonly Record<string, unknown>[]): readonly string[] {
  return objects.map(({ kind, metadata }) => {
    const { name, namespace } = metadata as { name: string; namespace?: string };
    return `${String(kind)} ${namespace === undefined ? '' : `${namespace}/`}${name}`;
  });
}
